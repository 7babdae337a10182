import type {
  FunctionField,
  MutationFieldKind,
  ResolvedAction,
  ResolvedFunction,
  ResolvedNativeQuery,
  ResolvedTable,
  RootFieldKind,
  VisibleRemote,
} from '../../model/index.ts'
import type { ActionForm } from './action-types.ts'
import { columnTypeRef } from './column-type.ts'
import type { NamedTypes } from './named-types.ts'
import { nativeArgs } from './native-query-arguments.ts'
import type { RoleTable } from './role-table.ts'
import { stringRef } from './scalar-types.ts'
import { selectArguments, shownName } from './select-arguments.ts'
import { tablePartRef } from './table-part-ref.ts'
import {
  argument,
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

const typeField: Field<QueryRootMeaning> = namedField(
  '__type',
  null,
  metaRef('__Type'),
  { kind: 'type' },
  byName([argument('name', null, nonNull(stringRef))]),
)

/** The root field of a native query (reference/database-objects#native-queries). */
export const nativeQueryFieldOf = (query: ResolvedNativeQuery, table: RoleTable): Field<QueryRootMeaning> => ({
  name: query.name,
  description: query.description,
  args: byName([...nativeArgs(table.types, query), ...selectArguments(table).values()]),
  type: nonNull(listOf(nonNull(tablePartRef(table, 'row')))),
  meaning: { kind: 'native-query', query },
})

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

/** Returns a root field of a table, described as metadata says or else by its kind (reference/graphql-schema#descriptions). */
export function rootFieldOf(table: RoleTable, name: string, kind: RootFieldKind): Field<QueryRootMeaning> {
  const { table: rows } = table
  const own = rows.kind === 'table' ? rows.rootFields.find((field) => field.name === name) : undefined
  const meaning = { kind: 'table', root: kind, table: rows.id } as const
  const field = (text: string, type: TypeRef, args: Field<unknown>['args']): Field<QueryRootMeaning> =>
    namedField(name, own ? own.description : text, type, meaning, args)
  const row = tablePartRef(table, 'row')
  const shown = shownName(table)
  switch (kind) {
    case 'select':
      return field(`fetch data from the table: "${shown}"`, nonNull(listOf(nonNull(row))), selectArguments(table))
    case 'select_aggregate': {
      const type = nonNull(tablePartRef(table, 'aggregate'))
      return field(`fetch aggregated fields from the table: "${shown}"`, type, selectArguments(table))
    }
    case 'select_by_pk':
    case 'select_one':
      return field(
        `fetch data from the table: "${shown}" using primary key columns`,
        row,
        byName(keyArguments(table.table.primaryKey, table.types)),
      )
  }
}

/** Returns an argument for each column of a key. */
export const keyArguments = (key: ResolvedTable['primaryKey'], types: NamedTypes): readonly InputField<null>[] =>
  (key ?? []).map((column) => argument(column.field, column.description, nonNull(columnTypeRef(types, column))))
