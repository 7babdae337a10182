/** SELECT with all its clauses, FROM with joins and APPLY. */
import { parseExpression, parseOrder, parsePredicate, parseType } from './parse-expression.ts'
import type { Cte, Expression, ForJson, From, JsonColumn, Query, QueryBody, Select, SelectColumn } from './syntax.ts'
import type { TokenCursor } from './token-cursor.ts'

export function parseQuery(cursor: TokenCursor, ctes: readonly Cte[] = parseCtes(cursor)): Query {
  const body = parseBody(cursor)
  const order = cursor.isWord('ORDER') ? parseOrder(cursor) : []
  let offset: Expression | null = null
  let fetch: Expression | null = null
  if (cursor.takeWords('OFFSET')) {
    offset = parseExpression(cursor)
    if (!cursor.takeWords('ROWS')) cursor.expectWords('ROW')
    if (cursor.takeWords('FETCH')) {
      if (!cursor.takeWords('NEXT')) cursor.expectWords('FIRST')
      fetch = parseExpression(cursor)
      if (!cursor.takeWords('ROWS')) cursor.expectWords('ROW')
      cursor.expectWords('ONLY')
    }
  }
  const json = cursor.isWord('FOR') ? parseForJson(cursor) : null
  if (cursor.takeWords('OPTION')) skipParentheses(cursor)
  return { ctes, body, order, offset, fetch, json }
}

export function parseCtes(cursor: TokenCursor): readonly Cte[] {
  if (!cursor.takeWords('WITH')) return []
  return cursor.list(() => {
    const name = cursor.name()
    const columns = cursor.isSymbol('(') ? cursor.names() : null
    cursor.expectWords('AS')
    return { name, columns, query: inParentheses(cursor, () => parseQuery(cursor)) }
  })
}

function parseBody(cursor: TokenCursor): QueryBody {
  let left = parseBranch(cursor)
  for (;;) {
    const operator = cursor.takeWords('UNION', 'ALL')
      ? 'union all'
      : cursor.takeWords('UNION')
        ? 'union'
        : cursor.takeWords('EXCEPT')
          ? 'except'
          : cursor.takeWords('INTERSECT')
            ? 'intersect'
            : null
    if (!operator) return left
    left = { kind: 'set', operator, left, right: parseBranch(cursor) }
  }
}

const parseBranch = (cursor: TokenCursor): QueryBody =>
  cursor.isSymbol('(') ? inParentheses(cursor, () => parseBody(cursor)) : parseSelect(cursor)

function parseSelect(cursor: TokenCursor): Select {
  cursor.expectWords('SELECT')
  const isDistinct = cursor.takeWords('DISTINCT')
  if (!isDistinct) cursor.takeWords('ALL')
  const top = parseTop(cursor)
  const columns = cursor.list(() => parseColumn(cursor))
  const into = cursor.takeWords('INTO') ? cursor.path() : null
  const from = cursor.takeWords('FROM') ? cursor.list(() => parseFrom(cursor)) : []
  const where = cursor.takeWords('WHERE') ? parsePredicate(cursor) : null
  const group = cursor.takeWords('GROUP', 'BY') ? cursor.list(() => parseExpression(cursor)) : []
  const having = cursor.takeWords('HAVING') ? parsePredicate(cursor) : null
  return { kind: 'select', isDistinct, top, columns, into, from, where, group, having }
}

export function parseTop(cursor: TokenCursor): Expression | null {
  if (!cursor.takeWords('TOP')) return null
  if (cursor.isSymbol('(')) return inParentheses(cursor, () => parseExpression(cursor))
  return { kind: 'literal', value: cursor.take().text, type: 'number' }
}

export function parseColumn(cursor: TokenCursor): SelectColumn {
  const first = cursor.peek()
  // SELECT @x = value, and the old way of an alias: SELECT name = value
  if (first?.kind === 'word' && first.text.startsWith('@') && !first.text.startsWith('@@') && cursor.isSymbol('=', 1)) {
    cursor.take()
    cursor.take()
    return { value: parseExpression(cursor), name: null, variable: first.text }
  }
  if (cursor.isName() && cursor.isSymbol('=', 1)) {
    const name = cursor.name()
    cursor.take()
    return { value: parseExpression(cursor), name, variable: null }
  }
  const value = parseExpression(cursor)
  if (cursor.takeWords('AS')) {
    const alias = cursor.peek()
    const name = alias?.kind === 'string' ? cursor.take().text : cursor.name()
    return { value, name, variable: null }
  }
  const isAlias = cursor.isName() && value.kind !== 'star'
  if (isAlias && !isStatementStart(cursor)) return { value, name: cursor.name(), variable: null }
  return { value, name: value.kind === 'column' ? (value.path.at(-1) ?? null) : null, variable: null }
}

/** `THROW` and the like are names elsewhere. */
const isStatementStart = (cursor: TokenCursor): boolean => cursor.isWord('THROW', 'OUTPUT', 'OFFSET')

export function parseFrom(cursor: TokenCursor): From {
  let left = parseTable(cursor)
  for (;;) {
    const type = parseJoinType(cursor)
    if (!type) return left
    const right = parseTable(cursor)
    const hasOn = type === 'inner' || type === 'left' || type === 'right' || type === 'full'
    if (hasOn) cursor.expectWords('ON')
    left = { kind: 'join', type, left, right, on: hasOn ? parsePredicate(cursor) : null }
  }
}

function parseJoinType(cursor: TokenCursor): Extract<From, { kind: 'join' }>['type'] | null {
  if (cursor.takeWords('CROSS', 'APPLY')) return 'cross apply'
  if (cursor.takeWords('OUTER', 'APPLY')) return 'outer apply'
  if (cursor.takeWords('CROSS', 'JOIN')) return 'cross'
  if (cursor.takeWords('JOIN') || cursor.takeWords('INNER', 'JOIN')) return 'inner'
  for (const [word, type] of [
    ['LEFT', 'left'],
    ['RIGHT', 'right'],
    ['FULL', 'full'],
  ] as const)
    if (cursor.takeWords(word, 'OUTER', 'JOIN') || cursor.takeWords(word, 'JOIN')) return type
  return null
}

function parseTable(cursor: TokenCursor): From {
  if (cursor.isSymbol('(')) {
    if (cursor.peek(1)?.kind === 'word' && cursor.peek(1)?.text.toUpperCase() === 'VALUES')
      return parseValuesTable(cursor)
    if (!isQueryInside(cursor)) return inParentheses(cursor, () => parseFrom(cursor))
    const query = inParentheses(cursor, () => parseQuery(cursor))
    cursor.takeWords('AS')
    const alias = cursor.name()
    return { kind: 'derived', query, alias, columns: cursor.isSymbol('(') ? cursor.names() : null }
  }
  if (cursor.isWord('OPENJSON')) return parseOpenJson(cursor)
  // a table variable
  const path = cursor.peek()?.text.startsWith('@') ? [cursor.take().text] : cursor.path()
  parseHints(cursor)
  const alias = parseAlias(cursor)
  parseHints(cursor)
  return { kind: 'table', path, alias }
}

function isQueryInside(cursor: TokenCursor): boolean {
  let ahead = 0
  while (cursor.isSymbol('(', ahead)) ahead++
  const token = cursor.peek(ahead)
  return token?.kind === 'word' && (token.key === 'SELECT' || token.key === 'WITH')
}

function parseAlias(cursor: TokenCursor): string | null {
  if (cursor.takeWords('AS')) return cursor.name()
  return cursor.isName() && !cursor.isWord('OUTPUT', 'OPENJSON', 'OFFSET', 'THROW', 'USING', 'GO')
    ? cursor.name()
    : null
}

/** WITH (UPDLOCK, HOLDLOCK): the double runs one writing transaction at a time. */
export function parseHints(cursor: TokenCursor): void {
  if (cursor.isWord('WITH') && cursor.isSymbol('(', 1)) {
    cursor.take()
    skipParentheses(cursor)
  }
}

function parseValuesTable(cursor: TokenCursor): From {
  const rows = inParentheses(cursor, () => {
    cursor.expectWords('VALUES')
    return parseRows(cursor)
  })
  cursor.takeWords('AS')
  const alias = cursor.name()
  return { kind: 'values', rows, alias, columns: cursor.names() }
}

export const parseRows = (cursor: TokenCursor): readonly (readonly Expression[])[] =>
  cursor.list(() => inParentheses(cursor, () => cursor.list(() => parseExpression(cursor))))

function parseOpenJson(cursor: TokenCursor): From {
  cursor.expectWords('OPENJSON')
  cursor.expectSymbol('(')
  const json = parseExpression(cursor)
  const path = cursor.takeSymbol(',') ? parseExpression(cursor) : null
  cursor.expectSymbol(')')
  const columns = cursor.takeWords('WITH')
    ? inParentheses(cursor, () => cursor.list(() => parseJsonColumn(cursor)))
    : null
  return { kind: 'openjson', json, path, columns, alias: parseAlias(cursor) ?? '' }
}

function parseJsonColumn(cursor: TokenCursor): JsonColumn {
  const name = cursor.name()
  const type = parseType(cursor)
  const path = cursor.peek()?.kind === 'string' ? cursor.take().text : null
  return { name, type, path, isJson: cursor.takeWords('AS', 'JSON') }
}

function parseForJson(cursor: TokenCursor): ForJson {
  cursor.expectWords('FOR', 'JSON', 'PATH')
  let json: ForJson = { includesNulls: false, isBare: false, root: null }
  while (cursor.takeSymbol(',')) {
    if (cursor.takeWords('INCLUDE_NULL_VALUES')) json = { ...json, includesNulls: true }
    else if (cursor.takeWords('WITHOUT_ARRAY_WRAPPER')) json = { ...json, isBare: true }
    else {
      cursor.expectWords('ROOT')
      json = { ...json, root: cursor.isSymbol('(') ? inParentheses(cursor, () => cursor.take().text) : 'root' }
    }
  }
  return json
}

export function inParentheses<T>(cursor: TokenCursor, inside: () => T): T {
  cursor.expectSymbol('(')
  const result = inside()
  cursor.expectSymbol(')')
  return result
}

export function skipParentheses(cursor: TokenCursor): void {
  cursor.expectSymbol('(')
  for (let depth = 1; depth > 0; ) {
    const token = cursor.take()
    if (token.kind === 'symbol' && token.text === '(') depth++
    if (token.kind === 'symbol' && token.text === ')') depth--
  }
}
