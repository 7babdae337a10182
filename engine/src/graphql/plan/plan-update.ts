import { invalid, type Path } from '../../errors.ts'
import { allOf, type BooleanExpression, type Write, type WriteAnswer } from '../../ir/index.ts'
import { type GivenArgument, openArgument, requiredArgument } from '../selection/arguments.ts'
import { askInput } from '../selection/ask-input.ts'
import type { Context } from '../selection/context.ts'
import { type Input, listEntries, objectEntries, open } from '../selection/input.ts'
import type { WriteTypes } from '../types/write-types.ts'
import { inputField } from './input-field.ts'
import type { PlannedRoot, WriteGroup } from './operation-plan.ts'
import { plainChange } from './plain-change.ts'
import { type GivenOperator, planAssignments } from './plan-assignments.ts'
import { planWhere } from './plan-where.ts'
import { answerTo, emptyGroup, planResponse } from './plan-write-answer.ts'
import { byKey, granted, planRequiredWhere, type Root, type SharedWrites } from './write-arguments.ts'

/** Plans `update_T` and `update_T_by_pk` (reference/mutations#update). Throws validation-failed. */
export function planUpdate(
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
    kind === 'update'
      ? planRequiredWhere(context, types, requiredArgument(selected, 'where'))
      : byKey(context, types, selected)
  const answer = answerTo(context, types, kind === 'update_by_pk', selections, path)
  if (assignments.length === 0) return { kind: 'writes', ...shared, groups: [emptyGroup(answer)], isList: false }
  const changes = plainChange(types, [grant.filter, where, grant.check], assignments)
  const write: Write = {
    kind: 'update',
    table: types.table.table.table,
    assignments,
    where: allOf([grant.filter, where]),
    check: grant.check,
    isPlain: kind === 'update_by_pk' && changes !== undefined,
    changes,
    answer,
  }
  return { kind: 'writes', ...shared, groups: [write], isList: false }
}

/**
 * Plans `update_T_many`: updates in order, each on the results of those before (reference/mutations#update). Those in a
 * variable are no part of the plan.
 */
export function planUpdates(context: Context, types: WriteTypes, selected: Root, shared: SharedWrites): PlannedRoot {
  const given = requiredArgument(selected, 'updates')
  const input = openArgument(context, given)
  const answer = planResponse(context, types, selected.selections, selected.path)
  if (input.kind === 'json') {
    const { variable, keys } = input
    askInput(context, given.field.type, given.raw)
    return { kind: 'updates', ...shared, table: types.table.table.id, variable, keys, path: given.path.keys, answer }
  }
  const groups = listEntries(context, input, given.path).map(({ raw, path }) =>
    planUpdateEntry(context, types, open(context, raw, elementOf(given), false, path), answer, path),
  )
  // nothing to do at all is an answer without any (reference/mutations#update)
  return { kind: 'writes', ...shared, groups: groups.every((group) => 'text' in group) ? [] : groups, isList: true }
}

/** Plans one object of `updates`. */
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
  if (where === null) throw invalid(path.at('where'), "missing required field 'where'")
  const assignments = planAssignments(context, types, grant, operators, path)
  if (assignments.length === 0) return emptyGroup(answer)
  const condition = allOf([grant.filter, where])
  const { table } = types.table.table
  const { check } = grant
  const changes = plainChange(types, [condition, check], assignments)
  return { kind: 'update', table, assignments, where: condition, check, isPlain: false, changes, answer }
}

function elementOf({ field }: GivenArgument) {
  const list = field.type.kind === 'non-null' ? field.type.of : field.type
  return list.kind === 'list' ? list.of : list
}
