import { type Message, Reader, Writer } from '../../protobuf/index.ts'
import { unknown, type Value, type Values } from '../../resources/index.ts'
import type { Marks } from './marks.ts'
import { OUTPUT, RESOURCE, SECRET, SIGNATURE, UNKNOWN, UNKNOWNS } from './signatures.ts'

/** Properties by the names Pulumi has for them, and what of them is secret. */
export interface Properties {
  readonly values: Values
  readonly secrets: Marks | null
}

export const noProperties: Properties = { values: {}, secrets: null }

/** `google.protobuf.Struct` as a message inside others: read and written directly, since a plan does little else. */
export const struct: Message<Properties, Properties> = { decode: readStruct, encode: writeStruct }

/** A `google.protobuf.Struct`. Throws RangeError on broken bytes. */
function readStruct(bytes: Buffer): Properties {
  const walk: Walk = { reader: new Reader(bytes), secrets: null }
  const values = readFields(walk, bytes.length)
  return { values, secrets: walk.secrets }
}

interface Walk {
  readonly reader: Reader
  /** Of the value that was read last. */
  secrets: Marks | null
}

type Struct = { [key: string]: Value }

// tags: number of the field * 8 + wire type
const FIELDS = 10
const ENTRY_KEY = 10
const ENTRY_VALUE = 18
const NULL = 8
const NUMBER = 17
const TEXT = 26
const BOOL = 32
const STRUCT = 42
const LIST = 50

function readFields(walk: Walk, end: number): Values {
  const { reader } = walk
  const struct: Struct = {}
  const secrets = new Map<string, Marks>()
  while (reader.position < end) {
    const tag = reader.varint()
    if (tag === FIELDS) readEntry(walk, struct, secrets)
    else reader.skip(tag % 8)
  }
  walk.secrets = secrets.size === 0 ? null : secrets
  return struct
}

function readEntry(walk: Walk, struct: Struct, secrets: Map<string, Marks>): void {
  const { reader } = walk
  const end = reader.varint() + reader.position
  let key = ''
  let value: Value = null
  walk.secrets = null
  while (reader.position < end) {
    const tag = reader.varint()
    if (tag === ENTRY_KEY) key = reader.text()
    else if (tag === ENTRY_VALUE) value = readValue(walk)
    else reader.skip(tag % 8)
  }
  if (key === '__proto__') Object.defineProperty(struct, key, { value, enumerable: true, writable: true })
  else struct[key] = value
  if (walk.secrets !== null) secrets.set(key, walk.secrets)
}

function readValue(walk: Walk): Value {
  const { reader } = walk
  const end = reader.varint() + reader.position
  let value: Value = null
  walk.secrets = null
  while (reader.position < end) {
    const tag = reader.varint()
    switch (tag) {
      case NULL:
        reader.varint()
        value = null
        break
      case NUMBER:
        value = reader.double()
        break
      case TEXT: {
        const text = reader.text()
        value = text.length === 36 && UNKNOWNS.has(text) ? unknown : text
        break
      }
      case BOOL:
        value = reader.varint() !== 0
        break
      case STRUCT:
        value = meant(walk, readFields(walk, reader.varint() + reader.position))
        break
      case LIST:
        value = readList(walk)
        break
      default:
        reader.skip(tag % 8)
    }
  }
  return value
}

function readList(walk: Walk): Value {
  const { reader } = walk
  const end = reader.varint() + reader.position
  const items: Value[] = []
  const secrets = new Map<number, Marks>()
  while (reader.position < end) {
    const tag = reader.varint()
    if (tag !== FIELDS) {
      reader.skip(tag % 8)
      continue
    }
    const value = readValue(walk)
    if (walk.secrets !== null) secrets.set(items.length, walk.secrets)
    items.push(value)
  }
  walk.secrets = secrets.size === 0 ? null : secrets
  return items
}

/** Returns the value that an object stands for. One with an unknown mark is returned as it is. */
function meant(walk: Walk, struct: Values): Value {
  if (!Object.hasOwn(struct, SIGNATURE)) return struct
  switch (struct[SIGNATURE]) {
    case SECRET:
      walk.secrets = 'secret'
      return struct.value ?? null
    case OUTPUT: {
      const below = walk.secrets instanceof Map ? (walk.secrets.get('value') ?? null) : null
      walk.secrets = struct.secret === true ? 'secret' : below
      return Object.hasOwn(struct, 'value') ? (struct.value ?? null) : unknown
    }
    case RESOURCE:
      walk.secrets = null
      return struct.id === '' ? unknown : (struct.id ?? null)
    default:
      return struct
  }
}

/** The bytes of a `google.protobuf.Struct`, secrets in their envelopes. Throws TypeError for what is no value of Pulumi. */
function writeStruct({ values, secrets }: Properties): Buffer {
  const writer = new Writer()
  writeFields(writer, values, secrets)
  return writer.finish()
}

/** Closes what was written since `before` as a field. */
function close(writer: Writer, before: number, tag: number): void {
  writer.varint(writer.length - before)
  writer.byte(tag)
}

function writeText(writer: Writer, text: string, tag: number): void {
  writer.text(text)
  writer.byte(tag)
}

function writeFields(writer: Writer, values: Values, secrets: Marks | null): void {
  for (const [key, value] of Object.entries(values).reverse()) {
    const marks = secrets instanceof Map ? (secrets.get(key) ?? null) : null
    writeEntry(writer, key, () => writeMarked(writer, value, marks, ENTRY_VALUE))
  }
}

function writeEntry(writer: Writer, key: string, value: () => void): void {
  const before = writer.length
  value()
  writeText(writer, key, ENTRY_KEY)
  close(writer, before, FIELDS)
}

function writeMarked(writer: Writer, value: Value, marks: Marks | null, tag: number): void {
  const before = writer.length
  if (marks === 'secret') {
    writeEntry(writer, 'value', () => writeMarked(writer, value, null, ENTRY_VALUE))
    writeEntry(writer, SIGNATURE, () => writeMarked(writer, SECRET, null, ENTRY_VALUE))
    close(writer, before, STRUCT)
  } else writeValue(writer, value, marks)
  close(writer, before, tag)
}

function writeValue(writer: Writer, value: Value, marks: Marks | null): void {
  if (value === null) {
    writer.byte(0)
    writer.byte(NULL)
  } else if (value === unknown) writeText(writer, UNKNOWN, TEXT)
  else if (typeof value === 'string') writeText(writer, value, TEXT)
  else if (typeof value === 'number') {
    writer.double(value)
    writer.byte(NUMBER)
  } else if (typeof value === 'boolean') {
    writer.byte(value ? 1 : 0)
    writer.byte(BOOL)
  } else if (Array.isArray(value)) writeList(writer, value, marks)
  else if (typeof value === 'object') {
    const before = writer.length
    writeFields(writer, value as Values, marks)
    close(writer, before, STRUCT)
  } else throw new TypeError(`a ${typeof value} is no value of Pulumi`)
}

function writeList(writer: Writer, items: readonly Value[], marks: Marks | null): void {
  const before = writer.length
  for (let i = items.length - 1; i >= 0; i--)
    writeMarked(writer, items[i] ?? null, marks instanceof Map ? (marks.get(i) ?? null) : null, FIELDS)
  close(writer, before, LIST)
}
