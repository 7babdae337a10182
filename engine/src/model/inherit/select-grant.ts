import { anyOf, type BooleanExpression } from '../../ir/index.ts'
import type { ResolvedSelectPermission } from '../resolved-permission.ts'
import type { ResolvedTable } from '../resolved-rows.ts'
import type { InheritedRole } from './inherited-role.ts'

/** What a role may select of a table. */
export interface SelectGrant extends Omit<ResolvedSelectPermission, 'role'> {
  /** Columns and computed fields that the role sees in some rows only: where, by name. */
  readonly masks: Masks
}

interface Masks {
  readonly columns: ReadonlyMap<string, BooleanExpression>
  readonly computedFields: ReadonlyMap<string, BooleanExpression>
}

type PermittingTable = Pick<ResolvedTable, 'selectPermissions' | 'computedFields'>

/**
 * Returns the role's own permission, else the union of its parents' (reference/permissions#inherited-roles): rows that
 * any of them may select, with the values that one of those who may select the row may see.
 */
export function selectGrant(
  table: PermittingTable,
  role: string,
  inherited: InheritedRole | undefined,
): SelectGrant | undefined {
  // two ways may lead to one parent
  const known = new Map<InheritedRole, SelectGrant | undefined>()
  const filters = new Map<string, BooleanExpression>()
  /** Equal filters of different roles become one, so that references distinguish them from here on. */
  const same = (filter: BooleanExpression): BooleanExpression => {
    const text = JSON.stringify(filter)
    const first = filters.get(text) ?? filter
    filters.set(text, first)
    return first
  }
  const grantOf = (name: string, of: InheritedRole | undefined): SelectGrant | undefined => {
    const own = table.selectPermissions.get(name)
    if (own) return { ...own, filter: inherited ? same(own.filter) : own.filter, masks: noMasks }
    if (!of || known.has(of)) return of && known.get(of)
    const grants = of.parents
      .map((parent) => (typeof parent === 'string' ? grantOf(parent, undefined) : grantOf(parent.role, parent)))
      .filter((grant) => grant !== undefined)
    const grant = grants.length < 2 ? grants[0] : combine(table, grants)
    known.set(of, grant)
    return grant
  }
  return grantOf(role, inherited)
}

const noMasks: Masks = { columns: new Map(), computedFields: new Map() }

function combine(table: PermittingTable, grants: readonly SelectGrant[]): SelectGrant {
  const columns = new Set(grants.flatMap((grant) => [...grant.columns]))
  const fields = [...table.computedFields.values()]
    .filter(({ returns }) => returns.kind !== 'table')
    .map(({ name }) => name)
    .filter((name) => grants.some((grant) => seesField(grant, name)))
  const limits = grants.flatMap(({ limit }) => (limit === null ? [] : [limit]))
  return {
    columns,
    computedFields: new Set(fields),
    masks: {
      columns: masksOf([...columns], grants, ({ columns }, name) => columns.has(name), 'columns'),
      computedFields: masksOf(fields, grants, seesField, 'computedFields'),
    },
    filter: rowsOfAny(grants.map(({ filter }) => filter)),
    // a parent without one does not lift those of the others
    limit: limits.length === 0 ? null : Math.max(...limits),
    allowAggregations: grants.some(({ allowAggregations }) => allowAggregations),
    queryRootFields: union(grants.map(({ queryRootFields }) => queryRootFields)),
    subscriptionRootFields: union(grants.map(({ subscriptionRootFields }) => subscriptionRootFields)),
  }
}

const seesField = ({ computedFields }: SelectGrant, name: string): boolean =>
  computedFields === '*' || computedFields.has(name)

/** Where a value is seen: in the rows of those parents that have it; everywhere where all have it everywhere. */
function masksOf(
  names: readonly string[],
  grants: readonly SelectGrant[],
  sees: (grant: SelectGrant, name: string) => boolean,
  kind: keyof Masks,
): ReadonlyMap<string, BooleanExpression> {
  const masks = new Map<string, BooleanExpression>()
  const made = new Map<string, BooleanExpression>()
  for (const name of names) {
    const holders = grants.filter((grant) => sees(grant, name))
    const isMasked = holders.some((grant) => grant.masks[kind].has(name))
    if (holders.length === grants.length && !isMasked) continue
    // a mask applies within the filter of its role
    const mask = () => rowsOfAny(holders.map((grant) => grant.masks[kind].get(name) ?? grant.filter))
    const key = isMasked ? null : holders.map((grant) => grants.indexOf(grant)).join()
    const shared = key === null ? mask() : (made.get(key) ?? mask())
    if (key !== null) made.set(key, shared)
    masks.set(name, shared)
  }
  return masks
}

/** The rows of any of these, each condition once. */
function rowsOfAny(filters: readonly BooleanExpression[]): BooleanExpression {
  const any = anyOf(filters)
  return any.kind === 'or' ? anyOf([...new Set(any.of)]) : any
}

/** Absent lists mean all. */
function union(lists: readonly (ReadonlySet<string> | null)[]): ReadonlySet<string> | null {
  const given = lists.filter((list) => list !== null)
  return given.length < lists.length ? null : new Set(given.flatMap((list) => [...list]))
}
