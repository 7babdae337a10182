import type { DatabaseType } from '../../../ir/index.ts'
import type { DatabaseTable } from '../../database-objects.ts'
import type { Capture, CapturedColumns, CapturedOperation } from '../../event-store.ts'
import { type Sql as Fragment, ident, join, literal, print, sql, tableName } from '../../sql.ts'
import { shown } from '../compile/cast.ts'
import { mssqlDialect } from '../dialect.ts'
import { isType, knownType } from '../types/known-types.ts'

type Column = Capture['columns'][number]

/** Of a trigger, in the schema of its table (docs/sql-server.md#events). */
export const captureName = (trigger: string, operation: CapturedOperation): string =>
  `notify_svc_${trigger}_${operation.toUpperCase()}`

/** Returns why changes of a table cannot be captured as events, or null where they can. */
export function captureProblem(
  { columns, primaryKey }: DatabaseTable,
  operations: readonly CapturedOperation[],
): string | null {
  if (columns.some(({ type }) => isType(type, 'geography', 'geometry')))
    return 'Event triggers for MS-SQL sources are not supported on tables having Geometry or Geography column types'
  if (operations.includes('update') && !primaryKey)
    return 'Update event triggers for MS-SQL sources are only supported on tables with primary keys'
  return null
}

/**
 * The trigger that stores an event for each row which a statement has changed. It counts no rows and returns none, so
 * that the sender of the statement sees nothing of it. An update needs a key, by which rows before and after are one.
 */
export function captureTrigger(capture: Capture, operation: CapturedOperation, key: readonly string[]): string {
  const { table, trigger, onReplication } = capture
  const name = tableName({ schema: table.schema, name: captureName(trigger, operation) })
  const event = { insert: sql`INSERT`, update: sql`UPDATE`, delete: sql`DELETE` }[operation]
  const replication = onReplication === false ? sql` NOT FOR REPLICATION` : sql``
  const { payload, rows } = changesOf(capture, operation, key)
  const names = sql`[schema_name], [table_name], [trigger_name], [payload]`
  const values = sql`${literal(table.schema)}, ${literal(table.name)}, ${literal(trigger)}, ${payload}`
  return print(
    sql`CREATE TRIGGER ${name} ON ${tableName(table)} AFTER ${event}${replication} AS
BEGIN
SET NOCOUNT ON;
INSERT INTO [svc_catalog].[event_log] (${names})
SELECT ${values}
FROM ${rows};
END`,
    mssqlDialect,
  ).text
}

const before: Fragment = sql`[d]`
const after: Fragment = sql`[n]`

function changesOf(capture: Capture, operation: CapturedOperation, key: readonly string[]) {
  const declared = capture.operations[operation]
  const columns = chosen(capture, declared?.payload ?? '*')
  const old = rowJson(before, columns)
  const now = rowJson(after, columns)
  const none = sql`N'null'`
  switch (operation) {
    case 'insert':
      return { payload: payloadOf('INSERT', none, now), rows: sql`INSERTED AS ${after}` }
    case 'delete':
      return { payload: payloadOf('DELETE', old, none), rows: sql`DELETED AS ${before}` }
    case 'update': {
      const listened = chosen(capture, declared?.listen ?? '*')
      const by = join(
        key.map((name) => sql`${before}.${ident(name)} = ${after}.${ident(name)}`),
        sql` AND `,
      )
      const differs = changed(listened)
      const [first = ''] = key
      const isNew = sql`${before}.${ident(first)} IS NULL`
      // a row whose key has changed is a new one, for anyone who listens to the key
      if (!listened.some(({ name }) => key.includes(name)))
        return {
          payload: payloadOf('UPDATE', old, now),
          rows: sql`INSERTED AS ${after} INNER JOIN DELETED AS ${before} ON ${by} WHERE ${differs}`,
        }
      return {
        payload: payloadOf('UPDATE', sql`CASE WHEN ${isNew} THEN ${none} ELSE ${old} END`, now),
        rows: sql`INSERTED AS ${after} LEFT OUTER JOIN DELETED AS ${before} ON ${by} WHERE ${isNew} OR ${differs}`,
      }
    }
  }
}

/** Put together of texts: a server that knows no JSON inside of JSON makes the same of it. */
const payloadOf = (operation: string, old: Fragment, now: Fragment): Fragment =>
  sql`CAST(N'{"op":' AS nvarchar(max)) + ${literal(JSON.stringify(operation))} + N',"data":{"old":' + ${old} + N',"new":' + ${now} + N'}}'`

/** Of the columns that a trigger can read: those of these types it cannot. */
function chosen({ columns }: Capture, names: CapturedColumns): readonly Column[] {
  return columns.filter(
    ({ name, type }) => (names === '*' || names.includes(name)) && !isType(type, 'text', 'ntext', 'image'),
  )
}

/** The JSON of a row. FOR JSON would take a dot in a name for a level of its own. */
function rowJson(row: Fragment, columns: readonly Column[]): Fragment {
  const value = ({ name, type }: Column) => shown(sql`${row}.${ident(name)}`, type)
  if (columns.length === 0) return sql`N'{}'`
  if (!columns.some(({ name }) => name.includes('.'))) {
    const list = columns.map((column) => sql`${value(column)} AS ${ident(column.name)}`)
    return sql`(SELECT ${join(list, sql`, `)} ${asJson})`
  }
  const members = columns.map((column, i) => {
    const label = literal(`${i === 0 ? '{' : ','}${JSON.stringify(column.name)}:`)
    // what stands between {"v": and }
    const json = sql`(SELECT ${value(column)} AS [v] ${asJson})`
    return sql`${label} + STUFF(LEFT(${json}, LEN(${json} + N'.') - 2), 1, 5, N'')`
  })
  return sql`(${join(members, sql` + `)} + N'}')`
}

const asJson: Fragment = sql`FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER`

/** Some of these is another value than before: NULL equals NULL, and texts are equal to the letter and the last blank. */
function changed(columns: readonly Column[]): Fragment {
  if (columns.length === 0) return sql`(1<>1)`
  const list = (row: Fragment) =>
    join(
      columns.map(({ name, type }, i) => sql`${compared(sql`${row}.${ident(name)}`, type)} AS ${ident(`c${i}`)}`),
      sql`, `,
    )
  return sql`EXISTS (SELECT ${list(before)} EXCEPT SELECT ${list(after)})`
}

/** A collation may take different letters for the same. */
function compared(value: Fragment, type: DatabaseType): Fragment {
  if (isType(type, 'xml')) return sql`CAST(CAST(${value} AS nvarchar(max)) AS varbinary(max))`
  const isText = knownType(type).family === 'text' || isType(type, 'sysname')
  return isText ? sql`CAST(${value} AS varbinary(max))` : value
}
