import { z } from 'zod'
import { equalJson } from './equal-json.ts'
import { inputForm } from './input-forms.ts'
import type { Json, JsonObject } from './json.ts'
import { isRecord } from './shape.ts'

/**
 * What a schema accepts, as JSON Schema 2020-12 without `$schema`: keys, types, defaults, alternatives. It accepts
 * whatever the schema accepts; rules that span keys (exactly one of two) are the decoder's.
 */
export function jsonSchemaOf(schema: z.ZodType<unknown, unknown>): JsonObject {
  return convert(schema, new Set())
}

/**
 * The same for editors: keys that a record does not name are wrong, although decoding may keep them, and the other
 * spellings of a key are known.
 */
export const closedJsonSchemaOf = (schema: z.ZodType<unknown, unknown>): JsonObject => convert(schema, new Set(), true)

function convert(schema: z.ZodType<unknown, unknown>, within: ReadonlySet<object>, closed = false): JsonObject {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema instanceof z.ZodObject) requireChosen(zodSchema, jsonSchema)
      if (closed && zodSchema instanceof z.ZodObject) jsonSchema.additionalProperties = false
      const form = inputForm(zodSchema)
      if (!form) return
      if (closed && form.aliases) Object.assign(jsonSchema, { [aliasesKey]: form.aliases })
      if (form.schema) Object.assign(jsonSchema, form.schema)
      // a form within itself accepts anything, as far as its JSON Schema goes
      if (form.anyOf && !within.has(zodSchema))
        Object.assign(jsonSchema, {
          anyOf: form.anyOf().map((option) => convert(option, new Set([...within, zodSchema]), closed)),
        })
      if (form.default !== undefined) Object.assign(jsonSchema, { default: form.default })
    },
  })
  const json = simple(JSON.parse(JSON.stringify(made)) as Json)
  return isRecord(json) ? json : {}
}

/**
 * A key whose value's form chooses its schema accepts anything, as far as zod knows: it is required where no choice
 * accepts undefined.
 */
function requireChosen({ shape }: z.ZodObject, jsonSchema: { required?: string[] }): void {
  const needed = Object.entries(shape).filter(([, property]) =>
    inputForm(property)
      ?.anyOf?.()
      .every((option) => !option.safeParse(undefined).success),
  )
  const required = [...new Set([...(jsonSchema.required ?? []), ...needed.map(([key]) => key)])]
  if (required.length > 0) jsonSchema.required = Object.keys(shape).filter((key) => required.includes(key))
}

/** Without what says nothing (bounds of exact integers, any further keys), alternatives flat and each once. */
function simple(json: Json): Json {
  if (isList(json)) return json.map(simple)
  if (!isRecord(json)) return json
  const { anyOf, ...others } = json
  const made = Object.fromEntries(
    Object.entries(others)
      .filter(([key, value]) => !saysNothing(key, value))
      .map(([key, value]) => [key, key === 'default' || key === 'enum' ? value : simple(value)]),
  )
  if (anyOf === undefined || !isList(anyOf)) return withAliases(made)
  const options = anyOf.map(simple).flatMap(optionsOf)
  const distinct = options.filter((option, i) => options.findIndex((other) => equalJson(other, option)) === i)
  return distinct.length === 1 && isRecord(distinct[0]) ? { ...distinct[0], ...made } : { anyOf: distinct, ...made }
}

const aliasesKey = 'x-aliases'

/** Each other spelling accepts what its key accepts, and stands for it where it is needed. */
function withAliases({ [aliasesKey]: aliases, ...schema }: JsonObject): JsonObject {
  const { properties, required } = schema
  if (!isRecord(aliases) || !isRecord(properties)) return schema
  const others = Object.entries(aliases).filter(([alias]) => !Object.hasOwn(properties, alias))
  const aliased = new Set(others.map(([, key]) => key))
  const added = others.map(([alias, key]) => [alias, properties[String(key)] ?? {}])
  return {
    ...schema,
    properties: { ...properties, ...Object.fromEntries(added) },
    ...(isList(required ?? null) && { required: (required as readonly Json[]).filter((key) => !aliased.has(key)) }),
  }
}

const isList = (json: Json): json is readonly Json[] => Array.isArray(json)

const optionsOf = (json: Json): readonly Json[] =>
  isRecord(json) && json.anyOf !== undefined && isList(json.anyOf) && Object.keys(json).length === 1
    ? json.anyOf
    : [json]

const saysNothing = (key: string, value: Json): boolean =>
  (key === 'additionalProperties' && isRecord(value) && Object.keys(value).length === 0) ||
  key === 'propertyNames' ||
  ((key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER)
