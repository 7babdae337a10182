import { ApiError, Path } from '../errors.ts'
import { parseExactly } from '../exact-json/index.ts'
import { checkPermitted, type FixedArgument, type PlannedRemoteJoin } from '../graphql/index.ts'
import {
  type Expected,
  isNull,
  members,
  numberedMembers,
  type Range,
  type Reading,
  readExpected,
  restart,
  startReading,
} from '../json-bytes/index.ts'
import { namedTypeOf, refText } from '../remote-schemas/index.ts'
import { spendRepeated } from './allowance.ts'
import { filled, over } from './fixed-values.ts'
import type { JoinKeys, KeyColumn } from './join-keys.ts'
import { isObject, passedOn, readAnswer, refuseUnexpected } from './remote-answer.ts'
import { jsonOf, merged, presetValue, withoutNulls } from './remote-values.ts'
import { type PreparedRemote, passedVariable, type RemoteRequest, sendRemote } from './run-remote.ts'
import type { JoinValues } from './splice-joins.ts'
import { beginText, endText, escaped, writeBytes, writeEscaped, writeNumber, writeQuoted } from './text-writer.ts'

/**
 * The values of a remote field for tuples of keys, by one request with an
 * alias for each (reference/remote-schemas#joins). Throws ApiError.
 */
export async function runRemoteJoin(
  join: PlannedRemoteJoin,
  keys: JoinKeys,
  prepared: PreparedRemote,
  request: RemoteRequest,
): Promise<JoinValues & { readonly cookies: readonly string[] }> {
  const { count } = keys
  const { bytes, cookies } = await sendRemote(prepared, bodyOf(join, keys, prepared, request), request)
  const ranges = new Array<number>(2 * count)
  const reading = startReading(bytes)
  const { expected } = join
  const { services } = request
  const readValue = (start: number): number => readExpected(reading, start, expected)
  const { data, errors } = readAnswer(bytes, (start) => {
    restart(reading)
    return numberedMembers(bytes, start, ranges, readValue)
  })
  const hasData = data !== null && isObject(bytes, data)
  const hasErrors = Array.isArray(errors) ? errors.length > 0 : errors !== undefined && errors !== null
  const isWrong = () => ranges.includes(-1) || (services.checksAnswers && problemIn(bytes, ranges, expected) !== null)
  if (hasErrors && !(services.prioritizeData && hasData && !isWrong()))
    throw new ApiError('unexpected', Path.root, 'Errors from remote server', { status: 400, internal: { errors } })
  if (!hasData) missing('f0')
  const wrong = services.checksAnswers && reading.problem ? problemIn(bytes, ranges, expected) : null
  if (wrong) {
    const { remote, path, steps } = join
    refuseUnexpected(wrong.reading, wrong.start, { remote, path, hidden: steps.length - 1 })
  }
  placeValues(bytes, join, ranges)
  if (reading.replaced.length === 0) return { bytes, ranges, cookies }
  return { ...changedValues(reading, ranges), cookies }
}

/**
 * The first value that is not as expected; an alias that is missing is one of `placeValues`'. Read once more: of equal
 * aliases the last counts.
 */
function problemIn(bytes: Buffer, ranges: readonly number[], expected: Expected) {
  for (let i = 0; i < ranges.length; i += 2) {
    const start = ranges[i] ?? -1
    if (start < 0) continue
    const reading = startReading(bytes)
    readExpected(reading, start, expected)
    if (reading.problem) return { reading, start }
  }
  return null
}

/** From the first fields' values to the last ones'. */
function placeValues(bytes: Buffer, join: PlannedRemoteJoin, ranges: number[]): void {
  for (let i = 0; i < ranges.length; i += 2) {
    const start = ranges[i] ?? -1
    if (start < 0) missing(`f${i / 2}`)
    if (join.steps.length === 1) continue
    const value = descend(bytes, join, { start, end: ranges[i + 1] ?? start })
    ranges[i] = value.start
    ranges[i + 1] = value.end
  }
}

/** A selection that is longer stands in a fragment, once for all aliases. */
const longestRepeated = 10

/** What is the same for all rows is made once: a request has thousands of them. */
function bodyOf(join: PlannedRemoteJoin, keys: JoinKeys, prepared: PreparedRemote, request: RemoteRequest): Buffer {
  const { definitions, prefix, selection, fragments, type } = join
  const { count } = keys
  const isRepeated = selection.length <= longestRepeated
  const inside = selection === '' ? '' : isRepeated ? `{${selection}}` : `{...${prefix}}`
  const defined: string[] = [...definitions]
  const given: string[] = Object.entries(prepared.variables).map(([name, value]) => variableText(name, value))
  const steps = join.steps.map((step, i) => {
    const args = step.fixed.map((one) => {
      const before = bytesOf(`${one.name}:`)
      return { ...argumentOf(one, join, keys, prepared, request), before }
    })
    return { ...stepBytes(step, i === 0), args }
  })
  const ending = bytesOf(inside + '}'.repeat(steps.length - 1))
  const variable = (i: number, at: number, n: number, { type: of, jsonAt }: ArgumentTexts): string => {
    const name = `${prefix}_${i}_${at}_${n}`
    const value = jsonAt(i)
    defined.push(`$${name}: ${of}`)
    if (value !== undefined) given.push(`"${name}":${value}`)
    return name
  }
  beginText()
  for (let i = 0; i < count; i++) {
    writeBytes(alias)
    writeNumber(i)
    for (let at = 0; at < steps.length; at++) {
      const step = steps[at]
      if (!step) continue
      writeBytes(step.field)
      for (let n = 0; n < step.args.length; n++) {
        const argument = step.args[n]
        if (!argument) continue
        if (n > 0) writeBytes(comma)
        writeBytes(argument.before)
        const { column, isPlain } = argument
        if (column && isPlain?.(column.bytes, column.start(i), column.end(i)))
          writeQuoted(column.bytes, column.start(i), column.end(i))
        else writeEscaped(`$${variable(i, at, n, argument)}`)
      }
      writeBytes(step.shared)
    }
    writeBytes(ending)
  }
  const fields = endText()
  const rest = defined.length > 0 ? `(${defined.join(', ')}) ` : ''
  const fragment = selection === '' || isRepeated ? '' : ` fragment ${prefix} on ${type} {${selection}}`
  const variables = given.length > 0 ? `,"variables":{${given.join(',')}}` : ''
  return Buffer.concat([
    Buffer.from('{"query":"'),
    bytesOf(`query ${rest}{`),
    fields,
    bytesOf(` }${fragment}${fragments}`),
    Buffer.from(`"${variables}}`),
  ])
}

const bytesOf = escaped
const alias = bytesOf(' f')
const comma = bytesOf(', ')

/** What stands before and behind the arguments that differ from row to row. */
function stepBytes({ field, shared, fixed }: PlannedRemoteJoin['steps'][number], isFirst: boolean) {
  const isBare = fixed.length === 0 && shared === ''
  const closing = isBare ? '' : fixed.length > 0 && shared !== '' ? `, ${shared})` : `${shared})`
  return { field: bytesOf(`${isFirst ? ':' : '{'}${field}${isBare ? '' : '('}`), shared: bytesOf(closing) }
}

const variableText = (name: string, value: unknown): string =>
  `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`

/** An argument for the i-th tuple. */
interface ArgumentTexts {
  readonly name: string
  readonly type: string
  /** Its texts, where it is a key as it is. */
  readonly column: KeyColumn | null
  /** Whether a text is the same as GraphQL; else it has to be a variable. Null: each has. */
  readonly isPlain: IsPlain | null
  readonly jsonAt: (i: number) => string | undefined
}

/** The client's arguments, overlaid by those that the relationship sets, and presets where neither may set one. */
function argumentOf(
  { name, type, value, given, preset }: FixedArgument,
  { lhs, defaults, path }: PlannedRemoteJoin,
  keys: JoinKeys,
  { visible }: PreparedRemote,
  request: RemoteRequest,
): ArgumentTexts {
  const { session, services } = request
  const argument = { name, type: refText(type) }
  if (value.kind === 'variable' && given === null) {
    const column = keys.columns[lhs.indexOf(value.name)] ?? null
    const isList = type.kind === 'list' || (type.kind === 'non-null' && type.of.kind === 'list')
    return {
      ...argument,
      column,
      isPlain: (isList ? null : plain.get(namedTypeOf(type))) ?? null,
      jsonAt: (i) => column?.text(i),
    }
  }
  const asGiven = given === null ? undefined : jsonOf(given, passedVariable(request, defaults))
  checkPermitted(visible, type, asGiven, path)
  const own = services.skipsNulls ? withoutNulls(asGiven) : asGiven
  const below = preset && value.kind === 'object' ? presetValue(visible, session, preset, type) : own
  spendRepeated(request.allowance, below, keys.count)
  const keyAt = (i: number) => (key: string) => parseExactly(keys.columns[lhs.indexOf(key)]?.text(i) ?? 'null')
  return {
    ...argument,
    column: null,
    isPlain: null,
    jsonAt: (i) => JSON.stringify(merged(visible, session, type, over(below, filled(value, keyAt(i))), value)),
  }
}

/** Whether a JSON value in bytes is the same value as a GraphQL literal of a built-in scalar. */
type IsPlain = (bytes: Buffer, start: number, end: number) => boolean

const isNumber: IsPlain = (bytes, start) => bytes[start] === 0x2d || isDigit(bytes[start] ?? 0)
const isWhole: IsPlain = (bytes, start, end) => {
  for (let i = bytes[start] === 0x2d ? start + 1 : start; i < end; i++) if (!isDigit(bytes[i] ?? 0)) return false
  return true
}
const isText: IsPlain = (bytes, start, end) => {
  if (bytes[start] !== 0x22) return false
  for (let i = start + 1; i < end - 1; i++) {
    const byte = bytes[i] ?? 0
    if (byte < 0x20 || byte > 0x7e || byte === 0x5c) return false
  }
  return true
}
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

const plain: ReadonlyMap<string, IsPlain> = new Map<string, IsPlain>([
  ['Int', isWhole],
  ['Float', isNumber],
  ['ID', (bytes, start, end) => isText(bytes, start, end) || isWhole(bytes, start, end)],
  ['String', isText],
  ['Boolean', (bytes, start) => bytes[start] === 0x74 || bytes[start] === 0x66],
])

/** Down to the last field's value; null on the way ends there. */
function descend(bytes: Buffer, { steps }: PlannedRemoteJoin, value: Range): Range {
  let found = value
  for (const { field } of steps.slice(1)) {
    if (isNull(bytes, found)) return found
    const next = members(bytes, found.start)?.get(field)
    found = next ?? missing(field)
  }
  return found
}

function missing(name: string): never {
  throw new ApiError('unexpected', Path.root, `the remote schema answered without the field "${name}"`, { status: 500 })
}

/** With what is passed on as something else. */
function changedValues(reading: Reading, ranges: readonly number[]): JoinValues {
  const changed: Buffer[] = []
  const places: number[] = []
  let end = 0
  for (let i = 0; i < ranges.length; i += 2) {
    const value = passedOn(reading, { start: ranges[i] ?? 0, end: ranges[i + 1] ?? 0 })
    changed.push(value)
    places.push(end, end + value.length)
    end += value.length
  }
  return { bytes: Buffer.concat(changed), ranges: places }
}
