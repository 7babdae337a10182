import { perStyle } from '../backend-kind.ts'
import type { Json } from '../json.ts'
import { parseNativeQueryCode } from '../native-query-code.ts'
import {
  boolean,
  choose,
  filled,
  isRecord,
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
import { inlineLogicalModel } from './logical-model.ts'
import { nativeQueryRelationship } from './relationship.ts'

export const queryArguments = mapOf(
  record({ type: text, nullable: filled(boolean, false), description: optional(text) }),
)

/** A logical model's name, or one written in place: canonical like the ones with a name. */
const returns = perStyle(
  (style): Schema<Json> => choose<Json>((value) => (isRecord(value) ? inlineLogicalModel(style) : name)),
)

/** SQL whose arguments are written as they should be. */
const code: Schema<string> = text.check(({ value, issues }) => {
  const parsed = parseNativeQueryCode(value)
  if (!parsed.ok) issues.push({ code: 'custom', message: parsed.message, input: value })
})

/** A query written in SQL with `{{arguments}}` (reference/metadata-operations#native-queries-and-logical-models). */
export const nativeQueryShape = perStyle((style) => {
  const relationships = list(nativeQueryRelationship(style))
  return {
    root_field_name: name,
    type: optional(text),
    code,
    arguments: unless<Value<typeof queryArguments>>({}, queryArguments),
    returns: returns(style),
    description: optional(text),
    object_relationships: unless<Value<typeof relationships>>([], relationships),
    array_relationships: unless<Value<typeof relationships>>([], relationships),
  }
})

export const nativeQuery = perStyle((style) => record(nativeQueryShape(style)))
export type NativeQuery = Value<ReturnType<typeof nativeQuery>>
