import { invalid } from '../../errors.ts'
import type { Operand, RootQuery, RowField } from '../../ir/index.ts'
import type { Context } from '../selection/context.ts'
import { listPerContext } from '../selection/list-per-context.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import type { JoinMeaning } from '../types/remote-join-types.ts'
import type { TableTypes } from '../types/table-types.ts'
import { columnOperand } from './column-operand.ts'
import { computedCall, computedOperand } from './computed-call.ts'
import { type KeyedRows, planKeyedRows } from './plan-keyed-rows.ts'
import { type PlannedRemoteJoin, planRemoteJoin } from './plan-remote-join.ts'

/**
 * A field whose value comes from another server or source once the rows are there (reference/remote-schemas#joins). In
 * each row stand a text at its response key, which keeps its place, and the values it joins by, which are taken out
 * again.
 */
export type PlannedJoin<Q = RootQuery> = (
  | { readonly kind: 'table'; readonly rows: KeyedRows<Q> }
  | { readonly kind: 'remote'; readonly call: PlannedRemoteJoin }
) & {
  /** Response keys from the top, its own last. */
  readonly place: readonly string[]
  /** Where the values to join by stand in the row: no response key has a colon, and none in a remote schema begins with `ownAlias`. */
  readonly keys: readonly string[]
}

/** The joins of a walk, in the order in which they are put into the answer. */
export const joinsOf = listPerContext<PlannedJoin>()

/** Plans a join and returns the fields that the row has in its place. */
export function planJoin(
  context: Context,
  types: TableTypes,
  selected: SelectedField<JoinMeaning>,
): readonly RowField[] {
  const { as, path, field } = selected
  const { meaning } = field
  const names = joinNames(meaning)
  // of several types behind one response key each has keys of its own
  const own = context.joinCount++
  // a row without keys is known by a text in their place
  const keys = (names.length > 0 ? names : ['']).map((_, i) => `:${own}:${i}`)
  addJoin(context, selected, { place: path.response, keys })
  return [
    { kind: 'typename', as, name: ':join' },
    ...keys.map((key, i): RowField => {
      const name = names[i]
      if (name === undefined) return { kind: 'typename', as: key, name: ':join' }
      return { kind: 'column', as: key, of: lhsOperand(context, types, selected, name), path: [] }
    }),
  ]
}

/** Plans the value of a join, whatever it starts from. */
export function addJoin(
  context: Context,
  selected: SelectedField<JoinMeaning>,
  base: Pick<PlannedJoin, 'place' | 'keys'>,
): void {
  const { meaning } = selected.field
  const { maxJoinDepth } = context.settings
  if (++context.joinDepth > maxJoinDepth)
    throw invalid(
      selected.path,
      `remote relationships are nested too deep: at most ${maxJoinDepth} inside one another are allowed (--max-join-depth)`,
    )
  // before what is inside it: the outer values are there first
  const joins = joinsOf(context)
  const at = joins.length
  const of =
    meaning.kind === 'remote-join'
      ? ({ kind: 'remote', call: planRemoteJoin(context, selected, meaning.relationship, meaning.leaf) } as const)
      : ({ kind: 'table', rows: planTableJoin(context, selected, meaning) } as const)
  joins.splice(at, 0, { ...base, ...of })
  context.joinDepth--
}

/** Returns the names of the values that a join needs of what it starts from, in the order of its keys. */
export const joinNames = ({ relationship }: JoinMeaning): readonly string[] =>
  'lhs' in relationship ? relationship.lhs : relationship.mapping.map(({ from }) => from)

function planTableJoin(
  context: Context,
  selected: SelectedField<unknown>,
  { as, relationship }: Extract<JoinMeaning, { readonly kind: 'table-join' }>,
): KeyedRows {
  const { source, target, mapping } = relationship
  const keyed = { source, target, mapping: mapping.map(({ from, to }) => ({ field: from, column: to })) }
  return planKeyedRows(context, selected, as, keyed)
}

/** Plans a value to join by, for which a role needs no permission (reference/remote-schemas#relationships). */
function lhsOperand(context: Context, types: TableTypes, selected: SelectedField<unknown>, name: string): Operand {
  const { table } = types.table
  const column = table.columnsByName.get(name)
  if (column) return columnOperand({ ...column, mask: null })
  const field = table.computedFields.get(name)
  if (field?.returns.kind !== 'scalar') throw new Error(`table ${table.id} has nothing called ${name}`)
  const call = computedCall(context, types, field, { ...selected, args: new Map() })
  return computedOperand({ field: { mask: null }, call, type: field.returns.type })
}
