import type { TypeSystem } from '../../backends/index.ts'
import { always, type BooleanExpression } from '../../ir/index.ts'
import type { ResolvedColumn, ResolvedComputedField, ResolvedTable } from '../../model/index.ts'
import { adminRole } from '../../session.ts'

/** A table as one role may select from it (spec 02 §5.2). Knows nothing of other tables. */
export interface RoleTable {
  readonly table: ResolvedTable
  readonly role: string
  readonly name: string
  readonly types: TypeSystem
  /** Those the role may select, in the order of the table. */
  readonly columns: readonly ResolvedColumn[]
  /** Scalar ones that the role may use; those that return rows are seen with their table. */
  readonly computedFields: readonly ResolvedComputedField[]
  /** The permission's filter, rooted in its own row; `always` for the admin. */
  readonly filter: BooleanExpression
  readonly limit: number | null
  readonly allowAggregations: boolean
  /** Null: all. */
  readonly queryRootFields: ReadonlySet<string> | null
}

/** Undefined where the role cannot select from the table or the table has no GraphQL name. */
export function roleTable(table: ResolvedTable, role: string, types: TypeSystem): RoleTable | undefined {
  if (table.graphqlName === null) return undefined
  if (role === adminRole)
    return {
      table,
      role,
      name: table.graphqlName,
      types,
      columns: table.columns,
      computedFields: scalarFields(table),
      filter: always,
      limit: null,
      allowAggregations: true,
      queryRootFields: null,
    }
  const permission = table.selectPermissions.get(role)
  if (!permission) return undefined
  return {
    table,
    role,
    name: table.graphqlName,
    types,
    columns: table.columns.filter((column) => permission.columns.has(column.name)),
    computedFields: scalarFields(table).filter(
      ({ name }) => permission.computedFields === '*' || permission.computedFields.has(name),
    ),
    filter: rooted(permission.filter),
    limit: permission.limit,
    allowAggregations: permission.allowAggregations,
    queryRootFields: permission.queryRootFields,
  }
}

const scalarFields = ({ computedFields }: ResolvedTable): readonly ResolvedComputedField[] =>
  [...computedFields.values()].filter(({ returns }) => returns.kind === 'scalar')

const rooted = (filter: BooleanExpression): BooleanExpression =>
  filter.kind === 'and' && filter.of.length === 0 ? filter : { kind: 'rooted', of: filter }
