/**
 * Stands in for yaml in the page: reads what people write into metadata files (blocks, flow, comments, quotes, texts of several
 * lines, `!include`), and says so where there is more in them: anchors, merges, other tags. A test holds it to what yaml reads.
 */
import { exactDecimal } from '../../schema/src/exact-json/raw-number.ts'

/** For what the plain printer leaves to it: JSON is YAML. */
export const stringify = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

class NotRead extends Error {}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text.replaceAll('\r\n', '\n')
  }

  get line(): number {
    return this.#text.slice(0, this.#at).split('\n').length
  }

  read(): unknown {
    this.#skip()
    if (/^---(?=\s|$)/.test(this.#rest())) {
      this.#at += 3
      this.#skip()
    }
    const value = this.#readNode(-1)
    this.#skip()
    if (!this.#isAtEnd()) this.#refuse('bad indentation, or a second document')
    return value
  }

  #readNode(above: number): unknown {
    const column = this.#column()
    if (this.#isAtEnd() || column <= above) return null
    if (this.#isItem()) return this.#readList(column)
    return this.#isKey() ? this.#readMap(column) : this.#readValue(above)
  }

  #readList(column: number): readonly unknown[] {
    const items: unknown[] = []
    while (this.#isAt(column) && this.#isItem()) {
      this.#at++
      this.#skip()
      items.push(this.#readNode(column))
      this.#skip()
    }
    this.#refuseDeeper(column)
    return items
  }

  #readMap(column: number): Readonly<Record<string, unknown>> {
    const entries = new Map<string, unknown>()
    while (this.#isAt(column) && this.#isKey()) {
      const key = this.#readKey()
      if (key === '<<') this.#refuse('merges are not read by this page')
      if (entries.has(key)) this.#refuse('Map keys must be unique')
      this.#at++
      const isBelow = this.#skip()
      if (isBelow && this.#isAt(column) && this.#isItem()) entries.set(key, this.#readList(column))
      else if (isBelow) entries.set(key, this.#readNode(column))
      else entries.set(key, this.#isAtEnd() ? null : this.#readValue(column))
      this.#skip()
    }
    this.#refuseDeeper(column)
    return Object.fromEntries(entries)
  }

  #readKey(): string {
    const [key = ''] = /^"(?:[^"\\\n]|\\.)*"|^'(?:[^'\n]|'')*'|^[^\n]*?(?=\s*:(?:\s|$))/.exec(this.#rest()) ?? []
    this.#at += key.length
    this.#at = this.#text.indexOf(':', this.#at)
    return key.startsWith('"') ? unescaped(key) : key.startsWith("'") ? unquoted(key) : key
  }

  #readValue(above: number): unknown {
    const rest = this.#rest()
    const [include, path = ''] = /^!include[ \t]+([^\n]*?)[ \t]*(?:[ \t]#[^\n]*)?(?=\n|$)/.exec(rest) ?? []
    if (include !== undefined) {
      this.#at += include.length
      return `!include ${path}`
    }
    if (/^[&*!%@`?](?:[^\s]|\s)/.test(rest) && !/^\?\S/.test(rest))
      this.#refuse('anchors and tags are not read by this page')
    const block = /^([|>])([-+]?)([1-9]?)([-+]?)[ \t]*(?:#[^\n]*)?(?:\n|$)/.exec(rest)
    if (block) {
      this.#at += block[0].length
      return this.#readBlockText(above, block[1] === '>', `${block[2]}${block[4]}`, Number(block[3] || 0))
    }
    if (!/^["'[{]/.test(rest)) return this.#readPlain(above)
    const value = this.#readFlow()
    if (!/^[ \t]*(?:[ \t]#[^\n]*)?(?:\n|$)/.test(this.#rest())) this.#refuse('unexpected text after a value')
    return value
  }

  #readFlow(): unknown {
    const first = this.#text[this.#at]
    if (first === '"' || first === "'") return this.#readQuoted(first)
    if (first === '[') return this.#readFlowItems(']', (items: unknown[]) => items.push(this.#readFlow()), [])
    if (first === '{')
      return Object.fromEntries(
        this.#readFlowItems(
          '}',
          (entries: (readonly [string, unknown])[]) => {
            const key = String(this.#readFlow())
            this.#skip()
            const isNamed = this.#text[this.#at] === ':'
            if (isNamed) this.#at++
            this.#skip()
            const isEmpty = !isNamed || /^[,}]/.test(this.#rest())
            entries.push([key, isEmpty ? null : this.#readFlow()])
          },
          [],
        ),
      )
    const [text = ''] = /^(?:[^,[\]{}\n:#]|:(?![\s,[\]{}]|$)|(?<!\s)#)+/.exec(this.#rest()) ?? []
    if (text === '' || /^[&*!|>%@`]/.test(text)) this.#refuse('this is not read by this page')
    this.#at += text.length
    return scalar(text.trim())
  }

  #readFlowItems<T>(end: string, readItem: (items: T[]) => void, items: T[]): T[] {
    this.#at++
    for (;;) {
      this.#skip()
      if (this.#isAtEnd()) this.#refuse(`"${end}" is missing`)
      if (this.#text[this.#at] === end) break
      readItem(items)
      this.#skip()
      if (this.#text[this.#at] === ',') this.#at++
      else if (this.#text[this.#at] !== end) this.#refuse(`"," or "${end}" is missing`)
    }
    this.#at++
    return items
  }

  #readQuoted(quote: '"' | "'"): string {
    const [text] = (quote === '"' ? /^"(?:[^"\\]|\\[\s\S])*"/ : /^'(?:[^']|'')*'/).exec(this.#rest()) ?? []
    if (text === undefined) return this.#refuse('a quote is missing')
    this.#at += text.length
    const folded = text.replace(
      /[ \t]*\n[ \t]*((?:\n[ \t]*)*)/g,
      (_, more: string) => more.replace(/[ \t]/g, '') || ' ',
    )
    return quote === '"' ? unescaped(folded) : unquoted(folded)
  }

  #readPlain(above: number): unknown {
    const parts: string[] = []
    for (;;) {
      const [text = ''] = /^(?:[^\n:#]|:(?!\s|$)|(?<![\s])#)+/.exec(this.#rest()) ?? []
      this.#at += text.length
      parts.push(text.trim())
      if (/^:/.test(this.#rest())) this.#refuse('a key where none can be')
      const [blank = '', gap = ''] = /^((?:[ \t]*\n)+)[ \t]*(?=[^\s#])/.exec(this.#rest()) ?? []
      const end = this.#at
      this.#at += blank.length
      if (blank === '' || this.#column() <= above || (parts.length === 1 && above < 0 && this.#isItem())) {
        this.#at = end
        break
      }
      parts.push('\n'.repeat(gap.split('\n').length - 2) || ' ')
    }
    return parts.length === 1 ? scalar(parts[0] ?? '') : parts.join('')
  }

  #readBlockText(above: number, isFolded: boolean, chomp: string, given: number): string {
    const lines: string[] = []
    let indent = given > 0 ? Math.max(above, 0) + given : 0
    while (!this.#isAtEnd()) {
      const end = this.#text.indexOf('\n', this.#at)
      const line = this.#text.slice(this.#at, end < 0 ? undefined : end)
      const own = /^ */.exec(line)?.[0].length ?? 0
      const isBlank = line.trim() === ''
      if (!isBlank && indent === 0) indent = own
      if (!isBlank && (own < indent || own <= above)) break
      lines.push(line.slice(indent))
      this.#at = end < 0 ? this.#text.length : end + 1
    }
    let text = isFolded ? folded(lines) : lines.map((line) => `${line}\n`).join('')
    if (chomp !== '+') text = text.replace(/\n+$/, '')
    return chomp === '' && text !== '' ? `${text}\n` : text
  }

  /** To the next token: whether it stands on another line. */
  #skip(): boolean {
    const [space = ''] = /^(?:\s|#[^\n]*)+/.exec(this.#rest()) ?? []
    if (/^[ ]*\t/m.test(space.includes('\n') ? space.slice(space.lastIndexOf('\n')) : ''))
      this.#refuse('Tabs are not allowed as indentation')
    this.#at += space.length
    return space.includes('\n')
  }

  #isItem(): boolean {
    return /^-(?=\s|$)/.test(this.#rest())
  }

  #isKey(): boolean {
    return /^(?:"(?:[^"\\\n]|\\.)*"\s*|'(?:[^'\n]|'')*'\s*|(?![-?]\s)[^\s#"'[\]{},|>&*!%@`](?:[^\n#]|(?<!\s)#)*?):(?:\s|$)/.test(
      this.#rest(),
    )
  }

  #isAt(column: number): boolean {
    return !this.#isAtEnd() && this.#column() === column
  }

  #refuseDeeper(column: number): void {
    if (!this.#isAtEnd() && this.#column() > column) this.#refuse('bad indentation')
  }

  #column(): number {
    return this.#at - this.#text.lastIndexOf('\n', this.#at - 1) - 1
  }

  #isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  #rest(): string {
    return this.#text.slice(this.#at)
  }

  #refuse(message: string): never {
    throw new NotRead(message)
  }
}

/** Lines that are no deeper than the others are one, but for empty ones between them. */
const folded = (lines: readonly string[]): string => {
  let text = ''
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1]
    const joins = line !== '' && next !== undefined && next !== '' && !/^\s/.test(line) && !/^\s/.test(next)
    const before = lines[index - 1]
    const closes = line === '' && before !== undefined && before !== '' && !/^\s/.test(before)
    text +=
      closes && next !== undefined && lines.slice(index).some((one) => one !== '')
        ? ''
        : joins
          ? `${line} `
          : `${line}\n`
  }
  return text
}

const unquoted = (text: string) => text.slice(1, -1).replaceAll("''", "'")

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0', e: '\x1b', a: '\x07', v: '\v', _: '\u00a0', N: '\u0085', L: '\u2028', P: '\u2029' } // biome-ignore format: one line

const unescaped = (text: string) =>
  text
    .slice(1, -1)
    .replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|([\s\S]))/gi, (_, x, u, long, one: string) =>
      one === undefined ? String.fromCodePoint(Number.parseInt(x ?? u ?? long, 16)) : (escapes[one] ?? one),
    )

function scalar(text: string): unknown {
  if (/^(?:|~|null|Null|NULL)$/.test(text)) return null
  if (/^(?:true|True|TRUE)$/.test(text)) return true
  if (/^(?:false|False|FALSE)$/.test(text)) return false
  if (/^0x[\da-f]+$|^0o[0-7]+$/i.test(text)) return Number(text)
  if (/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$/i.test(text)) return exactDecimal(text)
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  return /^\.(?:nan|NaN|NAN)$/.test(text) ? Number.NaN : text
}

/** As far as the directory's reader reads what yaml returns: where a value stands is not known here. */
export function parseDocument(text: string) {
  const reader = new Reader(text)
  const parsed = { errors: [] as object[], contents: null, getIn: () => null, toJS: (): unknown => null }
  try {
    const value = reader.read()
    return { ...parsed, toJS: () => value }
  } catch (error) {
    if (!(error instanceof NotRead)) throw error
    return { ...parsed, errors: [{ message: error.message, linePos: [{ line: reader.line }] }] }
  }
}

/** Of a reader that leaves whatever it does not know to yaml: this one reads all of it. */
export const parsePlainYaml = () => undefined

const no = () => false

export { no as isCollection, no as isNode, no as isPair }
export const visit = no
export class LineCounter {}
