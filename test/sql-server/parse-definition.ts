/** CREATE, ALTER and DROP. */
import { parseExpression, parsePredicate, parseType } from './parse-expression.ts'
import { inParentheses, parseQuery, skipParentheses } from './parse-query.ts'
import { parseDeclaration } from './parse-statement.ts'
import { ServerError } from './server-error.ts'
import type {
  AlterAction,
  ColumnDefinition,
  Constraint,
  Declaration,
  Expression,
  ObjectKind,
  Path,
  Statement,
} from './syntax.ts'
import type { TokenCursor } from './token-cursor.ts'
import { type SqlType, withCollation } from './types.ts'

/** What the parser of statements gives: all the rest of the batch, or one statement of it. */
type Around = { readonly isFirst: boolean; readonly rest: () => readonly Statement[]; readonly one: () => Statement }

const MODULES = {
  VIEW: 'view',
  PROCEDURE: 'procedure',
  PROC: 'procedure',
  FUNCTION: 'function',
  TRIGGER: 'trigger',
} as const
const KINDS: readonly (readonly [string, ObjectKind])[] = [
  ['TABLE', 'table'],
  ['VIEW', 'view'],
  ['PROCEDURE', 'procedure'],
  ['PROC', 'procedure'],
  ['FUNCTION', 'function'],
  ['TRIGGER', 'trigger'],
  ['SCHEMA', 'schema'],
  ['INDEX', 'index'],
  ['SYNONYM', 'synonym'],
  ['SEQUENCE', 'sequence'],
  ['TYPE', 'type'],
]

export function parseDefinition(cursor: TokenCursor, around: Around): Statement {
  if (cursor.takeWords('DROP')) return parseDrop(cursor)
  const isAlter = cursor.takeWords('ALTER')
  if (!isAlter) cursor.expectWords('CREATE')
  const mayReplace = cursor.takeWords('OR', 'ALTER')
  const token = cursor.peek()
  const what = token?.kind === 'word' && token.key in MODULES ? MODULES[token.key as keyof typeof MODULES] : null
  if (what) return parseModule(cursor, what, { ...around, mayReplace, isAlter })
  if (isAlter) return parseAlter(cursor)
  if (cursor.takeWords('TABLE')) {
    const table = cursor.path()
    const parts = inParentheses(cursor, () => parseTableColumns(cursor))
    return { kind: 'create-table', table, ...parts }
  }
  if (cursor.takeWords('SCHEMA')) {
    const name = cursor.name()
    if (cursor.takeWords('AUTHORIZATION')) cursor.name()
    const inside = []
    while (cursor.isWord('CREATE')) inside.push(around.one())
    return { kind: 'create-schema', name, inside }
  }
  const isUnique = cursor.takeWords('UNIQUE')
  if (!cursor.takeWords('CLUSTERED')) cursor.takeWords('NONCLUSTERED')
  cursor.expectWords('INDEX')
  const name = cursor.name()
  cursor.expectWords('ON')
  const table = cursor.path()
  const columns = cursor.names()
  if (cursor.takeWords('INCLUDE')) skipParentheses(cursor)
  const where = cursor.takeWords('WHERE') ? parsePredicate(cursor) : null
  if (cursor.takeWords('WITH')) skipParentheses(cursor)
  return { kind: 'create-index', name, table, columns, isUnique, where }
}

export function parseTableColumns(cursor: TokenCursor) {
  const columns: ColumnDefinition[] = []
  const constraints: Constraint[] = []
  while (!cursor.isSymbol(')')) {
    const constraint = parseConstraint(cursor, null)
    if (cursor.takeWords('PERIOD', 'FOR')) {
      cursor.take()
      skipParentheses(cursor)
    } else if (constraint) constraints.push(constraint)
    else columns.push(parseColumnDefinition(cursor))
    if (!cursor.takeSymbol(',')) break
  }
  return { columns, constraints: [...constraints, ...columns.flatMap((column) => column.constraints)] }
}

function parseColumnDefinition(cursor: TokenCursor): ColumnDefinition {
  const name = cursor.name()
  if (cursor.takeWords('AS')) {
    const computed = parseExpression(cursor)
    if (cursor.takeWords('PERSISTED')) cursor.takeWords('NOT', 'NULL')
    const type = { name: 'int' } as const
    return {
      name,
      type,
      isNullable: null,
      isIdentity: false,
      isGenerated: false,
      default: null,
      defaultName: null,
      computed,
      constraints: [],
    }
  }
  // `ts timestamp` may be written `timestamp`
  let type: SqlType =
    cursor.isSymbol(',') || cursor.isSymbol(')') ? { name: 'timestamp' as const, length: 8 } : parseType(cursor)
  let isNullable: boolean | null = null
  let isIdentity = false
  let isGenerated = false
  let initial: Expression | null = null
  let defaultName: string | null = null
  const constraints: Constraint[] = []
  for (;;) {
    if (cursor.takeWords('NOT', 'NULL')) isNullable = false
    else if (cursor.takeWords('NULL')) isNullable = true
    else if (cursor.takeWords('IDENTITY')) {
      isIdentity = true
      if (cursor.isSymbol('(')) skipParentheses(cursor)
    } else if (cursor.takeWords('COLLATE')) type = withCollation(type, cursor.name())
    else if (cursor.takeWords('GENERATED', 'ALWAYS', 'AS', 'ROW')) {
      cursor.take()
      cursor.takeWords('HIDDEN')
      isGenerated = true
      initial = { kind: 'call', path: ['SYSUTCDATETIME'], args: [], isDistinct: false, over: null }
    } else if (cursor.takeWords('ROWGUIDCOL') || cursor.takeWords('SPARSE')) continue
    else if (cursor.takeWords('WITH', 'VALUES')) continue
    else if (
      cursor.isWord('DEFAULT') ||
      (cursor.isWord('CONSTRAINT') && cursor.peek(2)?.text.toUpperCase() === 'DEFAULT')
    ) {
      if (cursor.takeWords('CONSTRAINT')) defaultName = cursor.name()
      cursor.expectWords('DEFAULT')
      initial = parseExpression(cursor)
    } else {
      const constraint = parseConstraint(cursor, name)
      if (!constraint) break
      constraints.push(constraint)
    }
  }
  const filled = { isIdentity, isGenerated, default: initial, defaultName, computed: null }
  return { name, type, isNullable, ...filled, constraints }
}

/** A constraint of a table, or of `column`, which then is its only one. */
function parseConstraint(cursor: TokenCursor, column: string | null): Constraint | null {
  const name = cursor.takeWords('CONSTRAINT') ? cursor.name() : null
  const columns = (): readonly string[] => (cursor.isSymbol('(') ? cursor.names() : column === null ? [] : [column])
  for (const [words, kind] of [
    [['PRIMARY', 'KEY'], 'primary'],
    [['UNIQUE'], 'unique'],
  ] as const)
    if (cursor.takeWords(...words)) {
      if (!cursor.takeWords('CLUSTERED')) cursor.takeWords('NONCLUSTERED')
      return { kind, name, columns: columns() }
    }
  if (cursor.takeWords('CHECK')) {
    const predicate = inParentheses(cursor, () => parsePredicate(cursor))
    return { kind: 'check', name, predicate }
  }
  if (cursor.isWord('FOREIGN') || (column !== null && cursor.isWord('REFERENCES'))) {
    const own = cursor.takeWords('FOREIGN', 'KEY') ? columns() : columns()
    cursor.expectWords('REFERENCES')
    const table = cursor.path()
    const references = cursor.isSymbol('(') ? cursor.names() : null
    let onDelete = 'NO ACTION'
    while (cursor.takeWords('ON')) {
      const isDelete = cursor.isWord('DELETE')
      cursor.take()
      const action = cursor.take().text.toUpperCase()
      const whole = action === 'CASCADE' ? action : `${action} ${cursor.take().text.toUpperCase()}`
      if (isDelete) onDelete = whole
    }
    return { kind: 'foreign', name, columns: own, table, references, onDelete }
  }
  if (cursor.takeWords('DEFAULT')) {
    const value = parseExpression(cursor)
    cursor.expectWords('FOR')
    return { kind: 'default', name, column: cursor.name(), value }
  }
  if (name !== null) throw cursor.unexpected()
  return null
}

function parseModule(
  cursor: TokenCursor,
  what: 'view' | 'procedure' | 'function' | 'trigger',
  { isFirst, rest, mayReplace, isAlter }: Around & { readonly mayReplace: boolean; readonly isAlter: boolean },
): Statement {
  if (!isFirst)
    throw new ServerError(
      111,
      `'CREATE${mayReplace ? ' OR ALTER' : ''} ${what.toUpperCase()}' must be the first statement in a query batch.`,
      15,
    )
  cursor.take()
  const path = cursor.path()
  const base = { kind: 'create-module', what, path, mayReplace, isAlter, text: cursor.sql } as const
  if (what === 'view') {
    const columns = cursor.isSymbol('(') ? cursor.names() : null
    while (!cursor.isWord('AS')) cursor.take()
    cursor.expectWords('AS')
    const query = parseQuery(cursor)
    return { ...base, columns, query, table: null, parameters: [], events: [], body: [] }
  }
  const table: Path | null = what === 'trigger' && cursor.takeWords('ON') ? cursor.path() : null
  const parameters: Declaration[] = []
  const isList = cursor.takeSymbol('(')
  while (cursor.peek()?.text.startsWith('@')) {
    parameters.push(parseDeclaration(cursor))
    if (!cursor.takeSymbol(',')) break
  }
  if (isList) cursor.expectSymbol(')')
  const header: string[] = []
  while (!cursor.isWord('AS')) header.push(cursor.take().text.toUpperCase())
  cursor.expectWords('AS')
  // functions are kept as text: the double does not run them
  if (what === 'function') while (!cursor.isAtEnd) cursor.take()
  const events = what === 'trigger' ? ['INSERT', 'UPDATE', 'DELETE'].filter((event) => header.includes(event)) : []
  return { ...base, columns: null, query: null, table, parameters, events, body: what === 'function' ? [] : rest() }
}

function parseAlter(cursor: TokenCursor): Statement {
  if (cursor.takeWords('SCHEMA')) {
    const schema = cursor.name()
    cursor.expectWords('TRANSFER')
    return { kind: 'alter-schema', schema, object: cursor.path() }
  }
  cursor.expectWords('TABLE')
  return { kind: 'alter-table', table: cursor.path(), action: parseAlterAction(cursor) }
}

function parseAlterAction(cursor: TokenCursor): AlterAction {
  if (cursor.takeWords('WITH', 'CHECK') || cursor.takeWords('WITH', 'NOCHECK')) {
    if (!cursor.isWord('ADD')) return skipRest(cursor)
  }
  if (cursor.takeWords('ADD')) {
    const columns: ColumnDefinition[] = []
    const constraints: Constraint[] = []
    cursor.list(() => {
      const constraint = parseConstraint(cursor, null)
      if (constraint) constraints.push(constraint)
      else columns.push(parseColumnDefinition(cursor))
    })
    return { kind: 'add', columns, constraints: [...constraints, ...columns.flatMap((column) => column.constraints)] }
  }
  if (cursor.takeWords('ALTER', 'COLUMN')) {
    const column = cursor.name()
    const type = parseType(cursor)
    const isNullable = cursor.takeWords('NOT', 'NULL') ? false : cursor.takeWords('NULL') ? true : null
    return { kind: 'alter-column', column, type, isNullable }
  }
  if (!cursor.takeWords('DROP')) return skipRest(cursor)
  const isColumn = cursor.takeWords('COLUMN')
  if (!isColumn) cursor.takeWords('CONSTRAINT')
  const ifExists = cursor.takeWords('IF', 'EXISTS')
  const names = cursor.list(() => cursor.name())
  return { kind: isColumn ? 'drop-columns' : 'drop-constraints', names, ifExists }
}

/** ENABLE and DISABLE TRIGGER, CHECK CONSTRAINT and the like have no effect here. */
function skipRest(cursor: TokenCursor): AlterAction {
  while (!cursor.isAtEnd && !cursor.isSymbol(';')) cursor.take()
  return { kind: 'ignored' }
}

function parseDrop(cursor: TokenCursor): Statement {
  const found = KINDS.find(([word]) => cursor.takeWords(word))
  if (!found) throw cursor.keywordError()
  const ifExists = cursor.takeWords('IF', 'EXISTS')
  const paths = cursor.list(() => cursor.path())
  const on = found[1] === 'index' && cursor.takeWords('ON') ? cursor.path() : null
  return { kind: 'drop', what: found[1], paths, ifExists, on }
}
