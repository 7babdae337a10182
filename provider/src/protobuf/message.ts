import { Reader } from './reader.ts'
import { Writer } from './writer.ts'

/**
 * How one field is read and written. `Out` is what a decoded message has, `In` what may be passed to encode;
 * a field that is left out takes its default, as in proto3.
 */
export interface Field<Out, In = Out> {
  readonly number: number
  /** A new one for each message, where it is a collection. */
  readonly initial: () => Out
  readonly read: (reader: Reader, before: Out) => Out
  /** From the last byte to the first, as its writer does. */
  readonly write: (writer: Writer, value: In) => void
}

// biome-ignore lint/suspicious/noExplicitAny: what a table of fields of every type is made of
type AnyField = Field<any, any>
type Fields = Readonly<Record<string, AnyField>>

export interface Message<Out, In> {
  decode(bytes: Buffer): Out
  encode(value: In): Buffer
}

type DecodedOf<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer Out, infer _> ? Out : never }
type EncodableOf<F extends Fields> = {
  readonly [K in keyof F]?: F[K] extends Field<infer _, infer In> ? In | undefined : never
}

export type Decoded<M> = M extends Message<infer Out, infer _> ? Out : never
export type Encodable<M> = M extends Message<infer _, infer In> ? In : never

// biome-ignore lint/suspicious/noExplicitAny: messages of every shape
export type AnyMessage = Message<any, any>

/** A procedure that is called remotely, by the messages of its request and its response. */
export interface Rpc<Request extends AnyMessage = AnyMessage, Response extends AnyMessage = AnyMessage> {
  readonly request: Request
  readonly response: Response
}

/** What answers the calls of such a procedure. */
export type AnswerTo<R extends Rpc, Context> = (
  context: Context,
  request: Decoded<R['request']>,
) => Promise<Encodable<R['response']>>

/** A message by its fields. Unknown fields are skipped when read. `decode` throws RangeError on broken bytes. */
export function message<F extends Fields>(fields: F): Message<DecodedOf<F>, EncodableOf<F>> {
  const entries = Object.entries<AnyField>(fields)
  const backwards = entries.toReversed()
  const byNumber = new Map(entries.map(([name, field]) => [field.number, { name, field }]))
  return {
    decode(bytes) {
      const value: Record<string, unknown> = {}
      for (const [name, { initial }] of entries) value[name] = initial()
      const reader = new Reader(bytes)
      while (!reader.atEnd) {
        const tag = reader.varint()
        const known = byNumber.get(Math.floor(tag / 8))
        if (known) value[known.name] = known.field.read(reader, value[known.name])
        else reader.skip(tag % 8)
      }
      return value as DecodedOf<F>
    },
    encode(value) {
      const writer = new Writer()
      for (const [name, field] of backwards) {
        const part = value[name]
        if (part !== undefined) field.write(writer, part)
      }
      return writer.finish()
    },
  }
}

const VARINT = 0
const FIXED_64 = 1
const LENGTH_DELIMITED = 2

function scalar<T>(
  number: number,
  wireType: number,
  initial: T,
  read: (reader: Reader) => T,
  write: (writer: Writer, value: T) => void,
): Field<T> {
  return {
    number,
    initial: () => initial,
    read,
    write(writer, value) {
      if (value === initial) return
      write(writer, value)
      writer.varint(number * 8 + wireType)
    },
  }
}

const readText = (reader: Reader) => reader.text()
const writeText = (writer: Writer, value: string) => writer.text(value)
const EMPTY = Buffer.alloc(0)

export const text = (number: number) => scalar(number, LENGTH_DELIMITED, '', readText, writeText)
export const int64 = (number: number) => scalar(number, VARINT, 0, int64Of, writeInt64)
export const bool = (number: number): Field<boolean> =>
  scalar(
    number,
    VARINT,
    false,
    (reader) => reader.varint() !== 0,
    (writer, value) => writer.varint(value ? 1 : 0),
  )

export const double = (number: number): Field<number> =>
  scalar(
    number,
    FIXED_64,
    0,
    (reader) => reader.double(),
    (writer, value) => writer.double(value),
  )

const int64Of = (reader: Reader) => reader.int64()
const writeInt64 = (writer: Writer, value: number) => writer.int64(value)

/** Empty is the default. Decoded bytes share the memory of the message. */
export const bytes = (number: number): Field<Buffer, Uint8Array> => ({
  number,
  initial: () => EMPTY,
  read: (reader) => reader.lengthDelimited(),
  write(writer, value) {
    if (value.length === 0) return
    writer.lengthDelimited(value)
    writer.varint(number * 8 + LENGTH_DELIMITED)
  },
})

/** The number of an enum by its name; an unknown number is read as the first name. */
export function enumeration<const T extends string>(number: number, names: readonly [T, ...T[]]): Field<T> {
  return scalar<T>(
    number,
    VARINT,
    names[0],
    (reader) => names[reader.varint()] ?? names[0],
    (writer, value) => writer.varint(names.indexOf(value)),
  )
}

/** A scalar whose presence counts, as inside a oneof: written also where it is its default. */
const present = <T>(
  field: Field<T>,
  wireType: number,
  write: (writer: Writer, value: T) => void,
): Field<T | undefined, T> => ({
  number: field.number,
  initial: () => undefined,
  read: (reader) => field.read(reader, field.initial()),
  write(writer, value) {
    write(writer, value)
    writer.varint(field.number * 8 + wireType)
  },
})

export const maybeText = (number: number) => present(text(number), LENGTH_DELIMITED, writeText)
export const maybeInt64 = (number: number) => present(int64(number), VARINT, writeInt64)

function writeMessage<In>(writer: Writer, number: number, encoded: () => Message<unknown, In>, value: In): void {
  writer.lengthDelimited(encoded().encode(value))
  writer.varint(number * 8 + LENGTH_DELIMITED)
}

/** A message in a field; the function allows recursive messages. */
export const one = <Out, In>(number: number, inner: () => Message<Out, In>): Field<Out | undefined, In> => ({
  number,
  initial: () => undefined,
  read: (reader) => inner().decode(reader.lengthDelimited()),
  write: (writer, value) => writeMessage(writer, number, inner, value),
})

export const many = <Out, In>(number: number, inner: () => Message<Out, In>): Field<readonly Out[], readonly In[]> => ({
  number,
  initial: () => [],
  read: (reader, before) => [...before, inner().decode(reader.lengthDelimited())],
  write(writer, values) {
    for (const value of values.toReversed()) writeMessage(writer, number, inner, value)
  },
})

export const texts = (number: number): Field<readonly string[]> => ({
  number,
  initial: () => [],
  read: (reader, before) => [...before, readText(reader)],
  write(writer, values) {
    for (const value of values.toReversed()) {
      writeText(writer, value)
      writer.varint(number * 8 + LENGTH_DELIMITED)
    }
  },
})

/** From text to messages. */
export function mapOf<Out, In>(
  number: number,
  inner: () => Message<Out, In>,
): Field<ReadonlyMap<string, Out>, ReadonlyMap<string, In>> {
  const entry = message({ key: text(1), value: one(2, inner) })
  return {
    number,
    initial: () => new Map(),
    read(reader, before) {
      const { key, value } = entry.decode(reader.lengthDelimited())
      return new Map([...before, [key, value ?? inner().decode(EMPTY)]])
    },
    write(writer, values) {
      for (const [key, value] of [...values].reverse()) writeMessage(writer, number, () => entry, { key, value })
    },
  }
}

/** From text to text. */
export function textsByKey(number: number): Field<ReadonlyMap<string, string>> {
  const entry = message({ key: text(1), value: text(2) })
  return {
    number,
    initial: () => new Map(),
    read(reader, before) {
      const { key, value } = entry.decode(reader.lengthDelimited())
      return new Map([...before, [key, value]])
    },
    write(writer, values) {
      for (const [key, value] of [...values].reverse()) writeMessage(writer, number, () => entry, { key, value })
    },
  }
}
