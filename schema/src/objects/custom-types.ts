import {
  boolean,
  filled,
  json,
  list,
  mapOf,
  name,
  oneOf,
  optional,
  record,
  type Schema,
  text,
  unless,
  type Value,
} from '../shape.ts'
import { foreignName } from './qualified-name.ts'

const lists = <T>(item: Schema<T>) => unless<readonly T[]>([], list(item))

const inputObject = record({
  name,
  description: optional(text),
  fields: list(record({ name, type: text, description: optional(text) })),
})

const typeRelationship = record({
  name,
  type: oneOf('object', 'array'),
  source: filled(text, 'default'),
  remote_table: foreignName,
  field_mapping: mapOf(text),
})

const objectType = record({
  name,
  description: optional(text),
  fields: list(record({ name, type: text, description: optional(text), arguments: optional(json) })),
  relationships: lists(typeRelationship),
})

const enumType = record({
  name,
  description: optional(text),
  values: list(record({ value: text, description: optional(text), is_deprecated: unless(false, boolean) })),
})

/** The types of actions (spec 01 §2.11, §3.2). Lists stay in the user's order. */
export const customTypes = record({
  input_objects: lists(inputObject),
  objects: lists(objectType),
  scalars: lists(record({ name, description: optional(text) })),
  enums: lists(enumType),
})
export type CustomTypes = Value<typeof customTypes>
