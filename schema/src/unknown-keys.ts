import type { z } from 'zod'
import type { Json, JsonObject } from './json.ts'
import { closedJsonSchemaOf } from './json-schema.ts'
import { isRecord } from './shape.ts'

/** A key that an object has and its schema does not name, with those that it does. */
export interface UnknownKey {
  readonly path: readonly (string | number)[]
  readonly known: readonly string[]
}

/**
 * The keys in a value that no record of its schema names, although decoding does not drop them. Keys of maps are the
 * user's own.
 */
export function unknownKeys(schema: z.ZodType<unknown, unknown>, value: Json): readonly UnknownKey[] {
  return strangersIn(closedForm(schema), value, [])
}

const closedForms = new WeakMap<object, JsonObject>()

function closedForm(schema: z.ZodType<unknown, unknown>): JsonObject {
  const form = closedForms.get(schema) ?? closedJsonSchemaOf(schema)
  closedForms.set(schema, form)
  return form
}

function strangersIn(form: Json | undefined, value: Json, path: UnknownKey['path']): readonly UnknownKey[] {
  if (!isRecord(form)) return []
  if (Array.isArray(form.anyOf)) return fewest(form.anyOf, value, path)
  if (Array.isArray(value)) return value.flatMap((item: Json, i) => strangersIn(form.items, item, [...path, i]))
  if (!isRecord(value)) return []
  const { properties, additionalProperties: further } = form
  const named = isRecord(properties) ? properties : {}
  return Object.entries(value).flatMap(([key, part]) => {
    const at = [...path, key]
    if (Object.hasOwn(named, key)) return strangersIn(named[key], part, at)
    return further === false ? [{ path: at, known: Object.keys(named) }] : strangersIn(further, part, at)
  })
}

/** Of several forms of the value's own type the one that knows most of its keys. */
function fewest(options: readonly Json[], value: Json, path: UnknownKey['path']): readonly UnknownKey[] {
  const type = Array.isArray(value) ? 'array' : isRecord(value) ? 'object' : null
  const fitting = options.filter((option) => isRecord(option) && (option.type ?? type) === type)
  const [first = []] = fitting.map((option) => strangersIn(option, value, path)).toSorted((a, b) => a.length - b.length)
  return first
}
