import type { DeleteRowsArgs, InsertRowsArgs, Json, JsonObject, UpdateRowsArgs } from '@svc/schema'
import { ApiError, type Path } from '../errors.ts'
import { columnOperand, type RoleTable, type RowAccess, type WriteTable } from '../graphql/index.ts'
import {
  type Assignment,
  type AssignmentOperator,
  allOf,
  type Conflict,
  type InsertList,
  type InsertRow,
  type RowField,
  type Value,
  type Write,
  type WriteAnswer,
} from '../ir/index.ts'
import type { RoleRows } from './role-rows.ts'

/** `affected_rows`, and what `returning` names. */
export function answerOf(
  rows: RoleRows,
  access: RowAccess,
  returning: readonly string[] | undefined,
  path: Path,
): WriteAnswer {
  const affected = { kind: 'affected-rows', as: 'affected_rows' } as const
  if (!returning) return { kind: 'response', fields: [affected] }
  const at = path.at('returning')
  const table = rows.selecting(access, at)
  const fields = returning.map((name): RowField => {
    const column = rows.column(table, name, at)
    return { kind: 'column', as: name, of: columnOperand(column), path: [] }
  })
  return { kind: 'response', fields: [affected, { kind: 'returning', as: 'returning', fields }] }
}

/** insert: objects whose keys are columns. Throws permission-denied, not-supported for columns with presets. */
export function insertOf(
  rows: RoleRows,
  table: WriteTable,
  { objects, on_conflict }: InsertRowsArgs,
  path: Path,
): InsertList {
  const at = path.at('objects')
  const columns = new Map((table.insert?.columns ?? []).map((column) => [column.name, column]))
  const given = objects.map((object, i): InsertRow => {
    const values = new Map<string, Value>()
    for (const [name, json] of Object.entries(object)) {
      const column = columns.get(name)
      if (!column) throw unwritable(rows, table, name, 'insert', at)
      values.set(name, cellOf(table, column.type, json, at.at(i, name)))
    }
    return { values, before: [], after: [], path: path.keys }
  })
  return {
    into: rows.insertTarget(table),
    conflict: conflictOf(rows, table, objects, on_conflict, path),
    rows: given,
    path: path.keys,
  }
}

function unwritable(rows: RoleRows, table: WriteTable, name: string, kind: 'insert' | 'update', path: Path): ApiError {
  const isPreset = table[kind]?.presets.some(({ column }) => column === name)
  if (isPreset)
    return new ApiError(
      'not-supported',
      path,
      `column "${name}" is not ${kind === 'insert' ? 'insertable' : 'updatable'} for role "${table.role}"; its value is predefined in permission`,
    )
  return rows.missing(table.table.columnsByName.has(name), name, kind, path)
}

function cellOf({ types }: WriteTable, type: Value['type']['type'], json: Json | undefined, path: Path): Value {
  const valueType = { type, list: false }
  return { kind: 'constant', text: types.coerceInput(valueType, json ?? null, path), type: valueType }
}

function conflictOf(
  rows: RoleRows,
  table: WriteTable,
  objects: readonly JsonObject[],
  rule: InsertRowsArgs['on_conflict'],
  path: Path,
): Conflict | null {
  if (!rule) return null
  const at = path.at('on_conflict')
  for (const name of rule.constraint_on ?? [])
    if (!table.table.columnsByName.has(name)) throw rows.missing(false, name, 'insert', at.at('constraint_on'))
  const target: Conflict['target'] =
    rule.constraint !== undefined
      ? { kind: 'constraint', name: rule.constraint }
      : rule.constraint_on?.length
        ? { kind: 'columns', of: rule.constraint_on }
        : { kind: 'any' }
  if (rule.action === 'ignore') return { target, update: null }
  if (target.kind === 'any')
    throw at.error('unexpected-payload', 'expecting "constraint" or "constraint_on" when the "action" is "update"')
  const { update } = table
  if (!update)
    throw new ApiError(
      'permission-denied',
      at,
      `upsert is not allowed for role "${table.role}" since update permissions are not defined`,
    )
  const given = new Set(objects.flatMap((object) => Object.keys(object)))
  const columns = update.columns.map(({ name }) => name).filter((name) => given.has(name))
  if (columns.length + update.presets.length === 0) return { target, update: null }
  const { presets, filter: where, check } = update
  return { target, update: { columns, presets, where, check, knownBy: knownBy(table, target) } }
}

function knownBy({ table }: WriteTable, target: Conflict['target']): readonly string[] | null {
  if (table.hasSystemColumns) return null
  if (target.kind === 'columns') return target.of
  return table.uniqueKeys.find(({ name }) => target.kind === 'constraint' && name === target.name)?.columns ?? []
}

const operators = [
  ['$set', 'set'],
  ['values', 'set'],
  ['$inc', 'inc'],
  ['$mul', 'mul'],
] as const satisfies readonly (readonly [string, AssignmentOperator])[]

/** update. Throws unexpected-payload where it sets nothing. */
export function updateOf(
  rows: RoleRows,
  table: WriteTable,
  args: UpdateRowsArgs,
  answer: WriteAnswer,
  path: Path,
): Write {
  const { update } = table
  if (!update) throw new Error('the role was found to update')
  const columns = new Map(update.columns.map((column) => [column.name, column]))
  const column = (name: string, at: Path) => {
    const found = columns.get(name)
    if (!found) throw unwritable(rows, table, name, 'update', at)
    return found
  }
  const assignments = operators.flatMap(([key, operator]) =>
    Object.entries(args[key] ?? {}).map(
      ([name, json]): Assignment => ({
        column: name,
        operator,
        value: cellOf(table, column(name, path.at(key)).type, json, path.at(key, name)),
      }),
    ),
  )
  for (const name of args.$default ?? []) {
    column(name, path.at('$default'))
    assignments.push({ column: name, operator: 'default' })
  }
  for (const { column: name, value } of update.presets) assignments.push({ column: name, operator: 'set', value })
  if (assignments.length === 0)
    throw new ApiError('unexpected-payload', path, 'atleast one of $set, $inc, $mul has to be present')
  const repeated = assignments.find(({ column: name }, i) => assignments.findIndex((one) => one.column === name) < i)
  if (repeated) throw new ApiError('unexpected-payload', path, `column "${repeated.column}" is set more than once`)
  const where = rows.condition(readable(table), args.where, path.at('where'))
  return {
    kind: 'update',
    table: table.table.table,
    assignments,
    where: allOf([update.filter, where]),
    check: update.check,
    isPlain: false,
    answer,
  }
}

export function deleteOf(
  rows: RoleRows,
  table: WriteTable,
  args: DeleteRowsArgs,
  answer: WriteAnswer,
  path: Path,
): Write {
  const remove = table.delete
  if (!remove) throw new Error('the role was found to delete')
  const where = rows.condition(readable(table), args.where, path.at('where'))
  return {
    kind: 'delete',
    table: table.table.table,
    where: allOf([remove.filter, where]),
    isPlain: false,
    answer,
  }
}

/** Conditions are over what the role may select, even where it writes. */
const readable = ({ select }: WriteTable): RoleTable => select
