import type { SelectionNode } from 'graphql'
import { ApiError, type Path } from '../../errors.ts'
import {
  allOf,
  answerLeadsElsewhere,
  type BooleanExpression,
  type QualifiedName,
  type ResponseField,
  runsUsersCode,
  type Value,
  type Write,
  type WriteAnswer,
  type WriteResult,
} from '../../ir/index.ts'
import { type MutationFieldKind, rootKey, type TableId } from '../../model/index.ts'
import type { GivenArgument } from '../selection/arguments.ts'
import type { Context } from '../selection/context.ts'
import { type Input, listEntries, objectEntries, open } from '../selection/input.ts'
import { type SelectedField, selectedFields } from '../selection/selected-fields.ts'
import type { Template } from '../selection/template.ts'
import type { QueryRootMeaning } from '../types/query-root-type.ts'
import type { DeleteGrant, UpdateGrant } from '../types/write-table.ts'
import type { WriteTypes } from '../types/write-types.ts'
import { inputField } from './input-field.ts'
import { keyEquals } from './key-equals.ts'
import type { PlannedRoot, PlannedValidation, WriteGroup } from './plan.ts'
import { type GivenOperator, planAssignments } from './plan-assignments.ts'
import { planConflict } from './plan-conflict.ts'
import { planRowFields } from './plan-row-fields.ts'
import { planWhere } from './plan-where.ts'
import { givenJson } from './scalar-value.ts'

type Root = SelectedField<QueryRootMeaning>

/** A field of the mutation root (reference/mutations). */
export function planWrite(context: Context, selected: Root, kind: MutationFieldKind, id: TableId): PlannedRoot {
  const types = context.schema.writeTypes(id)
  if (!types) throw new Error(`the walk reached table ${id}, which the role cannot write to`)
  const { table } = types.table
  context.uses.add('table', id)
  context.uses.add('mutation-field', rootKey(table.naming, selected.field.name))
  const shared = { responseKey: selected.as, source: table.source } as const
  const { update, delete: remove } = types.table
  switch (kind) {
    case 'insert':
    case 'insert_one':
      return planInsert(context, types, selected, kind, shared)
    case 'update':
    case 'update_by_pk':
      return planUpdate(context, types, selected, kind, {
        ...shared,
        validation: validationOf(context, update, selected),
      })
    case 'update_many':
      return planUpdates(context, types, selected, { ...shared, validation: validationOf(context, update, selected) })
    case 'delete':
    case 'delete_by_pk':
      return planDelete(context, types, selected, kind, {
        ...shared,
        validation: validationOf(context, remove, selected),
      })
  }
}

/** One object of the arguments, of `update_T_many` its list, of a delete by key the key as `pk_columns`. */
function validationOf(
  context: Context,
  grant: DeleteGrant | null,
  { args, field: { meaning } }: Root,
): PlannedValidation | null {
  const by = grant?.validateInput
  if (!by) return null
  const given = new Map([...args].map(([name, { raw, path }]) => [name, givenJson(context, raw, path)] as const))
  const updates = given.get('updates')
  if (updates) return { by, input: updates }
  const object: Template = { kind: 'object', of: given }
  const isByKey = meaning.kind === 'write' && meaning.root === 'delete_by_pk'
  return {
    by,
    input: { kind: 'list', of: [isByKey ? { kind: 'object', of: new Map([['pk_columns', object]]) } : object] },
  }
}

interface Shared {
  readonly responseKey: string
  readonly source: string
}

interface SharedWrites extends Shared {
  readonly validation: PlannedValidation | null
}

function planInsert(
  context: Context,
  types: WriteTypes,
  selected: Root,
  kind: 'insert' | 'insert_one',
  shared: Shared,
): PlannedRoot {
  const isOne = kind === 'insert_one'
  const given = required(selected, isOne ? 'object' : 'objects')
  const conflict = planConflict(context, types, selected.args.get('on_conflict'))
  return {
    kind: 'insert',
    ...shared,
    table: types.table.table.id,
    isOne,
    input: open(context, given.raw, given.field.type, false, given.path),
    declared: context.variables.declared,
    path: given.path.keys,
    conflict,
    answer: isOne
      ? { kind: 'row', fields: planRowFields(context, types.selected, selected.selections, selected.path) }
      : planResponse(context, types, selected.selections, selected.path),
  }
}

function required({ args, path }: Root, name: string): GivenArgument {
  const given = args.get(name)
  if (given) return given
  throw new ApiError('validation-failed', path.at('args', name), `missing required field '${name}'`)
}

function planUpdate(
  context: Context,
  types: WriteTypes,
  selected: Root,
  kind: 'update' | 'update_by_pk',
  shared: SharedWrites,
): PlannedRoot {
  const { args, selections, path } = selected
  const grant = granted(types.table.update)
  const operators = types.operators().flatMap((of): readonly GivenOperator[] => {
    const given = args.get(`_${of.operator}`)
    return given ? [{ of, raw: given.raw, path: given.path }] : []
  })
  const assignments = planAssignments(context, types, grant, operators, path.at('args'))
  const where =
    kind === 'update' ? planRequiredWhere(context, types, required(selected, 'where')) : byKey(context, types, selected)
  const answer = answerTo(context, types, kind === 'update_by_pk', selections, path)
  if (assignments.length === 0) return { kind: 'writes', ...shared, groups: [emptyGroup(answer)], isList: false }
  const write = (result: WriteResult): Write => ({
    kind: 'update',
    table: types.table.table.table,
    assignments,
    where: allOf([grant.filter, where]),
    check: grant.check,
    isPlain:
      kind === 'update_by_pk' &&
      types.table.table.writesAlone &&
      !runsUsersCode(grant.filter) &&
      !runsUsersCode(grant.check),
    result,
  })
  return {
    kind: 'writes',
    ...shared,
    groups: [{ writes: answered(write, types.table.table.table, answer) }],
    isList: false,
  }
}

/**
 * Updates in order, each seeing what those before it did (reference/mutations#update). Those that come in a variable are no
 * part of the plan.
 */
function planUpdates(context: Context, types: WriteTypes, selected: Root, shared: SharedWrites): PlannedRoot {
  const given = required(selected, 'updates')
  const input = open(context, given.raw, given.field.type, false, given.path)
  const answer = planResponse(context, types, selected.selections, selected.path)
  if (input.kind === 'json') {
    const { variable, keys } = input
    return { kind: 'updates', ...shared, table: types.table.table.id, variable, keys, path: given.path.keys, answer }
  }
  const groups = listEntries(context, input, given.path).map(({ raw, path }) =>
    planUpdateEntry(context, types, open(context, raw, elementOf(given), false, path), answer, path),
  )
  // nothing to do at all is an answer without any (reference/mutations#update)
  return { kind: 'writes', ...shared, groups: groups.every((group) => 'text' in group) ? [] : groups, isList: true }
}

/** One object of `updates`. */
export function planUpdateEntry(
  context: Context,
  types: WriteTypes,
  entry: Input,
  answer: WriteAnswer,
  path: Path,
): WriteGroup {
  const grant = granted(types.table.update)
  const type = types.updates()
  const operators: GivenOperator[] = []
  let where: BooleanExpression | null = null
  for (const { key, raw: value } of objectEntries(context, entry, type.name, path)) {
    const at = path.at(key)
    const { meaning } = inputField(type, key, at)
    if (meaning.kind === 'where') where = planWhere(context, types.selected, value, at)
    else operators.push({ of: meaning.of, raw: value, path: at })
  }
  if (where === null) throw new ApiError('validation-failed', path.at('where'), "missing required field 'where'")
  const assignments = planAssignments(context, types, grant, operators, path)
  if (assignments.length === 0) return emptyGroup(answer)
  const condition = allOf([grant.filter, where])
  const { table } = types.table.table
  const write = (result: WriteResult): Write => ({
    kind: 'update',
    table,
    assignments,
    where: condition,
    check: grant.check,
    isPlain: false,
    result,
  })
  return { writes: answered(write, table, answer) }
}

function elementOf({ field }: GivenArgument) {
  const list = field.type.kind === 'non-null' ? field.type.of : field.type
  return list.kind === 'list' ? list.of : list
}

function planDelete(
  context: Context,
  types: WriteTypes,
  selected: Root,
  kind: 'delete' | 'delete_by_pk',
  shared: SharedWrites,
): PlannedRoot {
  const grant: DeleteGrant = granted(types.table.delete)
  const where =
    kind === 'delete' ? planRequiredWhere(context, types, required(selected, 'where')) : byKey(context, types, selected)
  const { table, writesAlone } = types.table.table
  const isByKey = kind === 'delete_by_pk'
  const answer = answerTo(context, types, isByKey, selected.selections, selected.path)
  const write = (result: WriteResult): Write => ({
    kind: 'delete',
    table,
    where: allOf([grant.filter, where]),
    isPlain: isByKey && writesAlone && !runsUsersCode(grant.filter),
    result,
  })
  return { kind: 'writes', ...shared, groups: [{ writes: answered(write, table, answer) }], isList: false }
}

function granted<G extends DeleteGrant | UpdateGrant>(grant: G | null): G {
  if (grant) return grant
  throw new Error('the walk reached a field that the role does not have')
}

const planRequiredWhere = (context: Context, types: WriteTypes, { raw, path }: GivenArgument): BooleanExpression =>
  planWhere(context, types.selected, raw, path)

/** By `pk_columns`, or by arguments that are columns of the key. */
function byKey(context: Context, types: WriteTypes, { args, path }: Root): BooleanExpression {
  const { select, types: named } = types.table
  const given = args.get('pk_columns')
  const values = new Map([...args].map(([name, { raw, path: at }]) => [name, { raw, path: at }] as const))
  if (given) {
    const type = types.keyInput()
    const input = open(context, given.raw, given.field.type, false, given.path)
    for (const { key, raw } of objectEntries(context, input, type.name, given.path)) {
      inputField(type, key, given.path.at(key))
      values.set(key, { raw, path: given.path.at(key) })
    }
  }
  return allOf(
    (types.table.table.primaryKey ?? []).map((column) => {
      const value = values.get(column.field)
      if (!value)
        throw new ApiError(
          'validation-failed',
          (given?.path ?? path.at('args')).at(column.field),
          `missing required field '${column.field}'`,
        )
      const own = select.columns.find(({ name }) => name === column.name)
      return keyEquals(context, own ?? { ...column, mask: null }, value.raw, named, value.path)
    }),
  )
}

function answerTo(
  context: Context,
  types: WriteTypes,
  isRow: boolean,
  selections: readonly SelectionNode[],
  path: Path,
): WriteAnswer {
  return isRow
    ? { kind: 'row', fields: planRowFields(context, types.selected, selections, path) }
    : planResponse(context, types, selections, path)
}

/** `T_mutation_response` */
function planResponse(
  context: Context,
  types: WriteTypes,
  selections: readonly SelectionNode[],
  path: Path,
): WriteAnswer & { readonly kind: 'response' } {
  const fields = selectedFields(context, types.response(), selections, path).map((selected): ResponseField => {
    if (selected.kind === 'typename') return selected
    const { as } = selected
    return selected.field.meaning === 'affected-rows'
      ? { kind: 'affected-rows', as }
      : { kind: 'returning', as, fields: planRowFields(context, types.selected, selected.selections, selected.path) }
  })
  return { kind: 'response', fields }
}

const text = { type: { schema: 'pg_catalog', name: 'text', kind: 'base', array: false }, list: false } as const
const texts = { ...text, type: { ...text.type, array: true } } as const

/** The setting that the rows of a write are kept in, and a list of it alone. */
export const savedInput: Value = { kind: 'input', name: 'saved', type: text }
export const savedNames: Value = { kind: 'input', name: 'names', type: texts }

/**
 * One statement, or two where what is asked of the rows has to be as it is after the write
 * (reference/mutations#returning).
 */
function answered(write: (result: WriteResult) => Write, table: QualifiedName, answer: WriteAnswer): readonly Write[] {
  if (!answerLeadsElsewhere(answer)) return [write({ kind: 'answer', answer })]
  return [
    write({ kind: 'saved', as: savedInput, count: null, required: false }),
    { kind: 'saved-answer', table, names: savedNames, count: null, answer },
  ]
}

/** What no row at all is answered with. */
const emptyGroup = (answer: WriteAnswer): { readonly text: string } => ({ text: JSON.stringify(emptyAnswer(answer)) })

export function emptyAnswer(answer: WriteAnswer): unknown {
  if (answer.kind !== 'response') return null
  return Object.fromEntries(
    answer.fields.map((field) => {
      switch (field.kind) {
        case 'typename':
          return [field.as, field.name]
        case 'affected-rows':
          return [field.as, 0]
        case 'returning':
          return [field.as, []]
      }
      return [field, null]
    }),
  )
}
