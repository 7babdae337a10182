import { exactNumber } from '../exact-json/index.ts'
import type { Access, Expression, Operator } from './syntax-tree.ts'
import { type SourceSpan, TemplateFailure } from './template-error.ts'
import type { ReservedWord, Token, TokenSymbol } from './token.ts'

const maxDepth = 300

/**
 * Tokens to a tree, by the grammar of reference/transforms#the-template-language. Throws TemplateFailure: Parse Error
 * at the unexpected token.
 */
export function parse(tokens: readonly Token[], depth = 0): Expression {
  const first = tokens[0]
  if (!first || first.kind === 'end') {
    const span = first?.span ?? { start_line: 0, start_column: 1, end_line: 0, end_column: 1 }
    throw new TemplateFailure('Parse Error', 'ParseError: Empty token stream.', span)
  }
  const parser = new Parser(tokens, depth)
  const expression = parser.expression()
  parser.end()
  return expression
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth: number

  constructor(tokens: readonly Token[], depth: number) {
    this.#tokens = tokens
    this.#depth = depth
  }

  end(): void {
    if (this.#token().kind !== 'end') this.#unexpected()
  }

  expression(): Expression {
    this.#depth++
    if (this.#depth > maxDepth)
      throw new TemplateFailure('Parse Error', `more than ${maxDepth} levels`, this.#token().span)
    const expression = this.#expression()
    this.#depth--
    return expression
  }

  #expression(): Expression {
    const start = this.#token()
    if (this.#skipWord('not')) {
      const of = this.expression()
      return { kind: 'not', of, span: join(start.span, of.span) }
    }
    if (isSymbol(start, '{{') && !this.#isBlock()) {
      this.#at++
      const inner = this.expression()
      this.#symbol('}}')
      return inner
    }
    if (start.kind === 'identifier' && isSymbol(this.#token(1), '(')) {
      this.#at += 2
      const argument = this.expression()
      return { kind: 'call', name: start.name, argument, span: join(start.span, this.#symbol(')').span) }
    }
    const left = this.#atom()
    const operator = operatorOf(this.#token())
    if (operator === null) return left
    this.#at++
    const right = this.#atom()
    return { kind: 'operation', operator, left, right, span: join(left.span, right.span) }
  }

  #atom(): Expression {
    let atom = this.#primary()
    for (let level = this.#depth; ; level++) {
      const from = atom.span
      // each is evaluated inside of the next
      if (level > maxDepth) throw new TemplateFailure('Parse Error', `more than ${maxDepth} levels`, this.#token().span)
      if (this.#skipSymbol('?')) {
        const accesses: Access[] = []
        for (let access = this.#access(); access !== null; access = this.#access()) accesses.push(access)
        atom = { kind: 'optional', of: atom, accesses, span: join(from, this.#token(-1).span) }
      } else {
        const access = this.#access()
        if (access === null) return atom
        atom = { kind: 'access', of: atom, access, span: join(from, this.#token(-1).span) }
      }
    }
  }

  #access(): Access | null {
    if (this.#skipSymbol('.')) {
      const name = this.#token()
      if (name.kind !== 'identifier') this.#unexpected()
      this.#at++
      return { kind: 'key', key: name.name }
    }
    if (!this.#skipSymbol('[')) return null
    const quoted = this.#token()
    if (quoted.kind === 'key') {
      this.#at++
      this.#symbol(']')
      return { kind: 'key', key: quoted.key }
    }
    this.#depth++
    const index = this.#atom()
    this.#depth--
    this.#symbol(']')
    return { kind: 'index', index }
  }

  #primary(): Expression {
    const token = this.#token()
    const { span } = token
    switch (token.kind) {
      case 'identifier':
        this.#at++
        return { kind: 'variable', name: token.name, span }
      case 'number':
        this.#at++
        return { kind: 'literal', value: exactNumber(token.text), span }
      case 'string':
        this.#at++
        return this.#string(token)
      case 'word':
        return this.#word(token.word, span)
      case 'symbol':
        return this.#bracketed(token.symbol, span)
      case 'key':
      case 'end':
        return this.#unexpected()
    }
  }

  #string(token: Token & { kind: 'string' }): Expression {
    const parts = token.parts.map((part) => (part.kind === 'text' ? part.text : parse(part.tokens, this.#depth + 1)))
    const [only] = parts
    if (parts.length === 0 || (parts.length === 1 && typeof only === 'string'))
      return { kind: 'literal', value: typeof only === 'string' ? only : '', span: token.span }
    return { kind: 'string', parts, span: token.span }
  }

  #word(word: ReservedWord, span: SourceSpan): Expression {
    if (word !== 'true' && word !== 'false' && word !== 'null') return this.#unexpected()
    this.#at++
    return { kind: 'literal', value: word === 'null' ? null : word === 'true', span }
  }

  #bracketed(symbol: TokenSymbol, span: SourceSpan): Expression {
    if (symbol === '(') {
      this.#at++
      const inner = this.expression()
      return { ...inner, span: join(span, this.#symbol(')').span) }
    }
    if (symbol === '[') {
      this.#at++
      const items = this.#list(']', () => this.expression())
      return { kind: 'array', items, span: join(span, this.#token(-1).span) }
    }
    if (symbol === '{') {
      this.#at++
      // the first of two equal keys counts
      const entries = this.#list('}', () => this.#entry()).filter(unseen())
      return { kind: 'object', entries, span: join(span, this.#token(-1).span) }
    }
    if (symbol !== '{{') return this.#unexpected()
    return isWord(this.#token(1), 'range') ? this.#range(span) : this.#if(span)
  }

  #list<T>(close: ']' | '}', item: () => T): readonly T[] {
    if (this.#skipSymbol(close)) return []
    const items = [item()]
    while (this.#skipSymbol(',')) items.push(item())
    this.#symbol(close)
    return items
  }

  /** Keys are plain text. */
  #entry(): readonly [string, Expression] {
    const key = this.#token()
    if (key.kind !== 'string' || key.parts.some((part) => part.kind === 'tokens')) this.#unexpected()
    this.#at++
    this.#symbol(':')
    return [key.parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''), this.expression()]
  }

  #isBlock(): boolean {
    return isWord(this.#token(1), 'range') || isWord(this.#token(1), 'if')
  }

  #range(start: SourceSpan): Expression {
    this.#at += 2
    const index = this.#skipSymbol('_') ? null : this.#identifier()
    this.#symbol(',')
    const item = this.#identifier()
    this.#symbol(':=')
    const over = this.expression()
    this.#symbol('}}')
    const body = this.expression()
    this.#symbol('{{')
    this.#wordOf('end')
    return { kind: 'range', index, item, over, body, span: join(start, this.#symbol('}}').span) }
  }

  #if(start: SourceSpan): Expression {
    this.#symbol('{{')
    this.#wordOf('if')
    const branches = [this.#branch()]
    for (;;) {
      this.#symbol('{{')
      if (!this.#skipWord('elif')) break
      branches.push(this.#branch())
    }
    this.#wordOf('else')
    this.#symbol('}}')
    const otherwise = this.expression()
    this.#symbol('{{')
    this.#wordOf('end')
    return { kind: 'if', branches, otherwise, span: join(start, this.#symbol('}}').span) }
  }

  #branch() {
    const condition = this.expression()
    this.#symbol('}}')
    return { condition, result: this.expression() }
  }

  #identifier(): string {
    const token = this.#token()
    if (token.kind !== 'identifier') this.#unexpected()
    this.#at++
    return token.name
  }

  #symbol(symbol: TokenSymbol): Token {
    const token = this.#token()
    if (!isSymbol(token, symbol)) this.#unexpected()
    this.#at++
    return token
  }

  #wordOf(word: ReservedWord): void {
    if (!this.#skipWord(word)) this.#unexpected()
  }

  #skipSymbol(symbol: TokenSymbol): boolean {
    if (!isSymbol(this.#token(), symbol)) return false
    this.#at++
    return true
  }

  #skipWord(word: ReservedWord): boolean {
    if (!isWord(this.#token(), word)) return false
    this.#at++
    return true
  }

  #token(ahead = 0): Token {
    const token = this.#tokens[this.#at + ahead] ?? this.#tokens.at(-1)
    if (!token) throw new Error('a template has an end token')
    return token
  }

  /** At the end the last real token is shown: an end has no text. */
  #unexpected(): never {
    const token = this.#token()
    const shown = token.kind === 'end' && token.text === '' ? (this.#tokens.at(-2) ?? token) : token
    throw new TemplateFailure('Parse Error', `Unexpected token '${shown.text}'.`, shown.span)
  }
}

function unseen() {
  const seen = new Set<string>()
  return ([key]: readonly [string, Expression]) => seen.size < seen.add(key).size
}

const isSymbol = (token: Token, symbol: TokenSymbol) => token.kind === 'symbol' && token.symbol === symbol
const isWord = (token: Token, word: ReservedWord) => token.kind === 'word' && token.word === word

const operators = new Map<string, Operator>(
  (['==', '!=', '<', '>', '<=', '>=', '&&', '||', 'in', '??'] as const).map((operator) => [operator, operator]),
)

const operatorOf = (token: Token): Operator | null =>
  token.kind === 'symbol' || token.kind === 'word' ? (operators.get(token.text) ?? null) : null

const join = (start: SourceSpan, end: SourceSpan): SourceSpan => ({
  start_line: start.start_line,
  start_column: start.start_column,
  end_line: end.end_line,
  end_column: end.end_column,
})
