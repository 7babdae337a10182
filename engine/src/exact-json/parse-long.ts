import { exactNumber } from '@svc/schema'
import type { LongWork } from '../long-work.ts'
import { addLate, LateLists } from './late-lists.ts'
import { LONG, markLong } from './long-json.ts'
import { readShort } from './read-short.ts'

/**
 * JSON of any size, as `parseExactly` reads it, in pieces: JSON.parse takes 50 ms for an object of 100,000 keys and
 * several times that where numbers keep their digits. Short containers in it are read by JSON.parse, in a tenth of the
 * time. Wants UTF-8. Throws SyntaxError, and what `tooMany` makes once there are more values than `most` (commas and
 * opening brackets are counted).
 * `late`: the lists whose members are parsed when they are read.
 */
export function* parseLong(
  bytes: Buffer,
  most: number,
  tooMany: () => Error,
  late: LateLists = none,
): LongWork<unknown> {
  const reader: Reader = { bytes, at: 0, quote: -1, backslash: -1, odd: 0 }
  const open: Frame[] = []
  const members = late.begin(bytes)
  let count = 1
  let units = 0
  // containers that begin before it are not short, or in one that is not
  let searched = 0
  for (;;) {
    yield* skipSpace(reader)
    const start = reader.at
    const byte = bytes[start]
    let value: unknown
    const isContainer = byte === openingBracket || byte === openingBrace
    const parent = open.at(-1)
    const isLate = isContainer && parent?.kind === 'list' && parent.isLate && parent.of.length >= FIRST
    const member = isLate ? members.read(start) : null
    const short = member ?? (isContainer && start >= searched ? readShort(bytes, start, UNITS) : null)
    if (typeof short === 'number') searched = short
    if (typeof short === 'object' && short !== null) {
      count += short.values
      if (count > most) throw tooMany()
      if (units + short.values > UNITS) {
        yield units
        units = 0
      }
      units += short.values - 1
      reader.at += short.length
      if (short.isOdd) reader.odd++
      if (parent && parent.levels <= short.levels) parent.levels = short.levels + 1
      value = 'of' in short ? short.of : null
    } else if (isContainer) {
      if (++count > most) throw tooMany()
      // 100,000 of them can open before the first is closed
      if (++units >= UNITS) {
        yield units
        units = 0
      }
      reader.at++
      yield* skipSpace(reader)
      const frame: Frame =
        byte === openingBracket
          ? {
              kind: 'list',
              of: [],
              isLate: parent?.kind === 'object' && late.keys.has(parent.key),
              start,
              levels: 1,
              odd: reader.odd,
            }
          : { kind: 'object', of: {}, key: '', start, levels: 1, odd: reader.odd }
      const isEmpty = bytes[reader.at] === (byte === openingBracket ? closingBracket : closingBrace)
      if (!isEmpty) {
        open.push(frame)
        if (frame.kind === 'object') yield* readKey(reader, frame)
        continue
      }
      reader.at++
      value = frame.of
    } else value = byte === quote ? yield* readText(reader) : readWord(reader)
    for (;;) {
      const frame = open.at(-1)
      if (!frame) {
        yield* skipSpace(reader)
        if (reader.at < bytes.length) throw unexpected(reader)
        members.end()
        return value
      }
      if (member && frame === parent && frame.kind === 'list') addLate(frame.of, member, bytes, start)
      else put(frame, value)
      if (++units >= UNITS) {
        yield units
        units = 0
      }
      yield* skipSpace(reader)
      const after = bytes[reader.at]
      if (after === comma) {
        if (++count > most) throw tooMany()
        reader.at++
        if (frame.kind === 'object') yield* readKey(reader, frame)
        break
      }
      if (after !== (frame.kind === 'list' ? closingBracket : closingBrace)) throw unexpected(reader)
      reader.at++
      open.pop()
      const size = reader.at - frame.start
      if (size > LONG) markLong(frame.of, { levels: frame.levels, size, isPlain: reader.odd === frame.odd })
      const around = open.at(-1)
      if (around && around.levels <= frame.levels) around.levels = frame.levels + 1
      value = frame.of
    }
  }
}

const none = new LateLists([])

/** Members of a list that are parsed at once wherever they stand. */
const FIRST = 64

const quote = 34
const comma = 44
const colon = 58
const openingBracket = 91
const backslash = 92
const closingBracket = 93
const letterU = 117
const openingBrace = 123
const closingBrace = 125

/** Values between two yields: some 50 µs. */
const UNITS = 256
/** Bytes of text between two yields, of which each kilobyte is a unit. */
const PIECE = 65_536
/** PostgreSQL's longest has 150,000 digits; JavaScript checks a number's digits at once. */
const LONGEST_NUMBER = 1_048_576

interface Reader {
  readonly bytes: Buffer
  at: number
  /** The next ones, where they were searched for last; the end where there is none. */
  quote: number
  backslash: number
  /** Escapes by number and numbers with all their digits so far. */
  odd: number
}

/** `odd`: of the reader, where the container begins. */
type Frame = { readonly start: number; levels: number; readonly odd: number } & (
  | { readonly kind: 'list'; readonly of: unknown[]; readonly isLate: boolean }
  | { readonly kind: 'object'; readonly of: Record<string, unknown>; key: string }
)

function put(frame: Frame, value: unknown): void {
  if (frame.kind === 'list') frame.of.push(value)
  else if (frame.key === '__proto__')
    Object.defineProperty(frame.of, frame.key, { value, enumerable: true, configurable: true, writable: true })
  else frame.of[frame.key] = value
}

const unexpected = ({ at }: Reader) => new SyntaxError(`unexpected token or end at byte ${at}`)

function* skipSpace(reader: Reader): LongWork<void> {
  const { bytes } = reader
  let end = reader.at + PIECE
  for (;;) {
    const byte = bytes[reader.at]
    if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) return
    if (++reader.at < end) continue
    yield PIECE / 1024
    end += PIECE
  }
}

function* readKey(reader: Reader, frame: Frame & { readonly kind: 'object' }): LongWork<void> {
  yield* skipSpace(reader)
  if (reader.bytes[reader.at] !== quote) throw unexpected(reader)
  frame.key = yield* readText(reader)
  yield* skipSpace(reader)
  if (reader.bytes[reader.at] !== colon) throw unexpected(reader)
  reader.at++
}

/** Pieces are read by JSON.parse, which refuses control characters and wrong escapes. */
function* readText(reader: Reader): LongWork<string> {
  const { bytes } = reader
  let text = ''
  let from = reader.at + 1
  for (let at = from; ; ) {
    const isLong = bytes.length - at > SOUGHT
    if (reader.quote < at) reader.quote = isLong ? yield* indexOfLong(bytes, quote, at) : indexOf(bytes, quote, at)
    if (reader.backslash < at)
      reader.backslash = isLong ? yield* indexOfLong(bytes, backslash, at) : indexOf(bytes, backslash, at)
    const isEscape = reader.backslash < reader.quote
    // no piece ends inside an escape or a character
    const safe = isEscape ? reader.backslash : reader.quote
    while (safe - from > PIECE) {
      let to = from + PIECE
      while (((bytes[to] ?? 0) & 0xc0) === 0x80) to--
      text += pieceOf(bytes, from, Math.max(to, at))
      from = Math.max(to, at)
      at = from
      yield PIECE / 1024
    }
    if (!isEscape) {
      if (reader.quote >= bytes.length) throw unexpected({ ...reader, at: bytes.length })
      reader.at = reader.quote + 1
      return text + pieceOf(bytes, from, reader.quote)
    }
    const isByNumber = bytes[reader.backslash + 1] === letterU
    if (isByNumber) reader.odd++
    at = reader.backslash + (isByNumber ? 6 : 2)
  }
}

/** The end where there is none. */
function indexOf(bytes: Buffer, byte: number, from: number): number {
  const found = bytes.indexOf(byte, from)
  return found < 0 ? bytes.length : found
}

/** The same, 4 MB at a time: 250 take 25 ms. */
function* indexOfLong(bytes: Buffer, byte: number, from: number): LongWork<number> {
  for (let start = from; start < bytes.length; start += SOUGHT) {
    const found = bytes.subarray(start, start + SOUGHT).indexOf(byte)
    if (found >= 0) return start + found
    yield SOUGHT / 65_536
  }
  return bytes.length
}

const SOUGHT = 4_194_304

const pieceOf = (bytes: Buffer, from: number, to: number): string =>
  JSON.parse(`"${bytes.toString('utf8', from, to)}"`) as string

function readWord(reader: Reader): unknown {
  const { bytes, at } = reader
  let end = at
  // letters, digits, signs and points
  while (isOfWord(bytes[end] ?? 0)) end++
  if (end - at > LONGEST_NUMBER) throw new SyntaxError(`a number of more than ${LONGEST_NUMBER} characters`)
  const word = bytes.toString('latin1', at, end)
  reader.at = end
  if (isNumber.test(word)) {
    if (word.length < 16 && !/e/i.test(word)) return Number(word)
    reader.odd++
    return exactNumber(word)
  }
  if (!Object.hasOwn(words, word)) throw unexpected({ ...reader, at })
  return words[word]
}

const isOfWord = (byte: number) =>
  (byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 122) || byte === 43 || byte === 45 || byte === 46 || byte === 69

const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }
