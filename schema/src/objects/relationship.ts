import { perStyle } from '../backend-kind.ts'
import {
  choose,
  exactlyOne,
  filledMapOf,
  isRecord,
  lenient,
  list,
  name,
  nullable,
  oneOf,
  optional,
  record,
  type Schema,
  text,
  type Value,
} from '../shape.ts'
import { type QualifiedName, qualifiedName } from './qualified-name.ts'

/** Own columns of a foreign key: one as text, several as a list. */
const ownColumns: Schema<string | readonly string[]> = choose<string | readonly string[]>((value) =>
  typeof value === 'string' ? text : columnList,
).transform((columns) =>
  typeof columns !== 'string' && columns.length === 1 && columns[0] !== undefined ? columns[0] : columns,
)

const columnList: Schema<readonly string[]> = list(text)

/** The foreign key of another table; its columns in either spelling, one column as `column`. */
export type RemoteForeignKey =
  | { readonly table: QualifiedName; readonly column: string }
  | { readonly table: QualifiedName; readonly columns: readonly string[] }

const remoteForeignKey = perStyle(
  (style): Schema<RemoteForeignKey> =>
    exactlyOne(lenient({ table: qualifiedName(style), column: optional(text), columns: optional(ownColumns) }), [
      'column',
      'columns',
    ]).transform(({ table, column, columns }): RemoteForeignKey => {
      const own = column ?? columns ?? ''
      return typeof own === 'string' ? { table, column: own } : { table, columns: own }
    }),
)

const manualConfiguration = perStyle((style) =>
  record({
    remote_table: qualifiedName(style),
    column_mapping: filledMapOf(text),
    insertion_order: nullable(oneOf('before_parent', 'after_parent')),
  }),
)
export type ManualConfiguration = Value<ReturnType<typeof manualConfiguration>>

const usingKeys = ['foreign_key_constraint_on', 'manual_configuration']

/**
 * `using` of an object relationship: own columns or another table's (one to one), or a manual mapping
 * (reference/metadata-operations#relationships).
 */
export const objectUsing = perStyle((style) =>
  exactlyOne(
    record({
      foreign_key_constraint_on: optional<string | readonly string[] | RemoteForeignKey>(
        choose<string | readonly string[] | RemoteForeignKey>((value) =>
          isRecord(value) ? remoteForeignKey(style) : ownColumns,
        ),
      ),
      manual_configuration: optional(manualConfiguration(style)),
    }),
    usingKeys,
  ),
)

export const arrayUsing = perStyle((style) =>
  exactlyOne(
    record({
      foreign_key_constraint_on: optional(remoteForeignKey(style)),
      manual_configuration: optional(manualConfiguration(style)),
    }),
    usingKeys,
  ),
)

export const objectRelationship = perStyle((style) =>
  record({ name, using: objectUsing(style), comment: optional(text) }),
)
export type ObjectRelationship = Value<ReturnType<typeof objectRelationship>>

export const arrayRelationship = perStyle((style) =>
  record({ name, using: arrayUsing(style), comment: optional(text) }),
)
export type ArrayRelationship = Value<ReturnType<typeof arrayRelationship>>

/** The relationships of a native query are declared inside it, by hand, to a table or another native query. */
export const nativeQueryRelationship = perStyle((style) =>
  record({
    name,
    using: record({
      manual_configuration: exactlyOne(
        record({
          remote_table: optional(qualifiedName(style)),
          remote_native_query: optional(text),
          column_mapping: filledMapOf(text),
          insertion_order: nullable(oneOf('before_parent', 'after_parent')),
        }),
        ['remote_table', 'remote_native_query'],
      ),
    }),
    comment: optional(text),
  }),
)
export type NativeQueryRelationship = Value<ReturnType<typeof nativeQueryRelationship>>
