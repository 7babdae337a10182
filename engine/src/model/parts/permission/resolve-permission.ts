import {
  address,
  type DeletePermission,
  type InsertPermission,
  type Json,
  type JsonObject,
  ownKey,
  type SelectPermission,
  type UpdatePermission,
} from '@svc/schema'
import type { DatabaseColumn } from '../../../backends/index.ts'
import { always, type BooleanExpression, type Value } from '../../../ir/index.ts'
import { keptFor } from '../../../kept-for.ts'
import { databaseError, definitionError, foundIn, metadataError } from '../../resolve/resolution-error.ts'
import { resolveValue } from '../../resolve/resolve-comparison.ts'
import type { ResolveContext } from '../../resolve/resolve-context.ts'
import { type At, resolveExpression } from '../../resolve/resolve-expression.ts'
import type { TableShape } from '../../resolve/table-shape.ts'
import type {
  InputValidation,
  Preset,
  ResolvedDeletePermission,
  ResolvedInsertPermission,
  ResolvedSelectPermission,
  ResolvedUpdatePermission,
} from '../../resolved-permission.ts'
import { addressOfTable, quotedTable } from '../../table-id.ts'

/** Says in the text of an error which permission it is of. */
export const inPermission = <P>(role: string, own: TableShape, resolve: () => P): P =>
  foundIn(`in table ${quotedTable(own.table)}: in permission for role "${role}": `, resolve)

/** reference/metadata-operations#permissions-of-tables, reference/permissions#keys */
export function resolveSelect(
  { role, permission }: SelectPermission,
  own: TableShape,
  around: ResolveContext,
): ResolvedSelectPermission {
  const columns = resolveColumns(permission.columns, own, around)
  const { computed_fields: fields } = permission
  const computedFields = fields ? resolveComputedFields(fields, own, around) : noComputedFields
  const filter = resolveShared(permission.filter, own, around, 'filter')
  const limit = permission.limit ?? null
  if (limit !== null && limit < 0) throw definitionError('unexpected negative value', ['permission', 'limit'])
  const allowAggregations = permission.allow_aggregations ?? false
  for (const list of rootFieldLists)
    if (permission[list]) checkRootFields(permission[list], ['permission', list], own, columns, allowAggregations)
  return {
    role,
    columns,
    computedFields,
    filter,
    limit,
    allowAggregations,
    queryRootFields: permission.query_root_fields ? new Set(permission.query_root_fields) : null,
    subscriptionRootFields: permission.subscription_root_fields ? new Set(permission.subscription_root_fields) : null,
  }
}

const rootFieldLists = ['query_root_fields', 'subscription_root_fields'] as const

function resolveShared(
  given: unknown,
  own: TableShape,
  around: ResolveContext,
  key: 'filter' | 'check',
): BooleanExpression {
  const expression = given as JsonObject
  const resolve = () => resolveExpression(expression, { row: own, root: own }, around, ['permission', key])
  return around.shared ? around.shared(own, expression, resolve) : resolve()
}

const atColumns: At = ['permission', 'columns']

/** Sets with the same content are shared: eleven roles with the same columns would hold eleven. */
const shared = new WeakMap<TableShape, Map<string, ReadonlySet<string>>>()

function resolveColumns(
  columns: '*' | readonly string[],
  own: TableShape,
  around: ResolveContext,
): ReadonlySet<string> {
  if (columns === '*') return own.columnNames
  const ofTable = shared.get(own) ?? new Map<string, ReadonlySet<string>>()
  const key = JSON.stringify(columns)
  const known = ofTable.get(key)
  if (known) return known
  columns.forEach((name, i) => {
    if (!around.column(own, name)) throw databaseError(`column "${name}" does not exist`, [...atColumns, i])
  })
  const names = new Set(columns)
  ofTable.set(key, names)
  shared.set(own, ofTable)
  return names
}

const noComputedFields: ReadonlySet<string> = new Set()

/**
 * Only scalar ones are listed; one that returns rows is seen by anyone who may select those (reference/permissions#keys).
 */
function resolveComputedFields(
  names: '*' | readonly string[],
  own: TableShape,
  around: ResolveContext,
): ReadonlySet<string> | '*' {
  if (names === '*') return names
  names.forEach((name, i) => {
    const at = ['permission', 'computed_fields', i]
    const field = around.computedField(own, name)
    if (!field)
      throw metadataError(
        `computed field "${name}" does not exist`,
        [address('computed_field', ownKey('computed_field', { name }), addressOfTable(own.id))],
        at,
      )
    if (field.returns.kind === 'table')
      throw definitionError(
        `select permissions on computed field "${name}" are auto-derived from the permissions on its returning table ${quotedTable(field.returns.of)} and cannot be specified manually`,
        at,
      )
  })
  return names.length === 0 ? noComputedFields : new Set(names)
}

function checkRootFields(
  fields: readonly string[],
  at: At,
  own: TableShape,
  columns: ReadonlySet<string>,
  allowAggregations: boolean,
): void {
  fields.forEach((field, i) => {
    if (field === 'select_by_pk' && !(own.primaryKey?.every((name) => columns.has(name)) ?? false))
      throw definitionError(
        `the "select_by_pk" field cannot be included in the ${at[1]} because the role does not have access to the primary key of the table`,
        [...at, i],
      )
    if (field === 'select_aggregate' && !allowAggregations)
      throw definitionError(
        `the "select_aggregate" root field can only be enabled in the ${at[1]} when "allow_aggregations" is set to true`,
        [...at, i],
      )
  })
}

/** reference/permissions#keys */
export function resolveInsert(
  { role, permission }: InsertPermission,
  own: TableShape,
  around: ResolveContext,
): ResolvedInsertPermission {
  const columns = writableColumns(permission.columns ?? '*', own, around)
  const presets = resolvePresets(permission.set, own, around)
  const check = resolveShared(permission.check, own, around, 'check')
  return {
    role,
    columns: withoutPresets(columns, presets),
    check,
    presets,
    backendOnly: permission.backend_only ?? false,
    validateInput: validationOf(permission),
  }
}

export function resolveUpdate(
  { role, permission }: UpdatePermission,
  own: TableShape,
  around: ResolveContext,
): ResolvedUpdatePermission {
  const columns = writableColumns(permission.columns, own, around)
  const presets = resolvePresets(permission.set, own, around)
  const filter = resolveShared(permission.filter, own, around, 'filter')
  const { check } = permission
  return {
    role,
    columns: withoutPresets(columns, presets),
    filter,
    check: check ? resolveShared(check, own, around, 'check') : always,
    presets,
    backendOnly: permission.backend_only ?? false,
    validateInput: validationOf(permission),
  }
}

export function resolveDelete(
  { role, permission }: DeletePermission,
  own: TableShape,
  around: ResolveContext,
): ResolvedDeletePermission {
  return {
    role,
    filter: resolveShared(permission.filter, own, around, 'filter'),
    backendOnly: permission.backend_only ?? false,
    validateInput: validationOf(permission),
  }
}

function validationOf({
  validate_input,
}: Pick<InsertPermission['permission'], 'validate_input'>): InputValidation | null {
  if (!validate_input) return null
  const { url, headers, timeout, forward_client_headers } = validate_input.definition
  return {
    url,
    headers: headers as unknown as readonly JsonObject[],
    timeout,
    forwardClientHeaders: forward_client_headers,
  }
}

/** Naming a generated or always-identity column is an error; `*` leaves them out (reference/permissions#keys). */
function writableColumns(
  columns: '*' | readonly string[],
  own: TableShape,
  around: ResolveContext,
): ReadonlySet<string> {
  if (columns === '*') return allWritable(own)
  columns.forEach((name, i) => {
    const column = around.column(own, name)
    const at = [...atColumns, i]
    if (!column) throw databaseError(`column "${name}" does not exist`, at)
    if (column.generated === 'stored' || column.generated === 'identity-always')
      throw databaseError(`column "${name}" is generated by the database and cannot be written`, at)
  })
  return resolveColumns(columns, own, around)
}

const allWritable = keptFor((own: TableShape): ReadonlySet<string> => {
  const isWritable = ({ generated }: DatabaseColumn) => generated !== 'stored' && generated !== 'identity-always'
  return new Set([...own.columns.values()].filter(isWritable).map(({ name }) => name))
})

const withoutPresets = (columns: ReadonlySet<string>, presets: readonly Preset[]): ReadonlySet<string> =>
  presets.some(({ column }) => columns.has(column))
    ? new Set([...columns].filter((name) => presets.every(({ column }) => column !== name)))
    : columns

function resolvePresets(set: JsonObject | undefined, own: TableShape, around: ResolveContext): readonly Preset[] {
  return Object.entries(set ?? {}).map(([name, json]: [string, Json]) => {
    const column = around.column(own, name)
    const at = ['permission', 'set', name]
    if (!column) throw databaseError(`column "${name}" does not exist`, at)
    const value: Value = resolveValue(json, { type: column.type, list: false }, own.types, around, at)
    return { column: name, value }
  })
}
