import type {
  FunctionField,
  MutationFieldKind,
  ResolvedAction,
  ResolvedFunction,
  ResolvedNativeQuery,
  RootFieldKind,
  VisibleRemote,
} from '../../model/index.ts'
import type { ActionForm } from './action-types.ts'
import { columnTypeRef } from './column-type.ts'
import { argsArgument, functionArguments } from './function-arguments.ts'
import { nativeArgs } from './native-query-arguments.ts'
import type { RoleTable } from './role-table.ts'
import { stringRef } from './scalar-types.ts'
import { argument, selectArguments, shownName } from './select-arguments.ts'
import { tablePartRef } from './table-part-ref.ts'
import {
  byName,
  type Field,
  type InputField,
  lazyRef,
  listOf,
  type NamedRef,
  namedField,
  nonNull,
  type ObjectType,
  refTo,
  type TypeRef,
} from './type.ts'

export type QueryRootMeaning =
  | { readonly kind: 'table'; readonly root: RootFieldKind; readonly table: string }
  | { readonly kind: 'write'; readonly root: MutationFieldKind; readonly table: string }
  | { readonly kind: 'native-query'; readonly query: ResolvedNativeQuery }
  | { readonly kind: 'function'; readonly root: FunctionField['kind']; readonly function: ResolvedFunction }
  /** Root fields of a source in a field of their own (reference/graphql-schema#customization-of-a-source). */
  | { readonly kind: 'namespace'; readonly type: ObjectType<QueryRootMeaning> }
  /** Relay's: rows of a table, and any row by its global id. */
  | { readonly kind: 'connection'; readonly table: string }
  | { readonly kind: 'function-connection'; readonly function: ResolvedFunction }
  | { readonly kind: 'node' }
  /** Of Apollo federation: any rows by their keys, and the schema as text. */
  | { readonly kind: 'entities' }
  | { readonly kind: 'service' }
  | { readonly kind: 'action'; readonly form: ActionForm; readonly action: ResolvedAction }
  /** Of a remote schema, under upstream names. */
  | {
      readonly kind: 'remote'
      readonly visible: VisibleRemote
      readonly root: 'query' | 'mutation' | 'subscription'
      readonly type: string
      readonly field: string
    }
  | { readonly kind: 'placeholder'; readonly text: string }
  | { readonly kind: 'schema' }
  | { readonly kind: 'type' }

/**
 * A type of root fields for the planner: a field is made when a document names it. Introspection lists them itself
 * (all-types.ts).
 */
export function rootTypeOf<M = QueryRootMeaning>(
  typeName: string,
  find: (name: string) => Field<M> | undefined,
): ObjectType<M> {
  return {
    kind: 'OBJECT',
    name: typeName,
    description: null,
    // nothing is cached: the fields of 1,000 tables and ten roles would take 25 MB
    fields: { get: find, values: () => noFields.values() },
  }
}

const noFields: ReadonlyMap<string, never> = new Map<string, never>()

/** What `query_root` has in addition to tables and functions. `introspects`: whether the role may request its schema. */
export function ownRootField(
  name: string,
  introspects: boolean,
  isEmpty: () => boolean,
): Field<QueryRootMeaning> | undefined {
  if (introspects && name === schemaField.name) return schemaField
  if (introspects && name === typeField.name) return typeField
  return name === placeholder.name && isEmpty() ? placeholder : undefined
}

/** A source's namespace, which may be null as far as GraphQL knows. */
export const namespaceField = (name: string, type: ObjectType<QueryRootMeaning>): Field<QueryRootMeaning> =>
  namedField(name, null, refTo(type), { kind: 'namespace', type })

/** What a role without any root field has instead (reference/graphql-schema#root-fields). */
export const placeholder: Field<QueryRootMeaning> = namedField(
  'no_queries_available',
  "There are no queries available to the current role. Either there are no sources or remote schemas configured, or the current role doesn't have the required permissions.",
  nonNull(stringRef),
  { kind: 'placeholder', text: 'There are no queries available to the current role.' },
)

const metaRef = (name: string): NamedRef =>
  lazyRef(name, 'OBJECT', () => {
    throw new Error(`${name} is not reached from query_root`)
  })

const schemaField: Field<QueryRootMeaning> = namedField('__schema', null, nonNull(metaRef('__Schema')), {
  kind: 'schema',
})

const typeField: Field<QueryRootMeaning> = {
  name: '__type',
  description: null,
  args: byName([argument('name', null, nonNull(stringRef))]),
  type: metaRef('__Type'),
  meaning: { kind: 'type' },
}

/** The root field of a native query (reference/database-objects#native-queries). */
export const nativeQueryFieldOf = (query: ResolvedNativeQuery, table: RoleTable): Field<QueryRootMeaning> => ({
  name: query.name,
  description: query.description,
  args: byName([...nativeArgs(table.types, query), ...selectArguments(table).values()]),
  type: nonNull(listOf(nonNull(tablePartRef(table, 'row')))),
  meaning: { kind: 'native-query', query },
})

/**
 * A root field of a tracked function (reference/database-objects#tracked-functions); undefined where the role does not
 * have it.
 */
export function functionFieldOf(
  found: ResolvedFunction,
  kind: FunctionField['kind'],
  table: RoleTable,
): Field<QueryRootMeaning> | undefined {
  if (kind === 'function_aggregate' && !table.allowAggregations) return undefined
  const row = tablePartRef(table, 'row')
  const type = found.set ? nonNull(listOf(nonNull(row))) : row
  const executed = `function "${table.types.names.shown(found.function)}"`
  return namedField(
    kind === 'function' ? found.field : (found.aggregateField ?? ''),
    kind === 'function'
      ? found.description
      : `execute ${executed} and query aggregates on result of table type "${shownName(table)}"`,
    kind === 'function' ? type : nonNull(tablePartRef(table, 'aggregate')),
    { kind: 'function', root: kind, function: found },
    byName([...argsArgument(functionArguments(table, found), executed), ...selectArguments(table).values()]),
  )
}

/**
 * Whether a role has a root field of a table in one of the roots (reference/graphql-schema#root-fields,
 * reference/permissions#keys).
 */
export function rootFieldVisible(
  table: RoleTable,
  kind: RootFieldKind,
  shown: ReadonlySet<string> | null = table.queryRootFields,
): boolean {
  // select_one is select_by_pk by another name
  const permitted = kind === 'select_one' ? 'select_by_pk' : kind
  if (shown && !shown.has(permitted)) return false
  switch (kind) {
    case 'select':
      return true
    case 'select_aggregate':
      return table.allowAggregations
    case 'select_by_pk':
    case 'select_one':
      return table.table.primaryKey?.every((key) => table.columns.some((column) => column.name === key.name)) ?? false
  }
}

export function rootFieldOf(table: RoleTable, name: string, kind: RootFieldKind): Field<QueryRootMeaning> {
  const { table: rows } = table
  const own = rows.kind === 'table' ? rows.rootFields.find((field) => field.name === name) : undefined
  return {
    name,
    description: own ? own.description : description(table, kind),
    args: rootArguments(table, kind),
    type: rootType(table, kind),
    meaning: { kind: 'table', root: kind, table: table.table.id },
  }
}

function rootArguments(table: RoleTable, kind: RootFieldKind): ReadonlyMap<string, InputField<unknown>> {
  switch (kind) {
    case 'select':
    case 'select_aggregate':
      return selectArguments(table)
    case 'select_by_pk':
    case 'select_one':
      return byName(
        (table.table.primaryKey ?? []).map((column) =>
          argument(column.field, column.description, nonNull(columnTypeRef(table.types, column))),
        ),
      )
  }
}

function rootType(table: RoleTable, kind: RootFieldKind): TypeRef {
  switch (kind) {
    case 'select':
      return nonNull(listOf(nonNull(tablePartRef(table, 'row'))))
    case 'select_aggregate':
      return nonNull(tablePartRef(table, 'aggregate'))
    case 'select_by_pk':
    case 'select_one':
      return tablePartRef(table, 'row')
  }
}

/** reference/graphql-schema#descriptions */
function description(table: RoleTable, kind: RootFieldKind): string {
  const name = shownName(table)
  switch (kind) {
    case 'select':
      return `fetch data from the table: "${name}"`
    case 'select_aggregate':
      return `fetch aggregated fields from the table: "${name}"`
    case 'select_by_pk':
    case 'select_one':
      return `fetch data from the table: "${name}" using primary key columns`
  }
}
