import { unknown, type Value, type Values } from '../../resources/index.ts'
import type { Marks } from './marks.ts'
import type { Properties } from './read-struct.ts'
import { SECRET, SIGNATURE, UNKNOWN } from './signatures.ts'

/** The bytes of a `google.protobuf.Struct`, secrets in their envelopes. Throws TypeError for what is no value of Pulumi. */
export function writeStruct({ values, secrets }: Properties): Buffer {
  const writer = new BackwardWriter()
  writeFields(writer, values, secrets)
  return writer.finish()
}

/**
 * Writes from the last byte to the first: what stands inside a field is there before its length has to be known, and
 * nothing is measured or copied twice.
 */
class BackwardWriter {
  #bytes = Buffer.allocUnsafe(1024)
  #at = 1024

  /** How many bytes there are. */
  get length(): number {
    return this.#bytes.length - this.#at
  }

  byte(value: number): void {
    this.#take(1)
    this.#bytes[this.#at] = value
  }

  /** Tags and lengths. */
  varint(value: number): void {
    if (value < 0x80) {
      this.byte(value)
      return
    }
    const groups: number[] = []
    for (let rest = value; rest > 0; rest = Math.floor(rest / 128)) groups.push(rest % 128)
    for (let i = groups.length - 1; i >= 0; i--) this.byte((groups[i] ?? 0) | (i === groups.length - 1 ? 0 : 0x80))
  }

  double(value: number): void {
    this.#take(8)
    this.#bytes.writeDoubleLE(value, this.#at)
  }

  text(text: string, tag: number): void {
    const length = Buffer.byteLength(text, 'utf8')
    this.#take(length)
    this.#bytes.write(text, this.#at, length, 'utf8')
    this.varint(length)
    this.byte(tag)
  }

  finish(): Buffer {
    return this.#bytes.subarray(this.#at)
  }

  #take(count: number): void {
    if (this.#at < count) {
      const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + count))
      const at = larger.length - this.length
      this.#bytes.copy(larger, at, this.#at)
      this.#bytes = larger
      this.#at = at
    }
    this.#at -= count
  }
}

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

/** Closes what was written since `before` as a field. */
function close(writer: BackwardWriter, before: number, tag: number): void {
  writer.varint(writer.length - before)
  writer.byte(tag)
}

function writeFields(writer: BackwardWriter, values: Values, secrets: Marks | null): void {
  for (const [key, value] of Object.entries(values).reverse()) {
    const marks = secrets instanceof Map ? (secrets.get(key) ?? null) : null
    writeEntry(writer, key, () => writeMarked(writer, value, marks, ENTRY_VALUE))
  }
}

function writeEntry(writer: BackwardWriter, key: string, value: () => void): void {
  const before = writer.length
  value()
  writer.text(key, ENTRY_KEY)
  close(writer, before, FIELDS)
}

function writeMarked(writer: BackwardWriter, value: Value, marks: Marks | null, tag: number): void {
  const before = writer.length
  if (marks === 'secret') {
    writeEntry(writer, 'value', () => writeMarked(writer, value, null, ENTRY_VALUE))
    writeEntry(writer, SIGNATURE, () => writeMarked(writer, SECRET, null, ENTRY_VALUE))
    close(writer, before, STRUCT)
  } else writeValue(writer, value, marks)
  close(writer, before, tag)
}

function writeValue(writer: BackwardWriter, value: Value, marks: Marks | null): void {
  if (value === null) {
    writer.byte(0)
    writer.byte(NULL)
  } else if (value === unknown) writer.text(UNKNOWN, TEXT)
  else if (typeof value === 'string') writer.text(value, TEXT)
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

function writeList(writer: BackwardWriter, items: readonly Value[], marks: Marks | null): void {
  const before = writer.length
  for (let i = items.length - 1; i >= 0; i--)
    writeMarked(writer, items[i] ?? null, marks instanceof Map ? (marks.get(i) ?? null) : null, FIELDS)
  close(writer, before, LIST)
}
