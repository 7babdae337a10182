import { perStyle } from '../backend-kind.ts'
import type { JsonObject } from '../json.ts'
import {
  boolean,
  choose,
  exactlyOne,
  filled,
  isRecord,
  list,
  name,
  optional,
  record,
  type Schema,
  text,
  unless,
  type Value,
} from '../shape.ts'
import { booleanExpression } from './boolean-expression.ts'
import { columns } from './permission.ts'

const fieldType: Schema<JsonObject> = choose<JsonObject>(() => fieldTypeObject)

const fieldTypeObject: Schema<JsonObject> = exactlyOne(
  record({
    scalar: optional(text),
    logical_model: optional(text),
    array: optional(fieldType),
    nullable: filled(boolean, false),
  }),
  ['scalar', 'logical_model', 'array'],
)

/** `type: "int", nullable: true` is the older spelling of `type: {scalar: "int", nullable: true}`. */
const field = choose(
  (value): Schema<JsonObject> => (isRecord(value) && typeof value.type === 'string' ? olderField : fieldOfType),
  [{}, { type: 'int' }],
)
const fieldOfType = record({ name, type: fieldType, description: optional(text) })
const olderField: Schema<JsonObject> = record({
  name,
  type: text,
  nullable: filled(boolean, false),
  description: optional(text),
}).transform(({ type, nullable, ...others }) => {
  const { name: own, ...rest } = others
  return { name: own, type: { scalar: type, nullable }, ...rest }
})

/**
 * The row type of native queries and stored procedures
 * (reference/metadata-operations#native-queries-and-logical-models).
 */
export const logicalModelShape = { name, fields: list(field), description: optional(text) }
export const logicalModel = record(logicalModelShape)
export type LogicalModel = Value<typeof logicalModel>

export const logicalModelPermissionBody = perStyle((style) => record({ columns, filter: booleanExpression(style) }))

export const logicalModelSelectPermission = perStyle((style) =>
  record({ role: name, permission: logicalModelPermissionBody(style), comment: optional(text) }),
)
export type LogicalModelSelectPermission = Value<ReturnType<typeof logicalModelSelectPermission>>

/** A logical model that a native query writes in place of a name, with its permissions. */
export const inlineLogicalModel = perStyle((style) => {
  const permissions = list(logicalModelSelectPermission(style))
  return record({
    fields: list(field),
    select_permissions: unless<Value<typeof permissions>>([], permissions),
  })
})
