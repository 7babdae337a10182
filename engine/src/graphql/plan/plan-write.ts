import { allOf, type Write } from '../../ir/index.ts'
import { type MutationFieldKind, rootKey, type TableId } from '../../model/index.ts'
import { openArgument, requiredArgument } from '../selection/arguments.ts'
import { askInput } from '../selection/ask-input.ts'
import { type Context, writtenTypes } from '../selection/context.ts'
import type { Template } from '../selection/template.ts'
import { type DeleteGrant, writeOperation } from '../types/write-table.ts'
import type { WriteTypes } from '../types/write-types.ts'
import type { PlannedRoot, PlannedValidation } from './operation-plan.ts'
import { plainChange } from './plain-change.ts'
import { planConflict } from './plan-conflict.ts'
import { planUpdate, planUpdates } from './plan-update.ts'
import { answerTo } from './plan-write-answer.ts'
import { givenJson } from './scalar-value.ts'
import { byKey, granted, planRequiredWhere, type Root, type Shared, type SharedWrites } from './write-arguments.ts'

/** Plans a field of the mutation root (reference/mutations). Throws validation-failed. */
export function planWrite(context: Context, selected: Root, kind: MutationFieldKind, id: TableId): PlannedRoot {
  const types = writtenTypes(context.schema, id)
  const { table } = types.table
  const operation = writeOperation(kind)
  context.uses.add('table', id)
  context.asked?.permission({ kind: operation, table: id })
  context.uses.add('mutation-field', rootKey(table.naming, selected.field.name))
  const shared = { responseKey: selected.as, source: table.source } as const
  const validation = operation === 'insert' ? null : validationOf(context, types.table[operation], selected)
  switch (kind) {
    case 'insert':
    case 'insert_one':
      return planInsert(context, types, selected, kind, shared)
    case 'update':
    case 'update_by_pk':
      return planUpdate(context, types, selected, kind, { ...shared, validation })
    case 'update_many':
      return planUpdates(context, types, selected, { ...shared, validation })
    case 'delete':
    case 'delete_by_pk':
      return planDelete(context, types, selected, kind, { ...shared, validation })
  }
}

/** Plans what a webhook checks: the arguments, the list of `update_T_many`, or a delete's key as `pk_columns`. */
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

function planInsert(
  context: Context,
  types: WriteTypes,
  selected: Root,
  kind: 'insert' | 'insert_one',
  shared: Shared,
): PlannedRoot {
  const isOne = kind === 'insert_one'
  const given = requiredArgument(selected, isOne ? 'object' : 'objects')
  const upsert = types.table.types.features.mutations?.upsert ?? 'on_conflict'
  const conflict = planConflict(context, types, selected.args.get(upsert))
  askInput(context, given.field.type, given.raw)
  return {
    kind: 'insert',
    ...shared,
    table: types.table.table.id,
    isOne,
    input: openArgument(context, given),
    declared: context.variables.declared,
    path: given.path.keys,
    conflict,
    answer: answerTo(context, types, isOne, selected.selections, selected.path),
  }
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
    kind === 'delete'
      ? planRequiredWhere(context, types, requiredArgument(selected, 'where'))
      : byKey(context, types, selected)
  const { table } = types.table.table
  const isByKey = kind === 'delete_by_pk'
  const answer = answerTo(context, types, isByKey, selected.selections, selected.path)
  const changes = plainChange(types, [grant.filter, where])
  const write: Write = {
    kind: 'delete',
    table,
    where: allOf([grant.filter, where]),
    isPlain: isByKey && changes !== undefined,
    changes,
    answer,
  }
  return { kind: 'writes', ...shared, groups: [write], isList: false }
}
