import { perStyle } from '../backend-kind.ts'
import type { Json } from '../json.ts'
import {
  boolean,
  choose,
  filled,
  isRecord,
  json,
  list,
  mapOf,
  name,
  optional,
  record,
  type Schema,
  text,
  unless,
  type Value,
} from '../shape.ts'
import { nativeQueryRelationship } from './relationship.ts'

export const queryArguments = mapOf(
  record({ type: text, nullable: filled(boolean, false), description: optional(text) }),
)

/** A logical model's name, or one written in place. */
const returns: Schema<Json> = choose<Json>((value) => (isRecord(value) ? json : text))

/** A query written in SQL with `{{arguments}}` (spec 01 §2.15). */
export const nativeQuery = perStyle((style) => {
  const relationships = list(nativeQueryRelationship(style))
  return record({
    root_field_name: name,
    type: optional(text),
    code: text,
    arguments: unless<Value<typeof queryArguments>>({}, queryArguments),
    returns,
    description: optional(text),
    object_relationships: unless<Value<typeof relationships>>([], relationships),
    array_relationships: unless<Value<typeof relationships>>([], relationships),
  })
})
export type NativeQuery = Value<ReturnType<typeof nativeQuery>>
