/** Batches of T-SQL. Throws error 102 for what is no T-SQL, or none that the double runs. */
import { parseDefinition, parseTableColumns } from './parse-definition.ts'
import { parseExpression, parsePredicate, parseType } from './parse-expression.ts'
import {
  inParentheses,
  parseColumn,
  parseCtes,
  parseFrom,
  parseHints,
  parseQuery,
  parseRows,
  parseTop,
} from './parse-query.ts'
import { ServerError } from './server-error.ts'
import type { Cte, Declaration, Execute, Output, Path, Source, Statement } from './syntax.ts'
import { TokenCursor } from './token-cursor.ts'

export function parseBatch(sql: string): readonly Statement[] {
  return parseAll(new TokenCursor(sql))
}

function parseAll(cursor: TokenCursor): readonly Statement[] {
  const statements: Statement[] = []
  for (;;) {
    while (cursor.takeSymbol(';')) {}
    if (cursor.isAtEnd) return statements
    statements.push(parseStatement(cursor, statements.length === 0))
  }
}

function parseUntil(cursor: TokenCursor, ...end: readonly string[]): readonly Statement[] {
  const statements: Statement[] = []
  for (;;) {
    while (cursor.takeSymbol(';')) {}
    if (cursor.takeWords(...end)) return statements
    statements.push(parseStatement(cursor, false))
  }
}

function parseStatement(cursor: TokenCursor, isFirst: boolean): Statement {
  const first = cursor.peek()
  if (first?.kind !== 'word') {
    if (cursor.isSymbol('(')) return { kind: 'select', query: parseQuery(cursor) }
    throw cursor.unexpected()
  }
  switch (first.key) {
    case 'WITH': {
      const ctes = parseCtes(cursor)
      return parseWithCtes(cursor, ctes)
    }
    case 'SELECT':
    case 'INSERT':
    case 'UPDATE':
    case 'DELETE':
      return parseWithCtes(cursor, [])
    case 'TRUNCATE':
      cursor.expectWords('TRUNCATE', 'TABLE')
      return { kind: 'truncate', table: cursor.path() }
    case 'CREATE':
    case 'ALTER':
    case 'DROP':
      return parseDefinition(cursor, {
        isFirst,
        rest: () => parseAll(cursor),
        one: () => parseStatement(cursor, false),
      })
    case 'EXEC':
    case 'EXECUTE':
      return parseExecute(cursor)
    case 'DECLARE':
      cursor.take()
      return { kind: 'declare', variables: cursor.list(() => parseDeclaration(cursor)) }
    case 'SET':
      return parseSet(cursor)
    case 'BEGIN':
      return parseBegin(cursor)
    case 'COMMIT':
    case 'ROLLBACK':
    case 'SAVE':
      return parseTransaction(cursor)
    case 'IF': {
      cursor.take()
      const when = parsePredicate(cursor)
      const body = parseStatement(cursor, false)
      while (cursor.isSymbol(';') && cursor.peek(1)?.text.toUpperCase() === 'ELSE') cursor.take()
      return { kind: 'if', when, body, otherwise: cursor.takeWords('ELSE') ? parseStatement(cursor, false) : null }
    }
    case 'WHILE':
      cursor.take()
      return { kind: 'while', when: parsePredicate(cursor), body: parseStatement(cursor, false) }
    case 'THROW':
      cursor.take()
      return { kind: 'throw', args: cursor.peek()?.kind === 'number' ? cursor.list(() => parseExpression(cursor)) : [] }
    case 'RAISERROR': {
      cursor.take()
      const args = inParentheses(cursor, () => cursor.list(() => parseExpression(cursor)))
      const [message] = args
      if (!message) throw cursor.unexpected()
      return { kind: 'throw', args: [{ kind: 'literal', value: '50000', type: 'number' }, message] }
    }
    case 'PRINT':
      cursor.take()
      return { kind: 'print', value: parseExpression(cursor) }
    case 'RETURN':
      cursor.take()
      if (cursor.peek()?.kind === 'number') cursor.take()
      return { kind: 'return' }
    case 'DBCC':
      cursor.expectWords('DBCC', 'CHECKIDENT')
      return inParentheses(cursor, () => parseReseed(cursor))
    case 'WAITFOR':
      cursor.expectWords('WAITFOR', 'DELAY')
      return { kind: 'wait', time: cursor.take().text }
    case 'USE':
      cursor.take()
      return { kind: 'option', name: 'USE', value: cursor.name() }
    default:
      // the name of a procedure may begin a batch
      if (isFirst && cursor.isName()) return parseExecuted(cursor)
      throw cursor.keywordError()
  }
}

function parseWithCtes(cursor: TokenCursor, ctes: readonly Cte[]): Statement {
  if (cursor.takeWords('INSERT')) return parseInsert(cursor, ctes)
  if (cursor.takeWords('UPDATE')) {
    const top = parseTop(cursor)
    const target = cursor.peek()?.text.startsWith('@') ? [cursor.take().text] : cursor.path()
    parseHints(cursor)
    cursor.expectWords('SET')
    const set = cursor.list(() => {
      const column = cursor.path().at(-1) ?? ''
      cursor.expectSymbol('=')
      return { column, value: parseExpression(cursor) }
    })
    return { kind: 'update', ctes, top, target, set, ...parseChangeEnd(cursor) }
  }
  if (cursor.takeWords('DELETE')) {
    const top = parseTop(cursor)
    cursor.takeWords('FROM')
    const target = cursor.peek()?.text.startsWith('@') ? [cursor.take().text] : cursor.path()
    parseHints(cursor)
    return { kind: 'delete', ctes, top, target, ...parseChangeEnd(cursor) }
  }
  return { kind: 'select', query: parseQuery(cursor, ctes) }
}

function parseChangeEnd(cursor: TokenCursor) {
  const output = parseOutput(cursor)
  const from = cursor.takeWords('FROM') ? cursor.list(() => parseFrom(cursor)) : []
  const where = cursor.takeWords('WHERE') ? parsePredicate(cursor) : null
  return { output, from, where }
}

function parseInsert(cursor: TokenCursor, ctes: readonly Cte[]): Statement {
  cursor.takeWords('INTO')
  const into = cursor.peek()?.text.startsWith('@') ? [cursor.take().text] : cursor.path()
  parseHints(cursor)
  const isList = cursor.isSymbol('(') && cursor.peek(1)?.text.toUpperCase() !== 'SELECT'
  const columns = isList ? cursor.names() : null
  const output = parseOutput(cursor)
  return { kind: 'insert', ctes, into, columns, output, source: parseSource(cursor) }
}

function parseSource(cursor: TokenCursor): Source {
  if (cursor.takeWords('DEFAULT', 'VALUES')) return { kind: 'defaults' }
  if (cursor.takeWords('VALUES')) {
    const rows = parseRows(cursor)
    if (rows.length > 1000)
      throw new ServerError(
        10738,
        'The number of row value expressions in the INSERT statement exceeds the maximum allowed number of 1000 row values.',
        15,
      )
    return { kind: 'values', rows }
  }
  if (cursor.isWord('EXEC', 'EXECUTE')) return { kind: 'execute', call: parseExecute(cursor) }
  return { kind: 'query', query: parseQuery(cursor) }
}

function parseOutput(cursor: TokenCursor): Output | null {
  if (!cursor.takeWords('OUTPUT')) return null
  const columns = cursor.list(() => parseColumn(cursor))
  if (!cursor.takeWords('INTO')) return { columns, into: null, intoColumns: null }
  const into = cursor.peek()?.text.startsWith('@') ? [cursor.take().text] : cursor.path()
  return { columns, into, intoColumns: cursor.isSymbol('(') ? cursor.names() : null }
}

function parseExecute(cursor: TokenCursor): Execute {
  if (!cursor.takeWords('EXEC')) cursor.expectWords('EXECUTE')
  return parseExecuted(cursor)
}

function parseExecuted(cursor: TokenCursor): Execute {
  if (cursor.isSymbol('(')) {
    const value = inParentheses(cursor, () => parseExpression(cursor))
    return { kind: 'execute', path: ['sp_executesql'], args: [{ name: null, value }] }
  }
  const path: Path = cursor.path()
  const hasArgs = !cursor.isAtEnd && !cursor.isSymbol(';') && (cursor.peek()?.kind !== 'word' || isArgument(cursor))
  const args = hasArgs
    ? cursor.list(() => {
        const name = cursor.peek()?.text.startsWith('@') && cursor.isSymbol('=', 1) ? cursor.take().text : null
        if (name !== null) cursor.take()
        const value = parseExpression(cursor)
        cursor.takeWords('OUTPUT')
        return { name, value }
      })
    : []
  return { kind: 'execute', path, args }
}

const isArgument = (cursor: TokenCursor): boolean =>
  (cursor.peek()?.text.startsWith('@') ?? false) || cursor.isWord('NULL', 'DEFAULT')

export function parseDeclaration(cursor: TokenCursor): Declaration {
  const name = cursor.take().text
  cursor.takeWords('AS')
  if (cursor.takeWords('TABLE')) {
    const { columns } = inParentheses(cursor, () => parseTableColumns(cursor))
    return { name, type: { name: 'int' }, table: columns, value: null }
  }
  const type = parseType(cursor)
  const value = cursor.takeSymbol('=') ? parseExpression(cursor) : null
  if (!cursor.takeWords('OUTPUT')) cursor.takeWords('OUT')
  return { name, type, table: null, value }
}

function parseSet(cursor: TokenCursor): Statement {
  cursor.expectWords('SET')
  if (cursor.peek()?.text.startsWith('@')) {
    const name = cursor.take().text
    cursor.expectSymbol('=')
    return { kind: 'set', name, value: parseExpression(cursor) }
  }
  if (cursor.takeWords('TRANSACTION', 'ISOLATION', 'LEVEL')) {
    const words = [cursor.take().text]
    if (cursor.isWord('COMMITTED', 'UNCOMMITTED')) words.push(cursor.take().text)
    else if (/^repeatable$/i.test(words[0] ?? '')) words.push(cursor.take().text)
    return { kind: 'isolation', level: words.join(' ').toUpperCase() }
  }
  const name = cursor.list(() => cursor.take().text.toUpperCase()).join(',')
  if (name === 'IDENTITY_INSERT') {
    const path = cursor.path()
    return { kind: 'option', name: `IDENTITY_INSERT ${path.join('.')}`, value: cursor.take().text.toUpperCase() }
  }
  cursor.takeSymbol('-')
  return { kind: 'option', name, value: cursor.take().text.toUpperCase() }
}

function parseBegin(cursor: TokenCursor): Statement {
  cursor.expectWords('BEGIN')
  if (cursor.takeWords('TRY')) {
    const body = parseUntil(cursor, 'END', 'TRY')
    while (cursor.takeSymbol(';')) {}
    cursor.expectWords('BEGIN', 'CATCH')
    return { kind: 'try', body, handler: parseUntil(cursor, 'END', 'CATCH') }
  }
  if (cursor.takeWords('TRANSACTION') || cursor.takeWords('TRAN')) {
    skipName(cursor)
    return { kind: 'begin' }
  }
  return { kind: 'block', body: parseUntil(cursor, 'END') }
}

function parseTransaction(cursor: TokenCursor): Statement {
  const kind = cursor.take().text.toLowerCase() as 'commit' | 'rollback' | 'save'
  if (!cursor.takeWords('TRANSACTION') && !cursor.takeWords('TRAN')) cursor.takeWords('WORK')
  skipName(cursor)
  return { kind }
}

function skipName(cursor: TokenCursor): void {
  const isName = cursor.isName() && !cursor.isWord('THROW', 'GO')
  if (isName) cursor.take()
}

function parseReseed(cursor: TokenCursor): Statement {
  const token = cursor.take()
  const table = token.text.split('.').map((part) => part.replace(/^\[(.*)\]$/, '$1'))
  if (!cursor.takeSymbol(',') || !cursor.takeWords('RESEED')) return { kind: 'reseed', table, value: null }
  const value = cursor.takeSymbol(',') ? BigInt(cursor.take().text) : null
  return { kind: 'reseed', table, value }
}
