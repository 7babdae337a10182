/** Expressions and predicates of T-SQL. */
import { parseQuery } from './parse-query.ts'
import type { Expression, OrderItem, Over, Predicate } from './syntax.ts'
import type { TokenCursor } from './token-cursor.ts'
import { isSymbol, isWord } from './tokens.ts'
import { type SqlType, typeOf } from './types.ts'

export function parsePredicate(cursor: TokenCursor): Predicate {
  const parts = [parseConjunction(cursor)]
  while (cursor.takeWords('OR')) parts.push(parseConjunction(cursor))
  const [only] = parts
  return only && parts.length === 1 ? only : { kind: 'or', of: parts }
}

function parseConjunction(cursor: TokenCursor): Predicate {
  const parts = [parseTest(cursor)]
  while (cursor.takeWords('AND')) parts.push(parseTest(cursor))
  const [only] = parts
  return only && parts.length === 1 ? only : { kind: 'and', of: parts }
}

function parseTest(cursor: TokenCursor): Predicate {
  if (cursor.takeWords('NOT')) return { kind: 'not', of: parseTest(cursor) }
  if (cursor.takeWords('EXISTS')) {
    cursor.expectSymbol('(')
    const query = parseQuery(cursor)
    cursor.expectSymbol(')')
    return { kind: 'exists', query }
  }
  if (cursor.isSymbol('(') && isPredicateInside(cursor)) {
    cursor.expectSymbol('(')
    const inside = parsePredicate(cursor)
    cursor.expectSymbol(')')
    return inside
  }
  return parseComparison(cursor, parseExpression(cursor))
}

/** Whether the parentheses at the cursor hold a predicate, not a value. */
function isPredicateInside(cursor: TokenCursor): boolean {
  let depth = 0
  for (let ahead = 0; ; ahead++) {
    const token = cursor.peek(ahead)
    if (!token) return false
    if (isSymbol(token, '(')) {
      depth++
      if (isWord(cursor.peek(ahead + 1), 'SELECT', 'WITH')) {
        // a subquery: past its end
        for (let inner = 0; ; ahead++) {
          if (isSymbol(cursor.peek(ahead), '(')) inner++
          if (isSymbol(cursor.peek(ahead), ')') && --inner === 0) break
          if (cursor.peek(ahead) === undefined) return false
        }
        depth--
        if (depth === 0) return false
      }
    } else if (isSymbol(token, ')')) {
      if (--depth === 0) return false
    } else if (isWord(token, 'CASE')) {
      for (let inner = 1; inner > 0; ) {
        ahead++
        if (isWord(cursor.peek(ahead), 'CASE')) inner++
        if (isWord(cursor.peek(ahead), 'END')) inner--
        if (cursor.peek(ahead) === undefined) return false
      }
    } else if (isWord(token, 'IIF')) {
      for (let inner = 0; ; ) {
        ahead++
        if (isSymbol(cursor.peek(ahead), '(')) inner++
        if (isSymbol(cursor.peek(ahead), ')') && --inner === 0) break
        if (cursor.peek(ahead) === undefined) return false
      }
    } else if (token.kind === 'symbol' && COMPARISONS.has(token.text)) return true
    else if (isWord(token, 'AND', 'OR', 'NOT', 'IS', 'IN', 'LIKE', 'BETWEEN', 'EXISTS')) return true
  }
}

const COMPARISONS = new Map<string, '=' | '<>' | '<' | '>' | '<=' | '>='>([
  ['=', '='],
  ['<>', '<>'],
  ['!=', '<>'],
  ['<', '<'],
  ['>', '>'],
  ['<=', '<='],
  ['>=', '>='],
  ['!<', '>='],
  ['!>', '<='],
])

function parseComparison(cursor: TokenCursor, left: Expression): Predicate {
  const negate = (is: boolean, of: Predicate): Predicate => (is ? { kind: 'not', of } : of)
  if (cursor.takeWords('IS')) {
    const isNot = cursor.takeWords('NOT')
    cursor.expectWords('NULL')
    return negate(isNot, { kind: 'null', of: left })
  }
  const isNot = cursor.takeWords('NOT')
  if (cursor.takeWords('IN')) {
    cursor.expectSymbol('(')
    const list = cursor.isWord('SELECT', 'WITH') ? parseQuery(cursor) : cursor.list(() => parseExpression(cursor))
    cursor.expectSymbol(')')
    return negate(isNot, { kind: 'in', of: left, list })
  }
  if (cursor.takeWords('LIKE')) {
    const pattern = parseExpression(cursor)
    const escaped = cursor.takeWords('ESCAPE') ? parseExpression(cursor) : null
    return negate(isNot, { kind: 'like', of: left, pattern, escape: escaped })
  }
  if (cursor.takeWords('BETWEEN')) {
    const low = parseExpression(cursor)
    cursor.expectWords('AND')
    return negate(isNot, { kind: 'between', of: left, low, high: parseExpression(cursor) })
  }
  const token = cursor.peek()
  const operator = token?.kind === 'symbol' ? COMPARISONS.get(token.text) : undefined
  // error 4145 names what stands after a value where a predicate is expected
  if (!operator || isNot) throw cursor.keywordError()
  cursor.take()
  return { kind: 'compare', operator, left, right: parseExpression(cursor) }
}

const SUMS = ['+', '-', '&', '|', '^'] as const
const PRODUCTS = ['*', '/', '%'] as const

export function parseExpression(cursor: TokenCursor): Expression {
  let left = parseProduct(cursor)
  for (;;) {
    const operator = SUMS.find((one) => cursor.takeSymbol(one))
    if (!operator) return left
    left = { kind: 'binary', operator, left, right: parseProduct(cursor) }
  }
}

function parseProduct(cursor: TokenCursor): Expression {
  let left = parseUnary(cursor)
  for (;;) {
    const operator = PRODUCTS.find((one) => cursor.takeSymbol(one))
    if (!operator) return left
    left = { kind: 'binary', operator, left, right: parseUnary(cursor) }
  }
}

function parseUnary(cursor: TokenCursor): Expression {
  for (const operator of ['-', '+', '~'] as const)
    if (cursor.takeSymbol(operator)) return { kind: 'unary', operator, of: parseUnary(cursor) }
  let value = parsePrimary(cursor)
  for (;;) {
    if (cursor.takeWords('COLLATE')) value = { kind: 'collate', of: value, collation: cursor.name() }
    else if (value.kind !== 'column' && cursor.isSymbol('.')) {
      cursor.take()
      value = { kind: 'method', of: value, name: cursor.name(), args: parseArguments(cursor) }
    } else return value
  }
}

function parsePrimary(cursor: TokenCursor): Expression {
  const token = cursor.peek()
  if (!token) throw cursor.unexpected()
  switch (token.kind) {
    case 'string':
      cursor.take()
      return { kind: 'literal', value: token.text, type: token.isNational ? 'national' : 'string' }
    case 'number':
      cursor.take()
      return { kind: 'literal', value: token.text, type: 'number' }
    case 'binary':
      cursor.take()
      return { kind: 'literal', value: token.text.slice(2), type: 'binary' }
    case 'symbol':
      return parseMarked(cursor)
    case 'quoted':
      return parseNamed(cursor)
    case 'word':
      return token.text.startsWith('@') ? { kind: 'variable', name: cursor.take().text } : parseWord(cursor, token.key)
  }
}

function parseMarked(cursor: TokenCursor): Expression {
  if (cursor.takeSymbol('*')) return { kind: 'star', table: null }
  if (cursor.takeSymbol('$')) return { kind: 'literal', value: cursor.take().text, type: 'money' }
  cursor.expectSymbol('(')
  if (cursor.isWord('SELECT', 'WITH')) {
    const query = parseQuery(cursor)
    cursor.expectSymbol(')')
    return { kind: 'query', query }
  }
  const inside = parseExpression(cursor)
  cursor.expectSymbol(')')
  return inside
}

function parseWord(cursor: TokenCursor, key: string): Expression {
  switch (key) {
    case 'NULL':
      cursor.take()
      return { kind: 'literal', value: '', type: 'null' }
    case 'DEFAULT':
      cursor.take()
      return { kind: 'default' }
    case 'CASE':
      return parseCase(cursor)
    case 'CAST':
    case 'TRY_CAST': {
      cursor.take()
      cursor.expectSymbol('(')
      const of = parseExpression(cursor)
      cursor.expectWords('AS')
      const type = parseType(cursor, true)
      cursor.expectSymbol(')')
      return { kind: 'cast', of, type, isTry: key === 'TRY_CAST', style: null }
    }
    case 'CONVERT':
    case 'TRY_CONVERT': {
      cursor.take()
      cursor.expectSymbol('(')
      const type = parseType(cursor, true)
      cursor.expectSymbol(',')
      const of = parseExpression(cursor)
      const style = cursor.takeSymbol(',') ? parseExpression(cursor) : null
      cursor.expectSymbol(')')
      return { kind: 'cast', of, type, isTry: key === 'TRY_CONVERT', style }
    }
    case 'IIF': {
      cursor.take()
      cursor.expectSymbol('(')
      const when = parsePredicate(cursor)
      cursor.expectSymbol(',')
      const result = parseExpression(cursor)
      cursor.expectSymbol(',')
      const otherwise = parseExpression(cursor)
      cursor.expectSymbol(')')
      return { kind: 'case', whens: [{ when, result }], otherwise }
    }
    case 'COALESCE':
    case 'NULLIF':
    case 'LEFT':
    case 'RIGHT':
    case 'USER':
      return { kind: 'call', path: [cursor.take().text], args: parseArguments(cursor), isDistinct: false, over: null }
    case 'CURRENT_TIMESTAMP':
      cursor.take()
      return { kind: 'call', path: ['GETDATE'], args: [], isDistinct: false, over: null }
    default:
      return parseNamed(cursor)
  }
}

function parseCase(cursor: TokenCursor): Expression {
  cursor.expectWords('CASE')
  const of = cursor.isWord('WHEN') ? null : parseExpression(cursor)
  const whens = []
  while (cursor.takeWords('WHEN')) {
    const when: Predicate = of
      ? { kind: 'compare', operator: '=', left: of, right: parseExpression(cursor) }
      : parsePredicate(cursor)
    cursor.expectWords('THEN')
    whens.push({ when, result: parseExpression(cursor) })
  }
  const otherwise = cursor.takeWords('ELSE') ? parseExpression(cursor) : null
  cursor.expectWords('END')
  return { kind: 'case', whens, otherwise }
}

/** A column, a function's call, `t.*`, or a method of a column or a type. */
function parseNamed(cursor: TokenCursor): Expression {
  const path: string[] = [cursor.name()]
  while (cursor.isSymbol('.')) {
    cursor.take()
    if (cursor.takeSymbol('*')) return { kind: 'star', table: path.at(-1) ?? null }
    const token = cursor.take()
    if (token.kind !== 'quoted' && token.kind !== 'word') throw cursor.unexpected()
    if (cursor.isSymbol('(') && path.length > 1 && token.kind === 'word')
      return { kind: 'method', of: { kind: 'column', path }, name: token.text, args: parseArguments(cursor) }
    path.push(token.text)
  }
  if (cursor.takeSymbol('::'))
    return {
      kind: 'method',
      of: null,
      name: `${path.join('.').toLowerCase()}::${cursor.name()}`,
      args: parseArguments(cursor),
    }
  if (!cursor.isSymbol('(')) return { kind: 'column', path }
  cursor.expectSymbol('(')
  const isDistinct = cursor.takeWords('DISTINCT')
  const args = cursor.isSymbol(')') ? [] : cursor.list(() => parseExpression(cursor))
  cursor.expectSymbol(')')
  return { kind: 'call', path, args, isDistinct, over: cursor.takeWords('OVER') ? parseOver(cursor) : null }
}

function parseArguments(cursor: TokenCursor): readonly Expression[] {
  cursor.expectSymbol('(')
  const args = cursor.isSymbol(')') ? [] : cursor.list(() => parseExpression(cursor))
  cursor.expectSymbol(')')
  return args
}

function parseOver(cursor: TokenCursor): Over {
  cursor.expectSymbol('(')
  const partition = cursor.takeWords('PARTITION', 'BY') ? cursor.list(() => parseExpression(cursor)) : []
  const order = cursor.isWord('ORDER') ? parseOrder(cursor) : []
  cursor.expectSymbol(')')
  return { partition, order }
}

export function parseOrder(cursor: TokenCursor): readonly OrderItem[] {
  cursor.expectWords('ORDER', 'BY')
  return cursor.list(() => {
    const by = parseExpression(cursor)
    const isDescending = cursor.takeWords('DESC')
    if (!isDescending) cursor.takeWords('ASC')
    return { by, isDescending }
  })
}

export function parseType(cursor: TokenCursor, isCast = false): SqlType {
  const path = cursor.path()
  let name = path.at(-1) ?? ''
  if (/^double$/i.test(name) && cursor.takeWords('PRECISION')) name = 'double precision'
  if (/^(char|character)$/i.test(name) && cursor.takeWords('VARYING')) name = 'character varying'
  if (!cursor.isSymbol('(')) return typeOf(name, [], isCast)
  cursor.expectSymbol('(')
  const args = cursor.list(() => (cursor.takeWords('MAX') ? Number.POSITIVE_INFINITY : Number(cursor.take().text)))
  cursor.expectSymbol(')')
  return typeOf(name, args, isCast)
}
