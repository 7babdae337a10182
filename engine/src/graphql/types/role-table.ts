import { always, type BooleanExpression, isAlways } from '../../ir/index.ts'
import { keptFor } from '../../kept-for.ts'
import {
  type InheritedRole,
  type NestedRows,
  type ResolvedColumn,
  type ResolvedComputedField,
  type ResolvedRows,
  selectGrant,
} from '../../model/index.ts'
import { adminRole } from '../../session.ts'
import type { NamedTypes } from './named-types.ts'

/**
 * Where the role sees a value: null in every row, else where this is true, and the value may be null
 * (reference/permissions#masks).
 */
export interface Masked {
  readonly mask: BooleanExpression | null
}

/** A column as a role sees it: nothing else becomes a part of a query. */
export type RoleColumn = ResolvedColumn & Masked
export type RoleComputedField = ResolvedComputedField & Masked

/** A field of rows of another logical model. */
export type RoleNestedRows = NestedRows & Masked

/**
 * A table as one role may select from it (reference/permissions#effect-on-the-schema). Knows nothing of other tables.
 */
export interface RoleTable {
  readonly table: ResolvedRows
  readonly role: string
  readonly name: string
  readonly types: NamedTypes
  /** Those the role may select, in the order of the table. */
  readonly columns: readonly RoleColumn[]
  /** Of a logical model: values that are rows of another one. */
  readonly nested: readonly RoleNestedRows[]
  /** Those that the role may use: scalars, and rows of no table; those that return rows of a table are seen with it. */
  readonly computedFields: readonly RoleComputedField[]
  /** The permission's filter, rooted in its own row; `always` for the admin. */
  readonly filter: BooleanExpression
  readonly limit: number | null
  readonly allowAggregations: boolean
  /** Null: all. */
  readonly queryRootFields: ReadonlySet<string> | null
  readonly subscriptionRootFields: ReadonlySet<string> | null
  /** What the role is made of, where it is an inherited one. */
  readonly inherited: InheritedRole | undefined
}

/**
 * Undefined where the role cannot select from the table or the table has no GraphQL name. `inherited`: what the role is
 * made of, if it is an inherited one.
 */
export function roleTable(
  table: ResolvedRows,
  role: string,
  types: NamedTypes,
  inherited: InheritedRole | undefined,
): RoleTable | undefined {
  if (table.graphqlName === null) return undefined
  const unseen = unseenTable(table, role, types, inherited)
  if (role === adminRole)
    return {
      ...unseen,
      columns: table.columns.map(unmasked),
      nested: nestedRows(table).map(unmasked),
      computedFields: ownFields(table).map(unmasked),
      // nothing aggregates the rows of native queries
      allowAggregations: table.kind === 'table' && types.features.aggregates !== null,
    }
  const permission = selectGrant(table, role, inherited)
  if (!permission) return undefined
  const { masks } = permission
  return {
    ...unseen,
    columns: table.columns
      .filter((column) => permission.columns.has(column.name))
      .map((column) => withMask(column, masks.columns.get(column.name))),
    nested: nestedRows(table)
      .filter(({ name }) => permission.columns.has(name))
      .map((rows) => withMask(rows, masks.columns.get(rows.name))),
    computedFields: ownFields(table)
      .filter(({ name }) => permission.computedFields === '*' || permission.computedFields.has(name))
      .map((field) => withMask(field, masks.computedFields.get(field.name)))
      // rows have no mask: they are left out where one of the roles may not see them
      .filter(({ returns, mask }) => returns.kind === 'scalar' || !mask),
    filter: rooted(permission.filter),
    limit: permission.limit,
    allowAggregations: permission.allowAggregations && types.features.aggregates !== null,
    queryRootFields: permission.queryRootFields,
    subscriptionRootFields: permission.subscriptionRootFields,
  }
}

/**
 * Returns a table of which a role sees nothing. It has a type of conditions all the same where the role may write to it
 * (reference/graphql-schema#root-fields).
 */
export const unseenTable = (
  table: ResolvedRows,
  role: string,
  types: NamedTypes,
  inherited: InheritedRole | undefined,
): RoleTable => ({
  table,
  role,
  name: table.graphqlName ?? '',
  types,
  columns: [],
  nested: [],
  computedFields: [],
  filter: always,
  limit: null,
  allowAggregations: false,
  queryRootFields: null,
  subscriptionRootFields: null,
  inherited,
})

const ownFields = ({ computedFields }: ResolvedRows): readonly ResolvedComputedField[] =>
  [...computedFields.values()].filter(({ returns }) => returns.kind !== 'table')

const nestedRows = (rows: ResolvedRows): readonly NestedRows[] =>
  rows.kind === 'table' ? [] : [...rows.nestedRows.values()]

/** Returns a condition of a permission: `root` inside it is the row that it is about, wherever that row is reached. */
export const rooted = (of: BooleanExpression): BooleanExpression => (isAlways(of) ? of : { kind: 'rooted', of })

const withMask = <T extends object>(of: T, mask: BooleanExpression | undefined): T & Masked =>
  mask ? { ...of, mask } : unmasked(of)

/** Returns something that a role sees in every row: the same object for all roles. */
const unmasked = keptFor((of: object) => ({ ...of, mask: null })) as <T extends object>(of: T) => T & Masked
