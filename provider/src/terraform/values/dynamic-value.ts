import { withoutTrailingZeros } from '@svc/schema'
import {
  type Attributes,
  type AttributeType,
  isValues,
  type Path,
  unknown,
  type Value,
  type Values,
} from '../../resources/index.ts'
import { MsgpackReader } from './msgpack-reader.ts'
import { MsgpackWriter } from './msgpack-writer.ts'
import { ValueError } from './value-error.ts'

type KnownValue = Exclude<Value, null | typeof unknown>

/**
 * The attributes of a resource from Terraform's MessagePack; null for a resource that is not there.
 * Throws ValueError for a number that would not be kept exactly, TypeError or RangeError for what does not fit the schema.
 */
export function decodeValues(attributes: Attributes, bytes: Buffer): Values | null {
  const reader = new MsgpackReader(bytes)
  const value = decode({ kind: 'object', attributes }, reader, [])
  if (!reader.atEnd) throw new RangeError('more follows a value')
  if (value === null || isValues(value)) return value
  throw new TypeError('a resource that is not an object')
}

/** What `decodeValues` reads. An attribute that is not there is written as null. */
export function encodeValues(attributes: Attributes, values: Values | null): Buffer {
  const writer = new MsgpackWriter()
  encode({ kind: 'object', attributes }, values, writer)
  return writer.finish()
}

/** `path` is one stack for the whole value: most values are read without a use of it. */
function decode(type: AttributeType, reader: MsgpackReader, path: (string | number)[]): Value {
  if (reader.nil()) return null
  if (reader.extension()) return unknown
  switch (type.kind) {
    case 'string':
    case 'json':
      return reader.text()
    case 'boolean':
      return reader.boolean()
    case 'integer':
    case 'number':
      return decodeNumber(reader, path)
    case 'list':
    case 'set':
      return Array.from({ length: reader.list() }, (_, i) => decodeAt(i, type.of, reader, path))
    case 'map':
      return Object.fromEntries(
        Array.from({ length: reader.map() }, () => {
          const key = reader.text()
          return [key, decodeAt(key, type.of, reader, path)]
        }),
      )
    case 'object':
      return decodeObject(type.attributes, reader, path)
  }
}

function decodeAt(step: string | number, type: AttributeType, reader: MsgpackReader, path: (string | number)[]): Value {
  path.push(step)
  const value = decode(type, reader, path)
  path.pop()
  return value
}

function decodeObject(attributes: Attributes, reader: MsgpackReader, path: (string | number)[]): Values {
  const values: Record<string, Value> = {}
  for (const name in attributes) values[name] = null
  for (let left = reader.map(); left > 0; left--) {
    const name = reader.text()
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    if (!attribute) throw new TypeError(`an object with an attribute ${name} that its schema does not have`)
    values[name] = decodeAt(name, attribute.type, reader, path)
  }
  return values
}

/** Terraform writes what no double holds, and most fractions, as decimal text. */
function decodeNumber(reader: MsgpackReader, path: Path): number {
  if (!reader.isText) {
    const value = reader.number()
    if (typeof value === 'number') return value
    throw new ValueError([...path], `${value} has more digits than can be kept exactly`)
  }
  const text = reader.text()
  const value = Number(text)
  if (!isExactly(value, text)) throw new ValueError([...path], `${text} has more digits than can be kept exactly`)
  return value
}

/** Whether the shortest text of a double is the number that `text` says. */
function isExactly(value: number, text: string): boolean {
  return Number.isFinite(value) && canonical(String(value)) === canonical(text)
}

/** Sign, digits without zeros around them, and the power of ten behind the last one. */
function canonical(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = withoutTrailingZeros(digits)
  if (significant === '') return '0'
  return `${sign === '-' ? '-' : ''}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}

function encode(type: AttributeType, value: Value | undefined, writer: MsgpackWriter): void {
  if (value === null || value === undefined) writer.nil()
  else if (value === unknown) writer.unknown()
  else encodeKnown(type, value, writer)
}

function encodeKnown(type: AttributeType, value: KnownValue, writer: MsgpackWriter): void {
  switch (type.kind) {
    case 'string':
    case 'json':
      writer.text(fitting(typeof value === 'string' ? value : null, type))
      break
    case 'boolean':
      writer.boolean(fitting(typeof value === 'boolean' ? value : null, type))
      break
    case 'integer':
    case 'number':
      writer.number(fitting(typeof value === 'number' ? value : null, type))
      break
    case 'list':
    case 'set':
      encodeList(type.of, fitting(Array.isArray(value) ? value : null, type), writer)
      break
    case 'map':
      encodeMap(type.of, fitting(isValues(value) ? value : null, type), writer)
      break
    case 'object':
      encodeObject(type.attributes, fitting(isValues(value) ? value : null, type), writer)
  }
}

function encodeList(type: AttributeType, items: readonly Value[], writer: MsgpackWriter): void {
  writer.list(items.length)
  for (const item of items) encode(type, item, writer)
}

function encodeMap(type: AttributeType, values: Values, writer: MsgpackWriter): void {
  const entries = Object.entries(values)
  writer.map(entries.length)
  for (const [key, item] of entries) {
    writer.text(key)
    encode(type, item, writer)
  }
}

function encodeObject(attributes: Attributes, values: Values, writer: MsgpackWriter): void {
  const names = Object.keys(attributes)
  writer.map(names.length)
  for (const name of names) {
    writer.text(name)
    const attribute = attributes[name]
    if (attribute) encode(attribute.type, values[name], writer)
  }
}

function fitting<T>(value: T | null, type: AttributeType): T {
  if (value === null) throw new TypeError(`a value that is no ${type.kind}`)
  return value
}
