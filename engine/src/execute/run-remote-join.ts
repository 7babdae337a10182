import { isRecord } from '@svc/schema'
import { ApiError, Path } from '../errors.ts'
import type { FixedArgument, PlannedRemoteJoin } from '../graphql/index.ts'
import type { FixedValue } from '../model/index.ts'
import { namedTypeOf, refText } from '../remote-schemas/index.ts'
import { jsonOf, merged, type PreparedRemote, type RemoteRequest, renameTypes, sendRemote } from './run-remote.ts'

/** The values of a remote field for each tuple, by one request with an alias for each (spec 04 §8.7). Throws ApiError. */
export async function runRemoteJoin(
  join: PlannedRemoteJoin,
  tuples: readonly (readonly unknown[])[],
  prepared: PreparedRemote,
  request: RemoteRequest,
): Promise<readonly unknown[]> {
  const variables: Record<string, unknown> = Object.assign(Object.create(null), prepared.variables)
  const definitions = [...join.definitions]
  const fields = tuples.map((tuple, i) => {
    const values = new Map(join.lhs.map((name, at) => [name, tuple[at]] as const))
    let count = 0
    const add = (argument: FixedArgument): string => {
      const name = `${join.prefix}_${i}_${count++}`
      definitions.push(`$${name}: ${refText(argument.type)}`)
      variables[name] = argumentValue(argument, values, prepared, request)
      return `${argument.name}: $${name}`
    }
    return `f${i}: ${stepsText(join, 0, add)}`
  })
  const rest = definitions.length > 0 ? `(${definitions.join(', ')}) ` : ''
  const body = {
    query: `query ${rest}{ ${fields.join(' ')} }`,
    ...(Object.keys(variables).length > 0 && { variables }),
  }
  const data = dataOf((await sendRemote(prepared, body, request)).json, request.services.prioritizeData)
  return tuples.map((_, i) => {
    const value = descend(join, member(data, `f${i}`))
    if (join.typenames) renameTypes(prepared.visible, value, join.typenames)
    return value
  })
}

function stepsText(join: PlannedRemoteJoin, at: number, add: (argument: FixedArgument) => string): string {
  const step = join.steps[at]
  if (!step) return ''
  const given = [...step.fixed.map(add), ...(step.shared === '' ? [] : [step.shared])]
  const args = given.length > 0 ? `(${given.join(', ')})` : ''
  const isLast = at === join.steps.length - 1
  return `${step.field}${args}${isLast ? join.selection : ` { ${stepsText(join, at + 1, add)} }`}`
}

/** What the client gave, with what the relationship gives over it. */
function argumentValue(
  { type, value, given }: FixedArgument,
  values: ReadonlyMap<string, unknown>,
  { visible }: PreparedRemote,
  { session, variables }: RemoteRequest,
): unknown {
  const fixed = filled(value, values)
  const own = given === null ? undefined : jsonOf(given, variables)
  const hasPresets = visible.presets.inputs.has(namedTypeOf(type))
  const base = own === undefined && hasPresets && value.kind === 'object' ? {} : own
  return over(merged(visible, session, type, base), fixed)
}

function filled(value: FixedValue, values: ReadonlyMap<string, unknown>): unknown {
  switch (value.kind) {
    case 'variable':
      return values.get(value.name) ?? null
    case 'literal':
      return value.value
    case 'list':
      return value.items.map((item) => filled(item, values))
    case 'object':
      return Object.fromEntries(value.fields.map(([name, inner]) => [name, filled(inner, values)]))
  }
}

/** Objects member by member, lists one after the other; else the relationship's value counts. */
function over(own: unknown, fixed: unknown): unknown {
  if (own === undefined || own === null) return fixed
  if (Array.isArray(fixed)) return Array.isArray(own) ? [...own, ...fixed] : [own, ...fixed]
  if (!isPlain(own) || !isPlain(fixed)) return fixed
  const result: Record<string, unknown> = Object.assign(Object.create(null), own)
  for (const [name, value] of Object.entries(fixed))
    result[name] = over(Object.hasOwn(own, name) ? own[name] : undefined, value)
  return result
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)

function dataOf(json: unknown, prioritizeData: boolean): unknown {
  const { data, errors } = isRecord(json) ? (json as Readonly<Record<string, unknown>>) : {}
  const failed = Array.isArray(errors) ? errors.length > 0 : errors !== undefined && errors !== null
  if (failed && !(prioritizeData && isPlain(data)))
    throw new ApiError('unexpected', Path.root, 'Errors from remote server', { status: 400, internal: { errors } })
  return data
}

/** Down to the last field's value; null on the way ends there. */
function descend(join: PlannedRemoteJoin, value: unknown): unknown {
  let found = value
  for (const { field } of join.steps.slice(1)) {
    if (found === null) return null
    found = member(found, field)
  }
  return found
}

function member(of: unknown, name: string): unknown {
  if (isPlain(of) && Object.hasOwn(of, name)) return of[name]
  throw new ApiError('unexpected', Path.root, `the remote schema answered without the field "${name}"`, { status: 500 })
}
