import { ApiError, Path } from '../errors.ts'
import { parseExactly } from '../exact-json/index.ts'
import type { FixedArgument, PlannedRemoteJoin } from '../graphql/index.ts'
import { isNull, members, type Range } from '../json-bytes/index.ts'
import type { FixedValue } from '../model/index.ts'
import { namedTypeOf, refText } from '../remote-schemas/index.ts'
import {
  isObject,
  jsonOf,
  merged,
  type PreparedRemote,
  type RemoteRequest,
  readAnswer,
  renamed,
  sendRemote,
} from './run-remote.ts'
import type { JoinValues } from './splice-joins.ts'

/**
 * The values of a remote field for each tuple of JSON texts, by one request with an alias for each (spec 04 §8.7).
 * Throws ApiError.
 */
export async function runRemoteJoin(
  join: PlannedRemoteJoin,
  tuples: readonly (readonly string[])[],
  prepared: PreparedRemote,
  request: RemoteRequest,
): Promise<JoinValues & { readonly cookies: readonly string[] }> {
  const { bytes, cookies } = await sendRemote(prepared, bodyOf(join, tuples, prepared, request), request)
  const { data, errors } = readAnswer(bytes)
  const hasData = data !== null && isObject(bytes, data)
  const failed = Array.isArray(errors) ? errors.length > 0 : errors !== undefined && errors !== null
  if (failed && !(request.services.prioritizeData && hasData))
    throw new ApiError('unexpected', Path.root, 'Errors from remote server', { status: 400, internal: { errors } })
  const values = data && members(bytes, data.start)
  const ranges: number[] = []
  for (let i = 0; i < tuples.length; i++) {
    const first = values?.get(`f${i}`)
    if (!first) throw missing(`f${i}`)
    const { start, end } = descend(bytes, join, first)
    ranges.push(start, end)
  }
  const { typenames } = join
  if (!typenames) return { bytes, ranges, cookies }
  return { ...joinedBytes(bytes, ranges, (value) => renamed(prepared.visible, value, typenames)), cookies }
}

/** What is the same for all rows is made once: a request has thousands of them. */
function bodyOf(
  join: PlannedRemoteJoin,
  tuples: readonly (readonly string[])[],
  prepared: PreparedRemote,
  request: RemoteRequest,
): string {
  const { definitions, prefix, steps, selection } = join
  const defined: string[] = [...definitions]
  const given: string[] = Object.entries(prepared.variables).map(([name, value]) => variableText(name, value))
  const argumentsOf = steps.flatMap(({ fixed }) => fixed)
  const valueAt = argumentsOf.map((argument) => argumentText(argument, join, prepared, request))
  const types = argumentsOf.map(({ type }) => refText(type))
  let fields = ''
  for (const [i, tuple] of tuples.entries()) {
    let count = 0
    let text = ''
    for (const [at, { field, fixed, shared }] of steps.entries()) {
      let args = ''
      for (const { name } of fixed) {
        const variable = `${prefix}_${i}_${count}`
        defined.push(`$${variable}: ${types[count]}`)
        const value = valueAt[count]?.(tuple)
        if (value !== undefined) given.push(`"${variable}":${value}`)
        args += `${args === '' ? '' : ', '}${name}: $${variable}`
        count++
      }
      if (shared !== '') args += `${args === '' ? '' : ', '}${shared}`
      text += `${at === 0 ? '' : ' { '}${field}${args === '' ? '' : `(${args})`}`
    }
    fields += ` f${i}: ${text}${selection}${' }'.repeat(steps.length - 1)}`
  }
  const rest = defined.length > 0 ? `(${defined.join(', ')}) ` : ''
  const query = JSON.stringify(`query ${rest}{${fields} }`)
  return `{"query":${query}${given.length > 0 ? `,"variables":{${given.join(',')}}` : ''}}`
}

const variableText = (name: string, value: unknown): string =>
  `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`

/** The value of an argument for a tuple, as JSON: what the client gave, with what the relationship gives over it. */
function argumentText(
  { type, value, given }: FixedArgument,
  { lhs }: PlannedRemoteJoin,
  { visible }: PreparedRemote,
  { session, variables }: RemoteRequest,
): (tuple: readonly string[]) => string | undefined {
  const hasPresets = visible.presets.inputs.has(namedTypeOf(type))
  if (value.kind === 'variable' && given === null && !hasPresets) {
    const at = lhs.indexOf(value.name)
    return (tuple) => tuple[at]
  }
  const own = given === null ? undefined : jsonOf(given, variables)
  const base = own === undefined && hasPresets && value.kind === 'object' ? {} : own
  const below = merged(visible, session, type, base)
  return (tuple) =>
    JSON.stringify(
      over(
        below,
        filled(value, (name) => parseExactly(tuple[lhs.indexOf(name)] ?? 'null')),
      ),
    )
}

function filled(value: FixedValue, valueAt: (name: string) => unknown): unknown {
  switch (value.kind) {
    case 'variable':
      return valueAt(value.name)
    case 'literal':
      return value.value
    case 'list':
      return value.items.map((item) => filled(item, valueAt))
    case 'object':
      return Object.fromEntries(value.fields.map(([name, inner]) => [name, filled(inner, valueAt)]))
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

/** Down to the last field's value; null on the way ends there. */
function descend(bytes: Buffer, { steps }: PlannedRemoteJoin, value: Range): Range {
  let found = value
  for (const { field } of steps.slice(1)) {
    if (isNull(bytes, found)) return found
    const next = members(bytes, found.start)?.get(field)
    if (!next) throw missing(field)
    found = next
  }
  return found
}

const missing = (name: string) =>
  new ApiError('unexpected', Path.root, `the remote schema answered without the field "${name}"`, { status: 500 })

/** Other values in the place of these. */
function joinedBytes(bytes: Buffer, ranges: readonly number[], change: (value: Buffer) => Buffer): JoinValues {
  const changed: Buffer[] = []
  const places: number[] = []
  let end = 0
  for (let i = 0; i < ranges.length; i += 2) {
    const value = change(bytes.subarray(ranges[i], ranges[i + 1]))
    changed.push(value)
    places.push(end, end + value.length)
    end += value.length
  }
  return { bytes: Buffer.concat(changed), ranges: places }
}
