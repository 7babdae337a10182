import type { SourceSpan } from './template-error.ts'
import { TemplateFailure } from './template-error.ts'
import { type ReservedWord, reservedWords, type StringPart, symbols, type Token, type TokenSymbol } from './token.ts'

const blank = /(?:[ \t\n\r\f\v]|#[^\n]*)*/y
const identifier = /\$?[A-Za-z][A-Za-z0-9_$-]*|\$/y
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const quotedKey = /'[^'{]*'/y
const plainText = /[^"\\{]+/y

const escapes = new Map([
  ['"', '"'], ['\\', '\\'], ['b', '\b'], ['f', '\f'], ['n', '\n'], ['r', '\r'], ['t', '\t'], ['{', '{'], ['/', '\\/'],
]) // biome-ignore format: a table

/** How deep strings may stand in interpolations of strings. */
const maxDepth = 100

/** Returns all tokens of a template, with an `end` last. Throws TemplateFailure: Lex Error. */
export function lex(template: string): readonly Token[] {
  return new Lexer(template).tokens(0, 0)
}

class Lexer {
  readonly #text: string
  #at = 0
  readonly #lineStarts: number[] = [0]

  constructor(text: string) {
    this.#text = text
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#lineStarts.push(at + 1)
  }

  /** `open`: how many `{{` are open. One that is closed below where it began ends the tokens: an interpolation's. */
  tokens(open: number, depth: number): readonly Token[] {
    const least = open
    const tokens: Token[] = []
    for (;;) {
      this.#match(blank)
      const start = this.#at
      if (start === this.#text.length) {
        tokens.push({ kind: 'end', text: '', span: this.#span(start, start) })
        return tokens
      }
      if (open > 0 && this.#text.startsWith('}}', start)) {
        this.#at += 2
        open--
        if (open < least) {
          tokens.push({ kind: 'end', text: '}}', span: this.#span(start, this.#at) })
          return tokens
        }
        tokens.push(this.#symbol('}}', start))
        continue
      }
      const token = this.#token(depth)
      if (token.kind === 'symbol' && token.symbol === '{{') open++
      tokens.push(token)
    }
  }

  #token(depth: number): Token {
    const start = this.#at
    if (this.#text[start] === '"') return this.#string(depth)
    const key = this.#match(quotedKey)
    if (key !== null) return { kind: 'key', key: key.slice(1, -1), text: key, span: this.#span(start, this.#at) }
    const digits = this.#match(number)
    if (digits !== null) return { kind: 'number', text: digits, span: this.#span(start, this.#at) }
    const name = this.#match(identifier)
    if (name !== null) {
      const span = this.#span(start, this.#at)
      return isReserved(name)
        ? { kind: 'word', word: name, text: name, span }
        : { kind: 'identifier', name, text: name, span }
    }
    const symbol = symbols.find((candidate) => this.#text.startsWith(candidate, start))
    if (symbol === undefined) this.#fail(start)
    this.#at += symbol.length
    return this.#symbol(symbol, start)
  }

  #symbol(symbol: TokenSymbol, start: number): Token {
    return { kind: 'symbol', symbol, text: symbol, span: this.#span(start, this.#at) }
  }

  #string(depth: number): Token {
    const start = this.#at
    if (depth > maxDepth) this.#fail(start)
    this.#at++
    const parts: StringPart[] = []
    let text = ''
    for (;;) {
      text += this.#match(plainText) ?? ''
      const character = this.#text[this.#at]
      if (character === undefined) this.#fail(start)
      if (character === '"') break
      if (character === '\\') text += this.#escape()
      else if (this.#text[this.#at + 1] === '{') {
        if (text !== '') parts.push({ kind: 'text', text })
        text = ''
        const from = this.#at
        this.#at += 2
        parts.push({ kind: 'tokens', tokens: this.#interpolation(start, depth), span: this.#span(from, this.#at) })
      } else {
        text += character
        this.#at++
      }
    }
    this.#at++
    if (text !== '') parts.push({ kind: 'text', text })
    return { kind: 'string', parts, text: this.#text.slice(start, this.#at), span: this.#span(start, this.#at) }
  }

  #interpolation(stringStart: number, depth: number): readonly Token[] {
    const tokens = this.tokens(1, depth + 1)
    if (tokens.at(-1)?.text !== '}}') this.#fail(stringStart)
    return tokens
  }

  #escape(): string {
    const code = this.#text[this.#at + 1] ?? ''
    if (code === 'u') {
      const digits = this.#text.slice(this.#at + 2, this.#at + 6)
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.#fail(this.#at)
      this.#at += 6
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    const meant = escapes.get(code)
    if (meant === undefined) this.#fail(this.#at)
    this.#at += 2
    return meant
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found === undefined) return null
    this.#at += found.length
    return found
  }

  #fail(at: number): never {
    throw new TemplateFailure('Lex Error', `Invalid Lexeme: '${this.#text}'`, this.#span(at, this.#text.length))
  }

  #span(start: number, end: number): SourceSpan {
    const [startLine, startColumn] = this.#place(start)
    const [endLine, endColumn] = this.#place(end)
    return { start_line: startLine, start_column: startColumn, end_line: endLine, end_column: endColumn }
  }

  #place(at: number): readonly [line: number, column: number] {
    let line = 0
    let after = this.#lineStarts.length
    while (after - line > 1) {
      const middle = (line + after) >> 1
      if ((this.#lineStarts[middle] ?? 0) <= at) line = middle
      else after = middle
    }
    return [line, at - (this.#lineStarts[line] ?? 0) + 1]
  }
}

const isReserved = (name: string): name is ReservedWord => (reservedWords as readonly string[]).includes(name)
