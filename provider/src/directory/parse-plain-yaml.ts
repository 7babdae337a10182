import type { Json } from '@svc/schema'

/**
 * Reads block YAML as an export writes it, twenty times as fast as the `yaml` library: lists and maps indented by 2, a
 * scalar a line. Undefined for whatever else YAML may say (flow collections, comments but at the top, texts of several lines,
 * anchors, tags, odd keys or indents, mistakes): the library reads that. What it returns is what the library does.
 */
export function parsePlainYaml(text: string): Json | undefined {
  const reader = new PlainReader(text)
  const json = reader.readDocument()
  return json === notPlain ? undefined : json
}

const notPlain = Symbol('not plain')
type Read<T extends Json = Json> = T | typeof notPlain

const lineFeed = 10
const space = 32
const doubleQuote = 34
const hash = 35
const singleQuote = 39
const dash = 45
const colon = 58
/** Deeper ones are left to the library, which bounds them. */
const deepest = 100

class PlainReader {
  readonly #text: string
  /** The first character behind the indent of a line, or behind the dash of an item. */
  #at = 0

  constructor(text: string) {
    this.#text = text.endsWith('\n') ? text : `${text}\n`
  }

  readDocument(): Read {
    while (this.#text.charCodeAt(this.#at) === hash) if (!this.#skipComment()) return notPlain
    if (this.#at >= this.#text.length) return notPlain
    const json = this.#readBlock(0)
    return this.#at === this.#text.length ? json : notPlain
  }

  #skipComment(): boolean {
    const end = this.#text.indexOf('\n', this.#at)
    if (!isPrintable.test(this.#text.slice(this.#at, end))) return false
    this.#at = end + 1
    return true
  }

  #readBlock(indent: number): Read {
    if (indent > 2 * deepest) return notPlain
    return this.#isItem() ? this.#readList(indent) : this.#readMap(indent)
  }

  #isItem(): boolean {
    return this.#text.charCodeAt(this.#at) === dash && this.#text.charCodeAt(this.#at + 1) === space
  }

  #readList(indent: number): Read<readonly Json[]> {
    const items: Json[] = []
    for (;;) {
      if (!this.#isItem()) return notPlain
      this.#at += 2
      const item = this.#isItem() || this.#isKey() ? this.#readBlock(indent + 2) : this.#readScalar()
      if (item === notPlain) return notPlain
      items.push(item)
      const next = this.#nextIndent()
      if (next < indent) return items
      if (next > indent) return notPlain
      this.#at += indent
    }
  }

  #readMap(indent: number): Read<{ readonly [key: string]: Json }> {
    const map: Record<string, Json> = {}
    for (;;) {
      const end = this.#keyEnd()
      if (end === this.#at) return notPlain
      const key = this.#text.slice(this.#at, end)
      if (!isPlainKey(key) || Object.hasOwn(map, key)) return notPlain
      const value = this.#readValue(end + 1, indent)
      if (value === notPlain) return notPlain
      map[key] = value
      const next = this.#nextIndent()
      if (next < indent) return map
      if (next > indent) return notPlain
      this.#at += indent
    }
  }

  /** What follows a colon: on its line a scalar, below it a block. */
  #readValue(at: number, indent: number): Read {
    const next = this.#text.charCodeAt(at)
    this.#at = at + 1
    if (next === space) return this.#readScalar()
    if (next !== lineFeed || this.#nextIndent() !== indent + 2) return notPlain
    this.#at += indent + 2
    return this.#readBlock(indent + 2)
  }

  /** Where a plain key ends, that is its colon; where it begins, if there is none. */
  #keyEnd(): number {
    let at = this.#at
    while (isOfKey[this.#text.charCodeAt(at)] === 1) at++
    return this.#text.charCodeAt(at) === colon ? at : this.#at
  }

  #isKey(): boolean {
    const end = this.#keyEnd()
    if (end === this.#at) return false
    const next = this.#text.charCodeAt(end + 1)
    return next === space || next === lineFeed
  }

  /** How far the line is indented that begins here; -1 at the end. */
  #nextIndent(): number {
    let at = this.#at
    while (this.#text.charCodeAt(at) === space) at++
    return at === this.#text.length ? -1 : at - this.#at
  }

  /** To the end of the line. */
  #readScalar(): Read {
    const end = this.#text.indexOf('\n', this.#at)
    const text = this.#text.slice(this.#at, end)
    this.#at = end + 1
    const known = scalars.get(text)
    if (known !== undefined) return known
    const value = scalarOf(text)
    if (value !== notPlain && typeof value !== 'object' && text.length < 100) {
      if (scalars.size >= mostScalars) scalars.clear()
      scalars.set(text, value)
    }
    return value
  }
}

/** The same texts come again and again: names of columns, of roles. */
const scalars = new Map<string, Json>()
const mostScalars = 10_000

const keys = new Set<string>()

function isPlainKey(key: string): boolean {
  if (keys.has(key)) return true
  if (isOddKey.test(key)) return false
  if (keys.size >= mostScalars) keys.clear()
  keys.add(key)
  return true
}

function scalarOf(text: string): Read {
  const first = text.charCodeAt(0)
  if (first === doubleQuote && isDoubleQuoted.test(text))
    return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1)
  if (first === singleQuote && isSingleQuoted.test(text)) return text.slice(1, -1)
  if (isPlain.test(text) && !meansMore.test(text)) return holdsMore.test(text) ? notPlain : text
  if (isNumber.test(text) && text !== '-0') return Number(text)
  switch (text) {
    case 'null':
      return null
    case 'true':
      return true
    case 'false':
      return false
    case '[]':
      return []
    case '{}':
      return {}
    default:
      return notPlain
  }
}

/** No more digits than JavaScript keeps. */
const isNumber = /^-?(?:0|[1-9]\d{0,14}|(?:0|[1-9]\d{0,6})\.\d{1,7})$/
/** Without characters that end a line or that YAML forbids. */
const isPrintable = /^[ -~\u00a1-\u1fff\u3040-\ud7ff]*$/
const isDoubleQuoted = /^"(?:[ !#-[\]-~\u00a1-\u1fff\u3040-\ud7ff]|\\["\\/bfnrt])*"$/
const isSingleQuoted = /^'[ -&(-~\u00a1-\u1fff\u3040-\ud7ff]*'$/
/** Begins with nothing that means more to YAML. */
const isPlain = /^[A-Za-z_$/][ -~\u00a1-\u1fff\u3040-\ud7ff]*$/
/** A colon before a space is a key's, a hash behind one a comment's. */
const holdsMore = /:(?: |$)| (?:#|$)/
const meansMore = /^(?:y|yes|n|no|true|false|on|off|null|nan|inf)$/i
const isOddKey = /^(?:[^A-Za-z_$]|(?:y|yes|n|no|true|false|on|off|null|nan|inf|__proto__)$)/i
const isOfKey = Uint8Array.from({ length: 128 }, (_, code) => (/[\w$./-]/.test(String.fromCharCode(code)) ? 1 : 0))
