import { equalJson } from '@svc/schema'
import { always, type BooleanExpression } from '../ir/index.ts'
import {
  type Model,
  type Preset,
  type ResolvedRows,
  rowsOf,
  type SelectGrant,
  selectGrant,
  type TableId,
  writeGrant,
} from '../model/index.ts'
import { compareConditions } from './conditions/compare-conditions.ts'
import { sessionVariables } from './conditions/session-variables.ts'
import type { PermissionKind, PermissionPart, RowChange } from './row-change.ts'

/** What a change did to the rows of a table that a role may read and write. */
export function comparePermissions(before: Model, after: Model, role: string, id: TableId): readonly RowChange[] {
  const [old, now] = [rowsOf(before, id), rowsOf(after, id)]
  const shown = now ?? old
  if (!shown) return []
  const of = { source: shown.source, table: shown.table }
  return permissionKinds.flatMap((permission) => {
    const [one, other] = [grantOf(before, old, role, permission), grantOf(after, now, role, permission)]
    return changesOf(one, other).map((change) => ({ ...of, permission, ...change }))
  })
}

const permissionKinds = ['select', 'insert', 'update', 'delete'] as const

/** What there is of a permission, whatever it allows. */
interface Grant {
  readonly filter?: BooleanExpression
  readonly check?: BooleanExpression
  readonly limit?: number | null
  readonly presets?: readonly Preset[]
  readonly masks?: SelectGrant['masks']
  readonly backendOnly?: boolean
  readonly validateInput?: object | null
}

function grantOf(model: Model, rows: ResolvedRows | undefined, role: string, kind: PermissionKind): Grant | undefined {
  const inherited = model.inheritedRoles.get(role)
  if (!rows) return undefined
  if (kind === 'select') return selectGrant(rows, role, inherited)
  if (rows.kind !== 'table') return undefined
  switch (kind) {
    case 'insert':
      return writeGrant(rows.insertPermissions, role, inherited)
    case 'update':
      return writeGrant(rows.updatePermissions, role, inherited)
    case 'delete':
      return writeGrant(rows.deletePermissions, role, inherited)
  }
}

type Found = Omit<RowChange, 'source' | 'table' | 'permission'>

function changesOf(before: Grant | undefined, after: Grant | undefined): readonly Found[] {
  if (before === after) return []
  if (!before) return [{ part: 'permission', change: 'granted' }]
  if (!after) return [{ part: 'permission', change: 'revoked' }]
  return [
    ...conditions('filter', before.filter, after.filter),
    ...conditions('check', before.check, after.check),
    ...limits(before.limit ?? null, after.limit ?? null),
    ...presets(before.presets ?? [], after.presets ?? []),
    ...masks(before.masks, after.masks),
    ...(before.backendOnly === after.backendOnly
      ? []
      : [{ part: 'backend_only', change: after.backendOnly ? 'narrower' : 'wider' } as const]),
    ...(equalJson(before.validateInput ?? null, after.validateInput ?? null)
      ? []
      : [{ part: 'validation', change: 'changed' } as const]),
  ]
}

function conditions(
  part: PermissionPart,
  before: BooleanExpression = always,
  after: BooleanExpression = always,
): readonly Found[] {
  const change = compareConditions(before, after)
  if (change === 'same') return []
  const [old, now] = [sessionVariables(before), sessionVariables(after)]
  const needs = [...now].filter((name) => !old.has(name))
  const noMore = [...old].filter((name) => !now.has(name))
  return [{ part, change, ...(needs.length > 0 && { needs }), ...(noMore.length > 0 && { needs_no_more: noMore }) }]
}

function limits(before: number | null, after: number | null): readonly Found[] {
  if (before === after) return []
  const isWider = after === null || (before !== null && after > before)
  return [{ part: 'limit', change: isWider ? 'wider' : 'narrower', before, after }]
}

function presets(before: readonly Preset[], after: readonly Preset[]): readonly Found[] {
  const presetOf = (of: readonly Preset[], name: string) => of.find(({ column }) => column === name)?.value
  const names = [...new Set([...before, ...after].map(({ column }) => column))].sort()
  const columns = names.filter((name) => !equalJson(presetOf(before, name) ?? null, presetOf(after, name) ?? null))
  return columns.length > 0 ? [{ part: 'presets', change: 'changed', columns }] : []
}

/** Where an inherited role sees values of columns: rows in which it does not have null in their place. */
function masks(before: SelectGrant['masks'] | undefined, after: SelectGrant['masks'] | undefined): readonly Found[] {
  const found = new Map<string, Exclude<ReturnType<typeof compareConditions>, 'same'>>()
  for (const kind of ['columns', 'computedFields'] as const) {
    const [old, now] = [before?.[kind], after?.[kind]]
    for (const name of new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])) {
      const change = compareConditions(old?.get(name) ?? always, now?.get(name) ?? always)
      if (change !== 'same') found.set(name, change)
    }
  }
  return [...new Set(found.values())].map((change) => ({
    part: 'masks',
    change,
    columns: [...found].flatMap(([name, one]) => (one === change ? [name] : [])).sort(),
  }))
}
