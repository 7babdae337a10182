import type { z } from 'zod'
import { inputForm } from './input-forms.ts'
import type { Json } from './json.ts'

type AnySchema = z.ZodType<unknown, unknown>

/** One of the forms that a value may have. Below it are schemas, to be read with `placeOf` in turn. */
export type Form =
  /** `choices`: the only texts that it may be. */
  | { readonly kind: 'string'; readonly choices?: readonly string[]; readonly filled: boolean }
  | { readonly kind: 'boolean' | 'integer' | 'number' | 'json' }
  | { readonly kind: 'list'; readonly of: AnySchema; readonly filled: boolean }
  | { readonly kind: 'map'; readonly of: AnySchema }
  | { readonly kind: 'object'; readonly keys: Readonly<Record<string, AnySchema>> }

/**
 * What a schema says of the place where its value stands: the forms it may have, and the default where there is none.
 */
export interface Place {
  readonly forms: readonly Form[]
  readonly required: boolean
  readonly default?: Json
}

type Def =
  | { readonly type: 'optional' | 'nullable'; readonly innerType: AnySchema }
  | { readonly type: 'pipe'; readonly in: AnySchema; readonly out: AnySchema }
  | { readonly type: 'enum'; readonly entries: Readonly<Record<string, string>> }
  | { readonly type: 'array'; readonly element: AnySchema }
  | { readonly type: 'record'; readonly valueType: AnySchema }
  | { readonly type: 'object'; readonly shape: Readonly<Record<string, AnySchema>> }
  | { readonly type: 'string' | 'number' | 'boolean' | 'unknown' | 'custom' | 'transform' }

/** Reads a schema that is made of the combinators of shape.ts. Throws Error for any other. */
export function placeOf(schema: AnySchema): Place {
  const form = inputForm(schema)
  const place = form?.anyOf ? oneOfPlaces(form.anyOf().map(placeOf)) : placeOfDef(schema)
  return form?.default === undefined ? place : { ...place, required: false, default: form.default }
}

const oneOfPlaces = (places: readonly Place[]): Place => ({
  forms: places.flatMap(({ forms }) => forms),
  required: places.every(({ required }) => required),
})

function placeOfDef(schema: AnySchema): Place {
  const def = schema._zod.def as unknown as Def
  const one = (form: Form): Place => ({ forms: [form], required: true })
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return { ...placeOf(def.innerType), required: false }
    case 'pipe': // what is read before or after a transform
      return placeOf((def.in._zod.def as unknown as Def).type === 'transform' ? def.out : def.in)
    case 'string':
      return one({ kind: 'string', filled: isFilled(schema) })
    case 'enum':
      return one({ kind: 'string', choices: Object.values(def.entries), filled: false })
    case 'number':
      return one({ kind: checksOf(schema).some(({ format }) => format === 'safeint') ? 'integer' : 'number' })
    case 'boolean':
      return one({ kind: 'boolean' })
    case 'array':
      return one({ kind: 'list', of: def.element, filled: isFilled(schema) })
    case 'record':
      return one({ kind: 'map', of: def.valueType })
    case 'object':
      return one({ kind: 'object', keys: def.shape })
    case 'unknown':
    case 'custom':
      return one({ kind: 'json' })
    case 'transform':
      break
  }
  throw new Error(`nothing says what a ${def.type} takes`)
}

type Checked = { readonly check: string; readonly format?: string }
const checksOf = (schema: AnySchema): readonly Checked[] =>
  ((schema._zod.def as { checks?: readonly z.core.$ZodCheck[] }).checks ?? []).map(
    (check) => check._zod.def as unknown as Checked,
  )

const isFilled = (schema: AnySchema): boolean =>
  inputForm(schema)?.schema?.minItems !== undefined || checksOf(schema).some(({ check }) => check === 'min_length')
