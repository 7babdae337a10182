/**
 * What a query must answer, computed over rows in memory and written from docs/reference alone: nothing of
 * the engine is imported, and what PostgreSQL says of NULL, order and aggregates is said again by hand.
 */
import type { Expected } from './expected.ts'
import { answerAggregate } from './oracle-aggregate.ts'
import { cellOf, computedRows, joined } from './oracle-condition.ts'
import { answerConnection, nodeId } from './oracle-connection.ts'
import { nativeRows, rowsOf } from './oracle-routine.ts'
import { keyOf, related, selectRows } from './oracle-rows.ts'
import { object, shown } from './oracle-shown.ts'
import type { Asker } from './oracle-view.ts'
import type { Field, Given, Root, Rows } from './query.ts'
import type { Routine, Row, Table, World } from './world.ts'
import { relationshipOf, tableOf, typeOf } from './world-lookup.ts'

export const answer = (asker: Asker, roots: readonly Root[]): Expected =>
  object(roots.map((root) => [root.as, answerRoot(asker, root)]))

function answerRoot(asker: Asker, root: Root): Expected {
  const { world, view, session } = asker
  const table = tableOf(world, root.table)
  switch (root.kind) {
    case 'list':
      return answerList(asker, table, view.visible(table, table.rows), root.rows, root.fields)
    case 'aggregate':
      return answerAggregate(asker, table, view.visible(table, table.rows), root.rows, root.parts)
    case 'connection':
      return answerConnection(asker, table, view.visible(table, table.rows), root.page)
    case 'by_pk': {
      const row = view
        .visible(table, table.rows)
        .find((one) => Object.entries(root.key).every(([column, value]) => cellOf(asker, table, one, column) === value))
      return row ? answerObject(asker, table, row, root.fields) : null
    }
    case 'node': {
      const row = view
        .visible(table, table.rows)
        .find((one) => Object.entries(root.key).every(([column, value]) => keyOf(asker, table, one, column) === value))
      return row ? answerObject(asker, table, row, root.fields) : null
    }
    case 'function': {
      const routine = functionOf(world, root.name)
      const rows = view.visible(table, rowsOf(world, routine, null, root.given, session))
      if (routine.body.kind !== 'rows' || !routine.body.single)
        return answerList(asker, table, rows, root.rows, root.fields)
      const list = selectRows(asker, table, rows, root.rows)
      return list[0]?.[0] ? answerObject(asker, table, list[0][0], root.fields) : null
    }
    case 'function-aggregate': {
      const rows = view.visible(table, rowsOf(world, functionOf(world, root.name), null, root.given, session))
      return answerAggregate(asker, table, rows, root.rows, root.parts)
    }
    case 'function-connection': {
      const rows = view.visible(table, rowsOf(world, functionOf(world, root.name), null, root.given, session))
      return answerConnection(asker, table, rows, root.page)
    }
    case 'native': {
      const rows = view.visible(table, nativeRows(world, queryOf(world, root.name), root.given))
      return answerList(asker, table, rows, root.rows, root.fields)
    }
  }
}

function functionOf(world: World, name: string): Routine {
  const found = world.routines.find((one) => one.table === null && one.name === name)
  if (!found) throw new Error(`no function ${name}`)
  return found
}

function queryOf(world: World, name: string) {
  const found = world.queries.find((one) => one.name === name)
  if (!found) throw new Error(`no native query ${name}`)
  return found
}

export function answerList(
  asker: Asker,
  table: Table,
  candidates: readonly Row[],
  rows: Rows,
  fields: readonly Field[],
): Expected {
  const limit = lower(rows.limit, asker.view.grant(table.name)?.limit ?? null)
  const groups = selectRows(asker, table, candidates, { ...rows, limit })
  return { kind: 'list', groups: groups.map((group) => group.map((row) => answerObject(asker, table, row, fields))) }
}

export const answerObject = (asker: Asker, table: Table, row: Row, fields: readonly Field[]): Expected =>
  object(fields.map((field) => [field.as, answerField(asker, table, row, field)]))

function answerField(asker: Asker, table: Table, row: Row, field: Field): Expected {
  const { world, view } = asker
  switch (field.kind) {
    case 'column': {
      if (field.column === '__typename') return table.name
      return shown(asker, cellOf(asker, table, row, field.column), typeOf(world, table, field.column), field.path)
    }
    case 'computed': {
      const value = cellOf(asker, table, row, field.field, field.given)
      return shown(asker, value, typeOf(world, table, field.field), field.path)
    }
    case 'rows': {
      const { table: target, rows } = computedRows(asker, table, row, field.field, field.given)
      return answerList(asker, target, view.visible(target, rows), field.rows, field.fields)
    }
    case 'object': {
      const { target, rows } = reachedBy(asker, table, row, field.relationship, field.given)
      if (rows.length > 1)
        return { kind: 'one-of', of: rows.map((one) => answerObject(asker, target, one, field.fields)) }
      const [only] = rows
      return only ? answerObject(asker, target, only, field.fields) : null
    }
    case 'array': {
      const { target, rows } = reachedBy(asker, table, row, field.relationship, field.given)
      return answerList(asker, target, rows, field.rows, field.fields)
    }
    case 'aggregate': {
      const { target, rows } = related(asker, table, row, field.relationship)
      return answerAggregate(asker, target, rows, field.rows, field.parts)
    }
    case 'connection': {
      const { target, rows } = related(asker, table, row, field.relationship)
      return answerConnection(asker, target, rows, field.page)
    }
    case 'node-id':
      return nodeId(asker, table, row)
  }
}

/** What a relationship leads to, be it to rows of a native query. */
function reachedBy(asker: Asker, table: Table, row: Row, name: string, given: Given) {
  const { world, view } = asker
  const way = relationshipOf(world, table.name, name)
  if (way.query === undefined) return related(asker, table, row, name)
  const target = tableOf(world, way.target)
  return {
    target,
    rows: view.visible(target, joined(way.columns, row, nativeRows(world, queryOf(world, way.query), given))),
  }
}

export const lower = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b)
