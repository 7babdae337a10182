import { perStyle } from '../backend-kind.ts'
import {
  boolean,
  choose,
  filled,
  integer,
  json,
  list,
  mapOf,
  name,
  nullable,
  number,
  oneOf,
  optional,
  record,
  type Schema,
  text,
  unless,
  type Value,
} from '../shape.ts'
import { booleanExpression } from './boolean-expression.ts'
import { headers } from './header.ts'

/** `*` or a list of column names. */
export type Columns = '*' | readonly string[]

const star = oneOf('*')
const names = list(text)
export const columns: Schema<Columns> = choose<Columns>((value) => (typeof value === 'string' ? star : names))

const presets = mapOf(json)

const validateInput = record({
  type: oneOf('http'),
  definition: record({
    url: text,
    headers: filled(headers, []),
    timeout: filled(number, 10),
    forward_client_headers: filled(boolean, false),
  }),
})

const selectRootField = oneOf('select', 'select_by_pk', 'select_aggregate')
const subscriptionRootField = oneOf('select', 'select_by_pk', 'select_aggregate', 'select_stream')

/** Columns and rows a role may insert (reference/metadata-operations#permissions-of-tables). */
export const insertPermissionBody = perStyle((style) =>
  record({
    check: booleanExpression(style),
    set: unless({}, presets),
    columns: unless<Columns>('*', columns),
    backend_only: unless(false, boolean),
    validate_input: optional(validateInput),
  }),
)

/**
 * Columns and rows a role may read (reference/metadata-operations#permissions-of-tables). Absent lists of root fields
 * mean all, empty ones none.
 */
export const selectPermissionBody = perStyle((style) =>
  record({
    columns,
    computed_fields: unless<Columns>([], columns),
    filter: booleanExpression(style),
    limit: optional(integer),
    allow_aggregations: unless(false, boolean),
    query_root_fields: optional(list(selectRootField)),
    subscription_root_fields: optional(list(subscriptionRootField)),
  }),
)

/** Columns and rows a role may change; `check` is exported even when null (reference/metadata-document#objects). */
export const updatePermissionBody = perStyle((style) =>
  record({
    columns,
    filter: booleanExpression(style),
    check: nullable(booleanExpression(style)),
    set: unless({}, presets),
    backend_only: unless(false, boolean),
    validate_input: optional(validateInput),
  }),
)

export const deletePermissionBody = perStyle((style) =>
  record({
    filter: booleanExpression(style),
    backend_only: unless(false, boolean),
    validate_input: optional(validateInput),
  }),
)

const permission = <T>(body: Schema<T>) => record({ role: name, permission: body, comment: optional(text) })

export const insertPermission = perStyle((style) => permission(insertPermissionBody(style)))
export const selectPermission = perStyle((style) => permission(selectPermissionBody(style)))
export const updatePermission = perStyle((style) => permission(updatePermissionBody(style)))
export const deletePermission = perStyle((style) => permission(deletePermissionBody(style)))

export type InsertPermission = Value<ReturnType<typeof insertPermission>>
export type SelectPermission = Value<ReturnType<typeof selectPermission>>
export type UpdatePermission = Value<ReturnType<typeof updatePermission>>
export type DeletePermission = Value<ReturnType<typeof deletePermission>>
