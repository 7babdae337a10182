/** What becomes of the rows that a statement wrote: they are `"m"`, a column `row` of the table's own type each. */
import {
  type BooleanExpression,
  isAlways,
  type QualifiedName,
  type ResponseField,
  type RowField,
  type WriteAnswer,
} from '../../../ir/index.ts'
import { ident, join, literal, sql } from '../../sql.ts'
import { compileBooleanExpression } from '../compile/boolean-expression.ts'
import { compileFields } from '../compile/fields.ts'
import { type JsonEntry, jsonFrom, listOf, objectFrom, objectsOf } from '../compile/json-shapes.ts'
import { selection } from '../compile/rows.ts'
import type { Scope, Sql, StatementContext } from '../compile/scope.ts'
import { compileValue } from '../compile/values.ts'
import { answerEntries } from './answer-entries.ts'
import { failing, type WriteFailure } from './write-failure.ts'
import type { WriteResult } from './write-statement.ts'

/** What has to be true of each row that is written; null where there is nothing to read. */
export interface Conditions {
  /** Its check. */
  readonly check: Sql | null
  /** The statement changed the version of it that it sees. */
  readonly seen: Sql | null
}

/** What stands after RETURNING. */
export function written({ row }: Scope, { check, seen }: Conditions): Sql {
  const columns: Sql[] = [sql`${row} AS "row"`]
  if (check) columns.push(sql`${check} AS "ok"`)
  if (seen) columns.push(sql`${seen} AS "seen"`)
  return join(columns, sql`, `)
}

/** Whether a row is as its check wants it; unknown is no. Null where there is nothing to check. */
export const checkColumn = (check: BooleanExpression, scope: Scope): Sql | null =>
  isAlways(check) ? null : sql`(${compileBooleanExpression(check, scope)}) IS TRUE`

/**
 * Returns the SQL after RETURNING of a statement that writes one row at most and whose answer is that row: no
 * query around it, which takes the database half as long again. Null for all other statements.
 */
export function writtenAnswer(result: WriteResult, { check, seen }: Conditions, scope: Scope): Sql | null {
  if (result.kind !== 'answer' || result.answer.kind !== 'row') return null
  const isNull = sql`(${scope.row} IS NULL)::text`
  const failed = (failure: WriteFailure) => sql`to_json(${failing(failure, isNull)})`
  const json = sql`to_json(${objectFrom(answerEntries(result.answer.fields, scope))})`
  const known = seen ? sql`CASE WHEN ${seen} THEN ${json} ELSE ${failed('missed')} END` : json
  return check ? sql`CASE WHEN ${check} THEN ${known} ELSE ${failed('check')} END AS "root"` : sql`${known} AS "root"`
}

/** Some row that a query wrote is not as its check wants it. */
export const isForbidden = (query: Sql): Sql => sql`(SELECT bool_and("ok") FROM ${query}) IS FALSE`

/** The whole statement around one that writes, whose rows have columns of its conditions. */
export function resultOf(
  write: Sql,
  table: QualifiedName,
  result: WriteResult,
  { check, seen }: Conditions,
  guard: Sql | null,
  statement: StatementContext,
): Sql {
  const failures = {
    guard,
    forbidden: check && isForbidden(sql`"m"`),
    missed: seen && sql`(SELECT bool_and("seen" IS TRUE) FROM "m") IS FALSE`,
  }
  const root = rootOf(table, result, failures, sql`(SELECT count(*) FROM "m")`, statement)
  return sql`WITH "m" AS (${write}) SELECT ${root} AS "root"`
}

/** What a statement fails for: a check says no, or a row was changed that it did not see. Null where that cannot be. */
export interface Failures {
  /** True, or the whole statement is in vain. */
  readonly guard: Sql | null
  readonly forbidden: Sql | null
  readonly missed: Sql | null
}

/** What a statement returns. `count`: of all that it wrote. */
export function rootOf(
  table: QualifiedName,
  result: WriteResult,
  { guard, forbidden, missed }: Failures,
  count: Sql,
  statement: StatementContext,
): Sql {
  switch (result.kind) {
    case 'answer': {
      const answer = answerOf(result.answer, table, count, statement, answerEntries)
      const cases = [
        // before anything of it runs
        ...(guard ? [sql`WHEN NOT ${guard} THEN NULL`] : []),
        ...(forbidden ? [sql`WHEN ${forbidden} THEN to_json(${failing('check', count)})`] : []),
        ...(missed ? [sql`WHEN ${missed} THEN to_json(${failing('missed', count)})`] : []),
      ]
      return cases.length > 0 ? sql`CASE ${join(cases, sql` `)} ELSE ${answer} END` : answer
    }
    case 'saved': {
      const rows = sql`(SELECT COALESCE(array_agg("row"), '{}')::text FROM "m")`
      const name = result.count && compileValue(result.count)
      const settings = [
        ...(result.as ? [sql`length(set_config(${compileValue(result.as)}, ${rows}, true))`] : []),
        // a setting that a transaction before this one had is empty
        ...(name
          ? [
              sql`length(set_config(${name}, (COALESCE(NULLIF(current_setting(${name}, true), ''), '0')::bigint + ${count})::text, true))`,
            ]
          : []),
      ]
      const cases = [
        ...(forbidden ? [sql`WHEN ${forbidden} THEN ${failing('check', count)}`] : []),
        ...(result.required ? [sql`WHEN ${count} = 0 THEN ${failing('empty', count)}`] : []),
      ]
      const value = settings.length > 0 ? join(settings, sql` + `) : count
      return cases.length > 0 ? sql`CASE ${join(cases, sql` `)} ELSE ${value} END` : value
    }
  }
}

/** The members of the object of a row. */
type EntriesOf = (fields: readonly RowField[], scope: Scope) => readonly JsonEntry[]

/** Looked up row by row, so that the order of the rows remains. */
export const rowEntries: EntriesOf = (fields, scope) => compileFields(fields, scope, { left: 0 }).entries

/** The answer of a root field as JSON, from rows that are `"m"`. */
export function answerOf(
  answer: WriteAnswer,
  table: QualifiedName,
  count: Sql,
  statement: StatementContext,
  entriesOf: EntriesOf,
): Sql {
  switch (answer.kind) {
    case 'nothing':
      return sql`to_json(${count})`
    case 'row':
      return sql`(SELECT to_json("r") FROM (${objectsOf(...rowsOf(answer.fields, table, statement, entriesOf))} LIMIT 1) AS "r" ("r"))`
    case 'response': {
      const entries = answer.fields.map((field) => ({
        key: field.as,
        value: responseValue(field, table, count, statement, entriesOf),
      }))
      return jsonFrom(entries)
    }
  }
}

function responseValue(
  field: ResponseField,
  table: QualifiedName,
  count: Sql,
  statement: StatementContext,
  entriesOf: EntriesOf,
): Sql {
  switch (field.kind) {
    case 'typename':
      return sql`${literal(field.name)}::text`
    case 'affected-rows':
      return count
    case 'returning':
      return listOf(...rowsOf(field.fields, table, statement, entriesOf))
  }
}

function rowsOf(
  fields: readonly RowField[],
  table: QualifiedName,
  statement: StatementContext,
  entriesOf: EntriesOf,
): readonly [entries: readonly JsonEntry[], from: Sql] {
  const { from, scope } = selection(sql`SELECT ("m".${ident('row')}).* FROM "m"`, table, [], statement)
  return [entriesOf(fields, scope), from]
}
