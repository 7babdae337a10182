import { type Json, type JsonObject, recordOf } from '@svc/schema'
import type { MetadataClient } from '../client/index.ts'
import type { Path } from '../resources/index.ts'

export interface ForeignVariable {
  /** Below the object's value. */
  readonly path: Path
  readonly text: string
}

/**
 * The first text in a permission that another engine would take for a session variable. Here it is a literal, unless the
 * engine's header prefix is that: a filter that compares with it lets no one, or with `_neq` everyone, through.
 */
export function foreignVariable(type: string, value: JsonObject): ForeignVariable | null {
  if (type === 'remote_schema_permission') return presetIn(value)
  return type.endsWith('_permission') && holdsOne(value) ? below(value, []) : null
}

const isForeign = (text: string): boolean => /^x-hasura-/i.test(text)

/** Whether an object's JSON may hold one: it is read closely then. */
export const mayHoldForeignVariable = (text: string): boolean => /x-hasura-/i.test(text)

/** Almost none does: no paths are made for those. */
function holdsOne(json: Json): boolean {
  if (typeof json === 'string') return isForeign(json)
  if (typeof json !== 'object' || json === null) return false
  return Object.values(json).some(holdsOne)
}

/** Presets stand in a schema, which is one text. */
function presetIn({ definition }: JsonObject): ForeignVariable | null {
  const sdl = recordOf(definition).schema
  const [, text] = /@preset\s*\(\s*value\s*:\s*"+(x-hasura-[^"]*)"/i.exec(typeof sdl === 'string' ? sdl : '') ?? []
  return text === undefined ? null : { path: ['definition', 'schema'], text }
}

/** Whether an engine reads it as a session variable too (--header-prefix). Throws ClientError. */
export const isKnownVariable = async (
  { text }: ForeignVariable,
  client: Pick<MetadataClient, 'headerPrefix'>,
): Promise<boolean> => text.toLowerCase().startsWith(await client.headerPrefix())

export const foreignVariableMessage = ({ text }: ForeignVariable): string =>
  `"${text}" is literal text to this engine, no session variable: write ${JSON.stringify(text.replace(/^x-hasura-/i, 'X-Svc-'))}`

function below(json: Json, path: Path): ForeignVariable | null {
  if (typeof json === 'string') return isForeign(json) ? { path, text: json } : null
  if (typeof json !== 'object' || json === null) return null
  for (const [key, part] of Object.entries(json)) {
    const found = below(part, [...path, Array.isArray(json) ? Number(key) : key])
    if (found) return found
  }
  return null
}
