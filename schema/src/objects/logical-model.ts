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

/** The row type of native queries and stored procedures (spec 01 §2.15). */
export const logicalModel = record({ name, fields: list(field), description: optional(text) })
export type LogicalModel = Value<typeof logicalModel>

export const logicalModelSelectPermission = perStyle((style) =>
  record({
    role: name,
    permission: record({ columns, filter: booleanExpression(style) }),
    comment: optional(text),
  }),
)
export type LogicalModelSelectPermission = Value<ReturnType<typeof logicalModelSelectPermission>>
