import { type ApiError, invalid, type Path } from '../../errors.ts'
import { isRawNumber } from '../../exact-json/index.ts'
import type { Model, ResolvedTable } from '../../model/index.ts'
import { decodeBase64 } from './cursor.ts'

/** What `node` finds a row by. */
export interface NodeId {
  readonly source: string
  readonly schema: string
  readonly name: string
  readonly key: readonly unknown[]
}

const defaultSource = 'default'

/**
 * Returns what is in an id before the key: `[1, schema, table]`, with the source in version 2 unless it is `default`.
 */
export const nodeIdPrefix = ({
  source,
  table,
}: Pick<ResolvedTable, 'source' | 'table'>): readonly (string | number)[] =>
  source === defaultSource ? [1, table.schema, table.name] : [2, source, table.schema, table.name]

/** Parses a global id. Throws validation-failed `invalid node id: …` at path. */
export function parseNodeId(text: string, path: Path): NodeId {
  const json = decodeBase64(text)
  if (json === undefined) throw invalidId('Error in $: not a valid base64 encoded JSON value', path)
  if (!Array.isArray(json))
    throw invalidId(`Error in $: parsing node id failed, expected Array, but encountered ${kindOf(json)}`, path)
  const [version, ...rest] = json
  const withSource = sameNumber(version, 2)
  if (!withSource && !sameNumber(version, 1)) throw invalidId('Error in $: unknown GUID version', path)
  const [source, schema, name, ...key] = withSource ? rest : [defaultSource, ...rest]
  if (typeof source !== 'string' || typeof schema !== 'string' || typeof name !== 'string' || key.length === 0)
    throw invalidId(
      withSource
        ? 'Error in $: GUID version 2: expecting source name, schema name, table name and at least one column value'
        : 'Error in $: GUID version 1: expecting schema name, table name and at least one column value',
      path,
    )
  return { source, schema, name, key }
}

const sameNumber = (json: unknown, to: number): boolean =>
  json === to || (isRawNumber(json) && json.rawJSON === `${to}`)

export const invalidId = (reason: string, path: Path): ApiError => invalid(path, `invalid node id: ${reason}`)

function kindOf(json: unknown): string {
  if (json === null) return 'Null'
  if (typeof json === 'boolean') return 'Boolean'
  if (typeof json === 'string') return 'String'
  return typeof json === 'number' || isRawNumber(json) ? 'Number' : 'Object'
}

/** Returns the table that an id names; undefined where there is none. */
export function tableOfNode(model: Model, { source, schema, name }: NodeId): ResolvedTable | undefined {
  return model.tables.find(
    (found) => found.source === source && found.table.schema === schema && found.table.name === name,
  )
}
