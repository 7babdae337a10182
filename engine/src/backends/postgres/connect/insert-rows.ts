import type { Json, JsonObject } from '@svc/schema'
import { ApiError, type Path } from '../../../errors.ts'
import { parseExactly } from '../../../exact-json/index.ts'
import type { DatabaseColumn, RowInsert } from '../../backend.ts'
import { bind, ident, join, print, type Sql, sql } from '../../sql.ts'
import { castTo } from '../compile/cast.ts'
import { columnJson } from '../compile/column-json.ts'
import { coerceInput } from '../types/coerce-input.ts'
import { fromSqlState } from './from-sql-state.ts'
import { runScript } from './open-client.ts'
import type { PreparedNames } from './prepared-names.ts'
import { ValueStatement } from './statements.ts'
import type { SourceClient } from './wire.ts'

interface Inserted {
  readonly affected_rows: number
  readonly returning?: readonly Json[]
}

/**
 * The row API's insert (spec 02 §8): one statement, or several in one transaction when there are more values than a
 * statement can take. Throws permission-denied for unknown columns, unexpected-payload for an update without a
 * constraint, and what the database says as §4.8 has it.
 */
export async function insertRows(
  client: SourceClient,
  names: PreparedNames,
  insert: RowInsert,
  path: Path,
): Promise<Inserted> {
  const columns = insertedColumns(insert, path)
  const returned = (insert.returning ?? []).map((name) => findColumn(insert, name, path.at('returning')))
  refuseConflictWithNothing(insert, path)
  const rowsPerStatement = Math.max(1, Math.floor(MOST_PARAMETERS / Math.max(1, columns.length)))
  const parts: Inserted[] = []
  const several = insert.rows.length > rowsPerStatement
  if (several) await runScript(client, 'BEGIN')
  try {
    for (let i = 0; i < insert.rows.length; i += rowsPerStatement)
      parts.push(await insertPart(client, names, insert, { columns, returned }, i, rowsPerStatement, path))
    if (several) await runScript(client, 'COMMIT')
  } catch (error) {
    if (several) await runScript(client, 'ROLLBACK').catch(() => {})
    throw error
  }
  return parts.reduce(
    (sum, part) => ({
      affected_rows: sum.affected_rows + part.affected_rows,
      ...(insert.returning && { returning: [...(sum.returning ?? []), ...(part.returning ?? [])] }),
    }),
    { affected_rows: 0, ...(insert.returning && { returning: [] }) },
  )
}

function refuseConflictWithNothing({ onConflict }: RowInsert, path: Path): void {
  if (onConflict?.action !== 'update' || onConflict.constraint !== undefined || onConflict.constraintOn?.length) return
  throw new ApiError(
    'unexpected-payload',
    path.at('on_conflict'),
    'expecting "constraint" or "constraint_on" when the "action" is "update"',
  )
}

/** The protocol counts them in 16 bits. */
const MOST_PARAMETERS = 65_535

async function insertPart(
  client: SourceClient,
  names: PreparedNames,
  insert: RowInsert,
  { columns, returned }: Columns,
  from: number,
  count: number,
  path: Path,
): Promise<Inserted> {
  const rows = insert.rows
    .slice(from, from + count)
    .map((row, i) => valuesOf(row, columns, path.at('objects', from + i)))
  const { text, slots } = print(statementOf(insert, { columns, returned }, rows))
  const parameters = slots.map(({ text: value }) => value)
  const answer = await new Promise<Buffer>((resolve, reject) =>
    client.run(
      new ValueStatement({ text, name: null, parameters }, names, { resolve, reject }, client.values.pooled?.settings),
    ),
  ).catch((error: unknown) => {
    throw fromSqlState(error, path, { text, parameters, prepared: false, isAdmins: true })
  })
  return parseExactly(answer.toString()) as Inserted
}

interface Columns {
  readonly columns: readonly DatabaseColumn[]
  readonly returned: readonly DatabaseColumn[]
}

/** One bound value; an object, so that equal texts are parameters of their own. */
interface Bound {
  readonly text: string | null
}

function statementOf(
  insert: RowInsert,
  { columns, returned }: Columns,
  rows: readonly (readonly Sql<Bound>[])[],
): Sql<Bound> {
  const { schema, name } = insert.table.table
  const comma = sql`, `
  // a row of defaults alone still needs a column to name
  const named = columns.length > 0 ? columns : insert.table.columns.slice(0, 1)
  const values = rows.map((row) => sql`(${row.length > 0 ? join(row, comma) : sql`DEFAULT`})`)
  const row = join(
    returned.map((column) => sql`${columnJson(ident(column.name), column.type, false)} AS ${ident(column.name)}`),
    comma,
  )
  const returning = insert.returning
    ? sql`, 'returning', COALESCE(json_agg((SELECT row_to_json("r") FROM (SELECT ${row}) AS "r")), '[]')`
    : sql``
  return sql`WITH "inserted" AS (INSERT INTO ${ident(schema)}.${ident(name)} (${join(
    named.map((column) => ident(column.name)),
    comma,
  )}) VALUES ${join(values, comma)}${onConflict(insert, named)} RETURNING *)
SELECT json_build_object('affected_rows', count(*)${returning}) FROM "inserted"`
}

function onConflict({ onConflict: rule }: RowInsert, columns: readonly DatabaseColumn[]): Sql {
  if (rule === null) return sql``
  const names = (list: readonly string[]) => join(list.map(ident), sql`, `)
  const target =
    rule.constraint !== undefined
      ? sql` ON CONSTRAINT ${ident(rule.constraint)}`
      : rule.constraintOn !== undefined
        ? sql` (${names(rule.constraintOn)})`
        : sql``
  if (rule.action === 'ignore') return sql` ON CONFLICT${target} DO NOTHING`
  const assignments = columns.map(({ name }) => sql`${ident(name)} = EXCLUDED.${ident(name)}`)
  return sql` ON CONFLICT${target} DO UPDATE SET ${join(assignments, sql`, `)}`
}

function valuesOf(row: JsonObject, columns: readonly DatabaseColumn[], path: Path): readonly Sql<Bound>[] {
  return columns.map(({ name, type }) => {
    if (!Object.hasOwn(row, name)) return sql`DEFAULT`
    const text = coerceInput({ type, list: false }, row[name], path.at(name))
    return castTo(bind({ text }), { type, list: false })
  })
}

/** The union of the rows' keys, in the order of the table. */
function insertedColumns(insert: RowInsert, path: Path): readonly DatabaseColumn[] {
  const given = new Set(insert.rows.flatMap((row) => Object.keys(row)))
  for (const name of given) findColumn(insert, name, path.at('objects'))
  return insert.table.columns.filter(({ name }) => given.has(name))
}

function findColumn({ table }: RowInsert, name: string, path: Path): DatabaseColumn {
  const found = table.columns.find((column) => column.name === name)
  if (found) return found
  throw new ApiError('permission-denied', path, `no such column exists: "${name}"`)
}
