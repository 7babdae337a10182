/** T-SQL in tokens: what the statement oracle and the test double's parser read. */

export type Token =
  /** An identifier or key word without quotes, `#temp` and `@variable` included; `key` is its upper-case form. */
  | { readonly kind: 'word'; readonly text: string; readonly key: string; readonly start: number }
  | { readonly kind: 'quoted'; readonly text: string; readonly start: number }
  | { readonly kind: 'string'; readonly text: string; readonly isNational: boolean; readonly start: number }
  | { readonly kind: 'number'; readonly text: string; readonly start: number }
  | { readonly kind: 'binary'; readonly text: string; readonly start: number }
  | { readonly kind: 'symbol'; readonly text: string; readonly start: number }

/** Thrown where a statement is no T-SQL; `near` is the text that a server's error 102 would name. */
export class NotTransactSql extends Error {
  readonly near: string
  constructor(problem: string, near: string) {
    super(problem)
    this.near = near
  }
}

const SPACE = /(?:[\s\u00a0\ufeff]+|--[^\n]*)+/y
const WORD = /[\p{L}_#@][\p{L}\p{N}_#@$]*/uy
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d*)?/y
const BINARY = /0[xX][0-9a-fA-F]*/y
const MONEY = /\$(?=[\d.])/y
const SYMBOL = /<>|<=|>=|!=|!<|!>|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|::|\|\||[-+*/%&|^~=<>(),.;:$?]/y

/** Splits a batch into tokens; comments nest, as on the server. Throws NotTransactSql for what no server reads. */
export function tokenize(sql: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    return pattern.exec(sql)?.[0] ?? null
  }
  const quoted = (from: number, close: string, what: string): string => {
    let end = from
    for (;;) {
      end = sql.indexOf(close, end)
      if (end < 0) throw new NotTransactSql(`unclosed ${what} at ${from}`, sql.slice(from, from + 20))
      if (sql[end + 1] !== close) break
      end += 2
    }
    at = end + 1
    return sql.slice(from, end).replaceAll(close + close, close)
  }
  while (at < sql.length) {
    const start = at
    const space = match(SPACE)
    if (space !== null) {
      at += space.length
      continue
    }
    if (sql.startsWith('/*', at)) {
      at = endOfComment(sql, at)
      continue
    }
    const char = sql[at] ?? ''
    if (char === '[') tokens.push({ kind: 'quoted', text: quoted(at + 1, ']', 'identifier'), start })
    else if (char === '"') tokens.push({ kind: 'quoted', text: quoted(at + 1, '"', 'identifier'), start })
    else if (char === "'")
      tokens.push({ kind: 'string', text: quoted(at + 1, "'", 'string'), isNational: false, start })
    else if (/[nN]/.test(char) && sql[at + 1] === "'")
      tokens.push({ kind: 'string', text: quoted(at + 2, "'", 'string'), isNational: true, start })
    else {
      const [kind, text] = plainToken(match)
      if (text === '') throw new NotTransactSql(`no token at ${at}: ${sql.slice(at, at + 20)}`, char)
      at += text.length
      if (kind === 'word') tokens.push({ kind, text, key: text.toUpperCase(), start })
      else tokens.push({ kind, text, start })
    }
  }
  return tokens
}

function plainToken(match: (pattern: RegExp) => string | null): ['word' | 'number' | 'binary' | 'symbol', string] {
  const binary = match(BINARY)
  if (binary !== null) return ['binary', binary]
  const number = match(NUMBER)
  if (number !== null) return ['number', number]
  const word = match(WORD)
  if (word !== null) return ['word', word]
  return ['symbol', match(MONEY) ?? match(SYMBOL) ?? '']
}

function endOfComment(sql: string, start: number): number {
  let depth = 0
  for (let at = start; at < sql.length; at++) {
    if (sql.startsWith('/*', at)) depth++
    else if (sql.startsWith('*/', at)) depth--
    else continue
    at++
    if (depth === 0) return at + 1
  }
  throw new NotTransactSql(`unclosed comment at ${start}`, sql.slice(start, start + 20))
}

export const isWord = (token: Token | undefined, ...keys: readonly string[]): boolean =>
  token?.kind === 'word' && keys.includes(token.key)

export const isSymbol = (token: Token | undefined, text: string): boolean =>
  token?.kind === 'symbol' && token.text === text
