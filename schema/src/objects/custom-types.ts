import {
  boolean,
  filled,
  json,
  list,
  mapOf,
  nonEmpty,
  oneOf,
  optional,
  record,
  type Schema,
  text,
  unless,
  type Value,
} from '../shape.ts'
import { graphqlName, graphqlType } from './graphql-type.ts'
import { foreignName } from './qualified-name.ts'

const lists = <T>(item: Schema<T>) => unless<readonly T[]>([], list(item))

export const customInputObject = record({
  name: graphqlName,
  description: optional(text),
  fields: nonEmpty(record({ name: graphqlName, type: graphqlType, description: optional(text) })),
})

const typeRelationship = record({
  name: graphqlName,
  type: oneOf('object', 'array'),
  source: filled(text, 'default'),
  remote_table: foreignName,
  field_mapping: mapOf(text),
})

export const customObject = record({
  name: graphqlName,
  description: optional(text),
  fields: nonEmpty(
    record({ name: graphqlName, type: graphqlType, description: optional(text), arguments: optional(json) }),
  ),
  relationships: lists(typeRelationship),
})

export const customEnum = record({
  name: graphqlName,
  description: optional(text),
  values: nonEmpty(record({ value: graphqlName, description: optional(text), is_deprecated: unless(false, boolean) })),
})

export const customScalar = record({ name: graphqlName, description: optional(text) })

/**
 * The types of actions (reference/metadata-operations#operations-on-actions, reference/metadata-document#objects).
 * Lists remain in the user's order.
 */
export const customTypes = record({
  input_objects: lists(customInputObject),
  objects: lists(customObject),
  scalars: lists(customScalar),
  enums: lists(customEnum),
})
/** The lists of types, and what one type of each is called. */
export const customTypeLists = {
  input_objects: 'input_object',
  objects: 'object',
  scalars: 'scalar',
  enums: 'enum',
} as const
export type CustomTypeList = keyof typeof customTypeLists

export type CustomTypes = Value<typeof customTypes>
