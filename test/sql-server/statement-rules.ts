/** Rules for what a grammar of T-SQL accepts and SQL Server refuses, or reads otherwise than meant. */
import { isSymbol, isWord, NotTransactSql, type Token, tokenize } from './tokens.ts'

export type StatementUse = {
  /** Names of the parameters that are bound, with the @; absent for a batch. A bound statement is an own scope. */
  readonly parameters?: readonly string[]
}

/** A statement's tokens; what stands in parentheses is one item. */
type Item = Token | Group
type Group = { readonly kind: 'group'; readonly items: readonly Item[] }

type Scope = { readonly tokens: readonly Token[]; readonly root: Group; readonly use: StatementUse }
type Rule = (scope: Scope) => readonly string[]

/** The problems of a statement, an empty list where no rule objects. */
export function lintStatement(sql: string, use: StatementUse = {}): readonly string[] {
  try {
    const tokens = tokenize(sql)
    const scope = { tokens, root: groupItems(tokens), use }
    return rules.flatMap((rule) => rule(scope))
  } catch (problem) {
    if (problem instanceof NotTransactSql) return [problem.message]
    throw problem
  }
}

function groupItems(tokens: readonly Token[]): Group {
  const open: Item[][] = [[]]
  for (const token of tokens) {
    if (isSymbol(token, '(')) open.push([])
    else if (isSymbol(token, ')')) {
      const items = open.pop() ?? []
      const outer = open.at(-1)
      if (!outer) throw new NotTransactSql('a parenthesis is closed that was not opened', ')')
      outer.push({ kind: 'group', items })
    } else open.at(-1)?.push(token)
  }
  const [items = []] = open
  if (open.length > 1) throw new NotTransactSql('a parenthesis is not closed', '(')
  return { kind: 'group', items }
}

const isItem = (item: Item | undefined, ...keys: readonly string[]): boolean =>
  item !== undefined && item.kind !== 'group' && isWord(item, ...keys)
const isMark = (item: Item | undefined, text: string): boolean =>
  item !== undefined && item.kind !== 'group' && isSymbol(item, text)

function* groupsOf(group: Group): Generator<Group> {
  yield group
  for (const item of group.items) if (item.kind === 'group') yield* groupsOf(item)
}

/** Every token that is no part of an identifier's path (`[t].LIMIT`), with its neighbours. */
const bareWords = ({ tokens }: Scope) =>
  tokens.flatMap((token, index) => {
    const [before, after] = [tokens[index - 1], tokens[index + 1]]
    const isPart = isSymbol(before, '.') || isSymbol(after, '.') || isWord(before, 'AS')
    return token.kind === 'word' && !isPart ? [{ key: token.key, before, after, index }] : []
  })

const foreignMarks: Rule = ({ tokens }) =>
  tokens.flatMap((token, index) => {
    if (isSymbol(token, '||')) return ['|| is no operator: + or CONCAT']
    if (!isSymbol(token, '::')) return []
    // methods of the types that the server has in CLR, and GRANT … ON SCHEMA::x
    return isWord(tokens[index - 1], 'GEOMETRY', 'GEOGRAPHY', 'HIERARCHYID', 'SCHEMA', 'OBJECT')
      ? []
      : [':: is no cast: CAST(x AS type)']
  })

const ABSENT_FUNCTIONS =
  /^(STDDEV|STDDEV_SAMP|STDDEV_POP|VARIANCE|VAR_SAMP|VAR_POP|NOW|LENGTH|SUBSTR|GREATEST|LEAST|IFNULL|NVL|RANDOM|BOOL_AND|BOOL_OR|EVERY|ARRAY_AGG|JSON_AGG|JSON_ARRAY|JSON_OBJECT|JSON_ARRAYAGG|JSON_OBJECTAGG|TO_JSON|TO_CHAR|GROUP_CONCAT|REGEXP_LIKE|MEDIAN)$/

const foreignWords: Rule = (scope) =>
  bareWords(scope).flatMap(({ key, before, after }) => {
    if (key === 'TRUE' || key === 'FALSE') return [`${key} is no literal: 1 or 0, or a predicate`]
    if (key === 'LIMIT' && (after?.kind === 'number' || after?.text.startsWith('@')))
      return ['LIMIT is no clause: OFFSET … FETCH']
    if (key === 'NULLS' && isWord(after, 'FIRST', 'LAST')) return [`NULLS ${after?.text} is no order`]
    if (['ILIKE', 'LATERAL', 'RETURNING'].includes(key)) return [`${key} is not in T-SQL`]
    if (key === 'DISTINCT' && isWord(after, 'FROM', 'ON')) return ['DISTINCT FROM and DISTINCT ON are not in T-SQL']
    if (
      key === 'USING' &&
      isSymbol(after, '(') &&
      !isWord(before, 'AS') &&
      !scope.tokens.some((t) => isWord(t, 'MERGE'))
    )
      return ['a join has no USING']
    if (isSymbol(after, '(') && ABSENT_FUNCTIONS.test(key)) return [`${key} is no function of every server since 2016`]
    return []
  })

const fetchRows: Rule = ({ tokens }) =>
  tokens.flatMap((token, index) => {
    if (!isWord(token, 'FETCH') || !isWord(tokens[index + 1], 'NEXT', 'FIRST')) return []
    const count = tokens[index + 2]
    const zero = count?.kind === 'number' && Number(count.text) === 0
    return [
      ...(zero ? ['FETCH of 0 rows: the number must be greater than 0 (10744)'] : []),
      ...(isWord(tokens[index - 1], 'ROWS', 'ROW') ? [] : ['FETCH without OFFSET … ROWS']),
    ]
  })

const emptyLists: Rule = ({ tokens }) =>
  tokens.flatMap((token, index) =>
    isWord(token, 'IN', 'VALUES') && isSymbol(tokens[index + 1], '(') && isSymbol(tokens[index + 2], ')')
      ? [`${token.text.toUpperCase()} of an empty list`]
      : [],
  )

const literals: Rule = ({ tokens }) =>
  tokens.flatMap((token) => {
    // the code page of the database decides, so Cyrillic turns into question marks on most servers
    if (token.kind === 'string' && !token.isNational && /\P{ASCII}/u.test(token.text))
      return [`'${token.text.slice(0, 20)}' needs N'…', or its characters are lost`]
    const isName = token.kind === 'quoted' || (token.kind === 'word' && !token.text.startsWith('@'))
    return isName && token.text.length > 128
      ? [`a name has at most 128 characters (103): ${token.text.slice(0, 20)}…`]
      : []
  })

/** CAST(x AS varchar) keeps 30 characters, DECLARE @x varchar one. */
const lengths: Rule = ({ tokens }) =>
  tokens.flatMap((token, index) => {
    const after = tokens[index + 1]
    return isWord(token, 'VARCHAR', 'NVARCHAR', 'VARBINARY', 'CHAR', 'NCHAR', 'BINARY') &&
      isWord(tokens[index - 1], 'AS') &&
      isSymbol(after, ')')
      ? [`CAST AS ${token.text} without a length cuts at 30`]
      : []
  })

const parameters: Rule = ({ tokens, use }) => {
  const declared = new Set((use.parameters ?? []).map((name) => name.toUpperCase()))
  const tooMany = declared.size > 2100 ? [`${declared.size} parameters, at most 2100 are taken (8003)`] : []
  tokens.forEach((token, index) => {
    if (token.kind !== 'word' || !token.text.startsWith('@') || token.text.startsWith('@@')) return
    const before = tokens[index - 1]
    // EXECUTE p @name = value names the parameter of the procedure
    const isDeclared = isWord(before, 'DECLARE') || isDeclaredByComma(tokens, index)
    if (isDeclared || isArgumentName(tokens, index)) declared.add(token.key)
  })
  const unknown = tokens.filter(
    (token) => token.kind === 'word' && /^@[^@]/.test(token.text) && !declared.has(token.key),
  )
  const names = new Set(unknown.map(({ text }) => text))
  return [...tooMany, ...[...names].map((name) => `the scalar variable ${name} is not declared (137)`)]
}

/** DECLARE @a int, @b int; and the parameters of CREATE PROCEDURE. */
function isDeclaredByComma(tokens: readonly Token[], index: number): boolean {
  for (let at = index - 1; at >= 0; at--) {
    if (isWord(tokens[at], 'DECLARE', 'PROCEDURE', 'PROC', 'FUNCTION')) return true
    if (
      isSymbol(tokens[at], ';') ||
      isWord(tokens[at], 'SELECT', 'SET', 'INSERT', 'UPDATE', 'DELETE', 'EXEC', 'EXECUTE', 'BEGIN', 'AS')
    )
      return false
  }
  return false
}

function isArgumentName(tokens: readonly Token[], index: number): boolean {
  if (!isSymbol(tokens[index + 1], '=')) return false
  for (let at = index - 1; at >= 0; at--) {
    if (isWord(tokens[at], 'EXEC', 'EXECUTE')) return true
    if (isSymbol(tokens[at], ';') || isWord(tokens[at], 'SELECT', 'SET', 'WHERE', 'FROM')) return false
  }
  return false
}

const rowsOfValues: Rule = ({ root }) =>
  [...groupsOf(root)].flatMap(({ items }) =>
    items.flatMap((item, index) => {
      // a derived table may have more: FROM (VALUES …) AS t
      if (!isItem(item, 'VALUES') || index === 0) return []
      let rows = 0
      for (let at = index + 1; items[at]?.kind === 'group'; at += 2) {
        rows++
        if (!isMark(items[at + 1], ',')) break
      }
      return rows > 1000 ? [`${rows} rows in VALUES, at most 1000 are taken (10738)`] : []
    }),
  )

/** By the statement itself, which needs it no longer than it lasts. */
const isDropped = (tokens: readonly Token[], table: string): boolean =>
  tokens.some((token, at) => isWord(token, 'DROP') && isWord(tokens[at + 1], 'TABLE') && tokens[at + 2]?.text === table)

const temporaryTables: Rule = ({ tokens, use }) => {
  if (use.parameters === undefined) return []
  return tokens.flatMap((token, index) => {
    const created = tokens[index + 1]
    const isCreation =
      (isWord(token, 'INTO') && !isWord(tokens[index - 1], 'INSERT', 'MERGE') && !isOutputInto(tokens, index)) ||
      (isWord(token, 'TABLE') && isWord(tokens[index - 1], 'CREATE'))
    return isCreation && created?.text.startsWith('#') && !isDropped(tokens, created.text)
      ? [`${created.text} is created in sp_executesql and dropped at its end`]
      : []
  })
}

function isOutputInto(tokens: readonly Token[], index: number): boolean {
  for (let at = index - 1; at >= 0; at--) {
    if (isWord(tokens[at], 'OUTPUT')) return true
    if (isWord(tokens[at], 'SELECT', 'INSERT', 'UPDATE', 'DELETE') || isSymbol(tokens[at], ';')) return false
  }
  return false
}

/** The words that end a query's list of columns, or the query. */
const CLAUSES = [
  'FROM',
  'WHERE',
  'GROUP',
  'HAVING',
  'ORDER',
  'FOR',
  'OPTION',
  'UNION',
  'EXCEPT',
  'INTERSECT',
  'INTO',
] as const
const STATEMENTS = [
  'SELECT',
  'INSERT',
  'UPDATE',
  'DELETE',
  'MERGE',
  'SET',
  'DECLARE',
  'DROP',
  'CREATE',
  'ALTER',
  'IF',
  'BEGIN',
  'END',
  'COMMIT',
  'ROLLBACK',
  'EXEC',
  'EXECUTE',
  'WITH',
  'THROW',
]

type Query = {
  readonly columns: readonly (readonly Item[])[]
  readonly after: readonly Item[]
  readonly hasTop: boolean
  /** Its rows go into a table, a variable or an INSERT. */
  readonly isFirst: boolean
}

/** The queries that stand directly in a group, `SELECT a UNION ALL SELECT b` being two. */
function queriesOf({ items }: Group): readonly Query[] {
  const starts = items.flatMap((item, index) => (isItem(item, 'SELECT') ? [index] : []))
  return starts.map((start) => {
    let end = start + 1
    // the END of a CASE is no statement's
    let cases = 0
    for (; end < items.length && !isMark(items[end], ';'); end++) {
      if (isItem(items[end], 'CASE')) cases++
      else if (cases > 0 && isItem(items[end], 'END')) cases--
      else if (endsQuery(items, end)) break
    }
    const body = items.slice(start + 1, end)
    const clause = body.findIndex((item) => isItem(item, ...CLAUSES))
    const list = clause < 0 ? body : body.slice(0, clause)
    const hasTop = isItem(list[0], 'TOP') || isItem(list[1], 'TOP')
    const first = list.findIndex((item) => !isItem(item, 'DISTINCT', 'ALL', 'TOP'))
    const columns = splitByComma(hasTop ? list.slice(first + 1) : list.slice(first))
    return { columns, after: clause < 0 ? [] : body.slice(clause), hasTop, isFirst: start === 0 }
  })
}

/** `WITH (hints)` and `SET` of an UPDATE are no statements of their own. */
const endsQuery = (items: readonly Item[], index: number): boolean =>
  isItem(items[index], ...STATEMENTS) && !(isItem(items[index], 'WITH') && items[index + 1]?.kind === 'group')

function splitByComma(items: readonly Item[]): readonly (readonly Item[])[] {
  const parts: Item[][] = [[]]
  for (const item of items) {
    if (isMark(item, ',')) parts.push([])
    else parts.at(-1)?.push(item)
  }
  return parts.filter((part) => part.length > 0)
}

/** The name that a query gives a column: `*` for all, null for none. */
function nameOf(column: readonly Item[]): string | null {
  const last = column.at(-1)
  if (isMark(last, '*')) return '*'
  if (last === undefined || last.kind === 'group') return null
  const before = column.at(-2)
  const isAlias = isItem(before, 'AS') || (before?.kind === 'group' && !isItem(last, 'END'))
  const isColumn = column.length === 1 || isMark(before, '.')
  const isName =
    last.kind === 'quoted' || (last.kind === 'word' && !last.text.startsWith('@') && !isWord(last, 'NULL', 'END'))
  if (last.kind === 'string' && isItem(before, 'AS')) return last.text
  return isName && (isAlias || isColumn) ? last.text : null
}

const isForJson = ({ after }: Query): boolean =>
  after.some((item, index) => isItem(item, 'FOR') && isItem(after[index + 1], 'JSON'))
const hasOffset = ({ after }: Query): boolean => after.some((item) => isItem(item, 'OFFSET'))

const jsonColumns: Rule = ({ root }) =>
  [...groupsOf(root)].flatMap((group) =>
    queriesOf(group)
      .filter(isForJson)
      .flatMap(({ columns }) => {
        const names = columns.map(nameOf)
        const paths = names.flatMap((name) => (name === null || name === '*' ? [] : [name]))
        return [
          ...(names.includes(null) ? ['a column of FOR JSON has no name (13605)'] : []),
          ...paths.flatMap((path, index) =>
            paths.some(
              (other, at) =>
                at < index && (other === path || other.startsWith(`${path}.`) || path.startsWith(`${other}.`)),
            )
              ? [`two columns of FOR JSON want the property ${path} (13601)`]
              : [],
          ),
        ]
      }),
  )

/** The queries of derived tables and CTEs: each column has one name, unless the alias lists names. */
const derivedTables: Rule = ({ root }) =>
  [...groupsOf(root)].flatMap(({ items }) =>
    items.flatMap((item, index) => {
      if (item.kind !== 'group' || !isItem(item.items[0], 'SELECT')) return []
      const before = items[index - 1]
      const isTable =
        isItem(before, 'FROM', 'JOIN', 'APPLY', 'USING') || (isMark(before, ',') && isInFrom(items, index))
      const isCte = isItem(before, 'AS') && !isTable && items.slice(0, index).some((one) => isItem(one, 'WITH'))
      if (!isTable && !isCte) return []
      const alias = isItem(items[index + 1], 'AS') ? items[index + 2] : items[index + 1]
      const list = items[index + (isItem(items[index + 1], 'AS') ? 3 : 2)]
      const [query] = queriesOf(item)
      if (!query) return []
      if (
        isTable &&
        (alias === undefined ||
          alias.kind === 'group' ||
          alias.kind === 'symbol' ||
          isItem(alias, 'WHERE', 'ON', 'ORDER', 'FOR'))
      )
        return ['a derived table has no alias']
      if (isTable && list?.kind === 'group') {
        const count = splitByComma(list.items).length
        const found = isForJson(query) ? 1 : query.columns.some((c) => nameOf(c) === '*') ? count : query.columns.length
        return count === found ? [] : [`a derived table has ${found} columns and ${count} names (8158, 8159)`]
      }
      if (isForJson(query)) return ['the column of a derived table FOR JSON has no name (8155)']
      if (isCte && items[index - 2]?.kind === 'group') return []
      const names = query.columns.map(nameOf)
      const twice = names.filter((name, at) => name !== null && name !== '*' && names.indexOf(name) < at)
      return [
        ...(names.includes(null) ? ['a column of a derived table has no name (8155)'] : []),
        ...twice.map((name) => `a derived table has the column ${name} twice (8156)`),
      ]
    }),
  )

const isInFrom = (items: readonly Item[], index: number): boolean =>
  items.slice(0, index).reduce((inFrom, item) => {
    if (isItem(item, 'FROM')) return true
    return isItem(item, 'SELECT', 'WHERE', 'ORDER', 'GROUP', 'VALUES', 'SET') ? false : inFrom
  }, false)

const orders: Rule = ({ root }) =>
  [...groupsOf(root)].flatMap((group) =>
    queriesOf(group).flatMap((query) => {
      const { after, hasTop } = query
      const isOrdered = after.some((item, index) => isItem(item, 'ORDER') && isItem(after[index + 1], 'BY'))
      const problems: string[] = []
      if (group !== root && isOrdered && !hasTop && !hasOffset(query) && !after.some((item) => isItem(item, 'FOR')))
        problems.push('ORDER BY in a subquery needs TOP, OFFSET or FOR (1033)')
      if (hasOffset(query) && !isOrdered) problems.push('OFFSET without ORDER BY')
      if (hasOffset(query) && hasTop) problems.push('TOP and OFFSET in one query (10741)')
      return problems
    }),
  )

const textOf = (item: Item): string => (item.kind === 'group' ? `(${item.items.map(textOf).join(' ')})` : item.text)

/** What a query is ordered by. */
const orderKeys: Rule = ({ root }) =>
  [...groupsOf(root)].flatMap((group) =>
    queriesOf(group).flatMap(({ after }) => {
      const start = after.findIndex((item, index) => isItem(item, 'ORDER') && isItem(after[index + 1], 'BY'))
      if (start < 0) return []
      const rest = after.slice(start + 2)
      const end = rest.findIndex((item) => isItem(item, 'OFFSET', 'FOR', 'OPTION'))
      const keys = splitByComma(end < 0 ? rest : rest.slice(0, end)).map((key) =>
        key
          .filter((item) => !isItem(item, 'ASC', 'DESC'))
          .map(textOf)
          .join(' '),
      )
      const twice = keys.filter((key, index) => keys.indexOf(key) < index)
      return twice.map((key) => `${key} is ordered by twice (169)`)
    }),
  )

/** SET @x = …, and the assignments of an UPDATE, are no lists. */
const setTwice: Rule = ({ root: { items } }) =>
  items.flatMap((item, index) => {
    if (!isItem(item, 'SET') || !items.slice(0, index).some((one) => isItem(one, 'UPDATE'))) return []
    const rest = items.slice(index + 1)
    const end = rest.findIndex((one) => isItem(one, 'OUTPUT', 'FROM', 'WHERE') || isMark(one, ';'))
    const names = splitByComma(end < 0 ? rest : rest.slice(0, end)).flatMap(([name]) => (name ? [textOf(name)] : []))
    return names.filter((name, at) => names.indexOf(name) < at).map((name) => `${name} is set twice (264)`)
  })

/** In a table of its own a text has the collation of tempdb, which may be another than the database's. */
const temporaryTexts: Rule = ({ tokens }) =>
  tokens.flatMap((token, index) => {
    if (!isWord(token, 'TABLE') || !isWord(tokens[index - 1], 'CREATE')) return []
    if (!tokens[index + 1]?.text.startsWith('#')) return []
    const end = tokens.findIndex((one, at) => at > index && isSymbol(one, ';'))
    const definition = tokens.slice(index, end < 0 ? undefined : end)
    return definition.some((one, at) => {
      if (!isWord(one, 'CHAR', 'VARCHAR', 'NCHAR', 'NVARCHAR')) return false
      const close = definition.findIndex((next, place) => place > at && isSymbol(next, ')'))
      return !isWord(definition[(isSymbol(definition[at + 1], '(') ? close : at) + 1], 'COLLATE')
    })
      ? ['a text of a temporary table without COLLATE has that of tempdb (468)']
      : []
  })

const AGGREGATES = ['COUNT', 'COUNT_BIG', 'SUM', 'AVG', 'MIN', 'MAX', 'STDEV', 'STDEVP', 'VAR', 'VARP', 'STRING_AGG']

const aggregates: Rule = ({ root }) =>
  [...groupsOf(root)].flatMap(({ items }) =>
    items.flatMap((item, index) => {
      const argument = items[index + 1]
      if (!isItem(item, ...AGGREGATES) || argument?.kind !== 'group' || isMark(items[index - 1], '.')) return []
      const inside = [...groupsOf(argument)]
      const hasQuery = inside.some((one) => one.items.some((part) => isItem(part, 'SELECT')))
      const isNested = inside.some(({ items: parts }) =>
        parts.some((part, at) => isItem(part, ...AGGREGATES) && parts[at + 1]?.kind === 'group'),
      )
      return hasQuery || isNested ? ['an aggregate over an aggregate or a subquery (130)'] : []
    }),
  )

/** A table with a trigger refuses OUTPUT to the client; so does OUTPUT with a subquery everywhere. */
const outputs: Rule = ({ tokens }) =>
  tokens.flatMap((token, index) => {
    if (!isWord(token, 'OUTPUT') || !isSymbol(tokens[index + 2], '.')) return []
    const statement = tokens.slice(0, index).map((one) => one.text.toLowerCase())
    // the tables of the engine's own catalogue have no triggers
    if (statement.slice(-12).includes('svc_catalog')) return []
    const rest = tokens.slice(index)
    const end = rest.findIndex((one) => isWord(one, 'INTO', 'VALUES', 'FROM', 'WHERE', 'SELECT') || isSymbol(one, ';'))
    return isWord(rest[end], 'INTO') ? [] : ['OUTPUT without INTO fails on a table with a trigger (334)']
  })

const batches: Rule = ({ root: { items }, tokens }) =>
  items.flatMap((item, index) => {
    const before = items[index - 1]
    if (
      isItem(item, 'WITH') &&
      items[index + 1]?.kind !== 'group' &&
      isCteStart(items, index) &&
      before !== undefined &&
      !isMark(before, ';')
    )
      return ['WITH needs a semicolon before it (319)']
    if (isItem(item, 'MERGE') && !isSymbol(tokens.at(-1), ';') && !items.slice(index).some((one) => isMark(one, ';')))
      return ['MERGE has to end with a semicolon (10713)']
    const created = isItem(items[index + 1], 'OR') ? items[index + 3] : items[index + 1]
    if (
      isItem(item, 'CREATE') &&
      isItem(created, 'TRIGGER', 'VIEW', 'PROCEDURE', 'PROC', 'FUNCTION', 'SCHEMA') &&
      index > 0
    )
      return [`CREATE ${created?.kind === 'word' ? created.key : ''} has to be the first statement of a batch (111)`]
    return []
  })

const isCteStart = (items: readonly Item[], index: number): boolean =>
  isItem(items[index + 2], 'AS') || isItem(items[index + 3], 'AS')

const rules: readonly Rule[] = [
  foreignMarks,
  foreignWords,
  fetchRows,
  emptyLists,
  literals,
  lengths,
  parameters,
  rowsOfValues,
  temporaryTables,
  jsonColumns,
  derivedTables,
  orders,
  orderKeys,
  setTwice,
  temporaryTexts,
  aggregates,
  outputs,
  batches,
]
