import type { z } from 'zod'
import type { Json, JsonObject } from './json.ts'

type AnySchema = z.ZodType<unknown, unknown>

/** What a schema accepts where its combinators do not say: one of several forms, a JSON Schema, a default. */
export interface InputForm {
  readonly anyOf?: () => readonly AnySchema[]
  readonly schema?: JsonObject
  readonly default?: Json
  /** Other spellings of its keys. */
  readonly aliases?: Readonly<Record<string, string>>
}

const forms = new WeakMap<object, InputForm>()

/** Says what `schema` accepts, for its JSON Schema (json-schema.ts). Decoding does not read it. */
export function withInputForm<S extends AnySchema>(schema: S, form: InputForm): S {
  forms.set(schema, form)
  return schema
}

export const inputForm = (schema: object): InputForm | undefined => forms.get(schema)
