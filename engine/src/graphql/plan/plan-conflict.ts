import { invalid, type Path } from '../../errors.ts'
import { allOf, always, type BooleanExpression, type Conflict } from '../../ir/index.ts'
import type { ResolvedColumn } from '../../model/index.ts'
import type { Context } from '../selection/context.ts'
import { isNull, listEntries, objectEntries, open, type RawInput } from '../selection/input.ts'
import { type EnumType, nonNull, refTo } from '../types/type.ts'
import { PLACEHOLDER } from '../types/update-types.ts'
import type { WriteTypes } from '../types/write-types.ts'
import { enumValue } from './enum-value.ts'
import { inputField } from './input-field.ts'
import { planWhere } from './plan-where.ts'

/**
 * Plans `on_conflict` or `if_matched` (reference/mutations#conflicts). Throws validation-failed, also for columns that
 * the role may not update.
 */
export function planConflict(
  context: Context,
  types: WriteTypes,
  given: { readonly raw: RawInput; readonly path: Path } | undefined,
): Conflict | null {
  const type = types.onConflict()
  if (!given || !type) return null
  const { path } = given
  const input = open(context, given.raw, refTo(type), false, path)
  if (isNull(input)) return null
  let constraint: string | null = null
  let matched: readonly string[] = []
  let columns: readonly string[] = []
  let where: BooleanExpression = always
  for (const { key, raw } of objectEntries(context, input, type.name, path)) {
    const at = path.at(key)
    switch (inputField(type, key, at).meaning) {
      case 'constraint': {
        const of = types.constraint()
        constraint = enumValue(context, open(context, raw, nonNull(refTo(of)), false, at), of, at)
        break
      }
      case 'match-columns':
        matched = columnNames(context, types.matchColumn(), types.table.select.columns, raw, at, path)
        break
      case 'update-columns':
        columns = columnNames(context, types.updateColumn(), types.table.update?.columns ?? [], raw, at, path)
        break
      case 'where': {
        const condition = open(context, raw, refTo(types.selected.boolean()), false, at)
        if (!isNull(condition)) where = planWhere(context, types.selected, raw, at)
      }
    }
  }
  const { update, table } = types.table
  const writes = (of: readonly string[], knownBy: readonly string[] | null) =>
    update && {
      columns: of,
      presets: update.presets,
      where: allOf([update.filter, where]),
      check: update.check,
      knownBy,
    }
  if (types.table.types.features.mutations?.upsert === 'if_matched') {
    // no column is equal: every row is new
    if (matched.length === 0) return null
    const changes = columns.length > 0 || (update?.presets.length ?? 0) > 0
    return { target: { kind: 'matched', of: matched }, update: changes ? writes(columns, null) : null }
  }
  if (constraint === null) throw invalid(path.at('constraint'), "missing required field 'constraint'")
  const target = { kind: 'constraint', name: constraint } as const
  if (columns.length === 0) return { target, update: null }
  const key = table.uniqueKeys.find(({ name }) => name === constraint)
  const knownBy = table.hasSystemColumns ? null : (key?.columns ?? [])
  return { target, update: writes(columns, knownBy) }
}

function columnNames(
  context: Context,
  of: EnumType,
  columns: readonly ResolvedColumn[],
  raw: RawInput,
  path: Path,
  conflict: Path,
): readonly string[] {
  const element = nonNull(refTo(of))
  const input = open(context, raw, nonNull({ kind: 'list', of: element }), true, path)
  const names = new Set<string>()
  for (const entry of listEntries(context, input, path)) {
    const name = enumValue(context, open(context, entry.raw, element, false, entry.path), of, entry.path)
    const column = columns.find(({ field }) => field === name)
    if (!column || name === PLACEHOLDER) throw invalid(conflict, 'erroneous column name')
    names.add(column.name)
  }
  return [...names]
}
