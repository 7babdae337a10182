import type { GraphqlType } from '@svc/schema'
import { isRawNumber } from '../exact-json/index.ts'
import type { ActionBase, ResolvedAction } from '../model/index.ts'

/** What is wrong with a 2xx answer (reference/actions#answers-of-handlers); null: nothing. */
export function outputProblem(action: ResolvedAction, json: unknown): string | null {
  return problemOf(action, action.output.type, json)
}

function problemOf(action: ResolvedAction, type: GraphqlType, json: unknown): string | null {
  const { base } = action.output
  if (type.kind === 'named' && isUnchecked(base)) return null
  if (json === null) return type.nullable ? null : 'got null for the action webhook response'
  if (type.kind === 'list') {
    if (!Array.isArray(json)) return 'expecting array for the action webhook response'
    for (const entry of json) {
      const problem = problemOf(action, type.of, entry)
      if (problem !== null) return problem
    }
    return null
  }
  const got = (kind: string) => `got ${kind} for the action webhook response, expecting ${type.name}`
  if (Array.isArray(json)) return got('array')
  if (typeof json === 'object' && !isRawNumber(json)) {
    if (base.kind !== 'object') return got('object')
    return fieldProblem(action, base.name, json as Readonly<Record<string, unknown>>)
  }
  const name = base.kind === 'built-in' ? base.name : null
  if (typeof json === 'boolean') return name === 'Boolean' ? null : got('scalar Boolean')
  if (typeof json === 'string') return name === 'String' || name === 'ID' ? null : got('scalar String')
  return name === 'Int' || name === 'Float' ? null : got('scalar Number')
}

/** Whatever is no built-in scalar and no object is the handler's own business. */
const isUnchecked = ({ kind }: ActionBase) => kind === 'scalar' || kind === 'source-scalar'

function fieldProblem(
  { types }: ResolvedAction,
  object: string,
  json: Readonly<Record<string, unknown>>,
): string | null {
  for (const { name, type } of types.objects.get(object)?.fields.values() ?? []) {
    if (type.nullable) continue
    if (!Object.hasOwn(json, name)) return `field "${name}" expected in webhook response, but not found`
    if (json[name] === null) return `expecting not null value for field "${name}"`
  }
  return null
}
