/**
 * The few combinators every metadata schema is made of: records in the key order of their declaration that leave
 * out what equals its default, and keep what they do not know.
 */
import { z } from 'zod'
import { sortKeys } from './check-depth.ts'
import { equalJson } from './equal-json.ts'
import { isRawNumber } from './exact-json/raw-number.ts'
import { withInputForm } from './input-forms.ts'
import type { Json, JsonObject } from './json.ts'

/** A schema that accepts any JSON and returns the canonical form. */
export type Schema<T> = z.ZodType<T, unknown>
export type Shape = Readonly<Record<string, Schema<unknown>>>
export type Value<S> = S extends z.ZodType<infer T, unknown> ? T : never

type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T]
/** Keys whose value may be undefined become optional keys. */
type Pruned<T> = {
  readonly [K in Exclude<keyof T, OptionalKeys<T>>]: T[K]
} & { readonly [K in OptionalKeys<T>]?: Exclude<T[K], undefined> }

export type RecordOf<S extends Shape> = Pruned<{ -readonly [K in keyof S]: Value<S[K]> }>

export interface RecordOptions {
  /** Keys the shape does not name: stored (a user's declaration is never dropped), left out, or refused. */
  readonly unknown?: 'keep' | 'ignore' | 'refuse'
  /** Other spellings of a key, which count where the key itself is not there. */
  readonly aliases?: Readonly<Record<string, string>>
  /** What is said under two spellings must be the same. */
  readonly agreeing?: true
  /** Where there are both, the other spelling counts. */
  readonly aliasesFirst?: true
}

export const isRecord = (json: unknown): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && !isRawNumber(json)

/** JSON that is an object; an empty one in the place of anything else. */
export const recordOf = (json: unknown): JsonObject => (isRecord(json) ? json : {})

/** The objects in a list; none where it is no list. */
export const recordsIn = (json: unknown): readonly JsonObject[] => (Array.isArray(json) ? json.filter(isRecord) : [])

/** The items of a list as texts; none where it is no list. */
export const textsIn = (json: unknown): readonly string[] => (Array.isArray(json) ? json.map(String) : [])

/** A JSON object with these keys, in this order, then unknown ones; keys whose value is undefined are left out. */
export function record<S extends Shape>(
  shape: S,
  { unknown = 'keep', aliases, agreeing, aliasesFirst }: RecordOptions = {},
): Schema<RecordOf<S>> {
  const loose: z.ZodType<Record<string, unknown>, unknown> = refusingNumbers(
    unknown === 'keep'
      ? z.looseObject({ ...shape })
      : unknown === 'refuse'
        ? z.strictObject({ ...shape })
        : z.object({ ...shape }),
  )
  if (aliases) renamingKeys(loose, aliases, { agreeing, aliasesFirst })
  const pruned = loose.transform((value) =>
    Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)),
  )
  return (aliases ? withInputForm(pruned, { aliases }) : pruned) as unknown as Schema<RecordOf<S>>
}

/** A record whose other keys are left out, as those of arguments are. */
export const lenient = <S extends Shape>(shape: S, options: Omit<RecordOptions, 'unknown'> = {}): Schema<RecordOf<S>> =>
  record(shape, { ...options, unknown: 'ignore' })

/**
 * Returns the same schema of objects, to which a number that keeps its digits, an object to JavaScript, is no object.
 * Checked where zod begins with a value: a schema in front of it would be run for each record of a document.
 */
function refusingNumbers<S extends z.ZodType>(schema: S): S {
  const { run } = schema._zod
  schema._zod.run = (payload, context) => {
    if (!isRawNumber(payload.value)) return run(payload, context)
    payload.issues.push({ code: 'invalid_type', expected: 'object', input: payload.value, inst: schema })
    return payload
  }
  return schema
}

/** The same schema, which also reads the other spellings of keys. An issue has its path under the key that was sent. */
function renamingKeys(
  schema: z.ZodType,
  aliases: Readonly<Record<string, string>>,
  {
    agreeing = false,
    aliasesFirst = false,
  }: { readonly agreeing?: boolean | undefined; readonly aliasesFirst?: boolean | undefined },
): void {
  const { run } = schema._zod
  schema._zod.run = (payload, context) => {
    const sent = payload.value
    if (!isRecord(sent)) return run(payload, context)
    const used = Object.entries(aliases).filter(([alias]) => sent[alias] !== undefined)
    if (used.length === 0) return run(payload, context)
    for (const [alias, key] of agreeing ? used : [])
      if (sent[key] !== undefined && JSON.stringify(sent[key]) !== JSON.stringify(sent[alias])) {
        const message = `${alias} is a spelling of ${key}, and they differ`
        payload.issues.push({ code: 'custom', path: [alias], message, input: sent[alias], inst: schema })
        return payload
      }
    payload.value = renameKeys(sent, used, aliasesFirst)
    const read = run(payload, context)
    for (const { path } of payload.issues) {
      const spelling = used.find(([, key]) => key === path?.[0] && (aliasesFirst || sent[key] === undefined))
      if (path && spelling) path[0] = spelling[0]
    }
    return read
  }
}

function renameKeys(json: JsonObject, used: readonly (readonly [string, string])[], first: boolean): JsonObject {
  const renamed: Record<string, Json> = { ...json }
  for (const [alias, key] of used) {
    const value = renamed[alias]
    delete renamed[alias]
    if ((first || renamed[key] === undefined) && value !== undefined) renamed[key] = value
  }
  return renamed
}

export const text: Schema<string> = z.string()
export const integer: Schema<number> = z.number().int()
/** Of a key of that name. */
export const notNegative = (key: string): Schema<number> =>
  integer.refine((value) => value >= 0, `${key} cannot be a negative value`)
export const number: Schema<number> = z.number()
export const boolean: Schema<boolean> = z.boolean()
/** A name that must not be empty. */
export const name: Schema<string> = z.string().min(1, 'expected a name, encountered an empty string')

export const oneOf = <const T extends string>(...values: readonly T[]): Schema<T> => z.enum(values)

export const list = <T>(item: Schema<T>): Schema<readonly T[]> => z.array(item)

export const nonEmpty = <T>(item: Schema<T>): Schema<readonly T[]> =>
  z.array(item).min(1, 'expected a non-empty list, encountered an empty one')

/**
 * The schema with a check of its own. `above`: the contract answers a failure so many levels above the value, since its
 * reader reads the whole object.
 */
export const checked = <T>(schema: Schema<T>, isFine: (value: T) => boolean, message: string, above = 0): Schema<T> =>
  schema.refine(isFine, { message, params: { above } })

/** A list with at least one item, whose absence has words of its own. */
export const filledList = <T>(item: Schema<T>, message: string, above = 0): Schema<readonly T[]> =>
  withInputForm(
    checked(list(item), (items) => items.length > 0, message, above),
    { schema: { minItems: 1 } },
  )

/** Absent or null: left out. */
export const optional = <T>(schema: Schema<T>): Schema<T | undefined> =>
  schema.nullish().transform((value) => value ?? undefined)

/** Absent means null, and null is exported. */
export const nullable = <T>(schema: Schema<T>): Schema<T | null> => schema.nullish().transform((value) => value ?? null)

/** Absent or null: the default, which is always exported. */
export const filled = <T>(schema: Schema<T>, value: T): Schema<T> =>
  withInputForm(
    schema.nullish().transform((given) => given ?? value),
    { default: value as Json },
  )

/** Absent, null or equal to the default: left out. */
export const unless = <T>(value: T, schema: Schema<T>): Schema<T | undefined> =>
  withInputForm(
    schema.nullish().transform((given) => (given === null || equalJson(given, value) ? undefined : given)),
    { default: value as Json },
  )

/** Any JSON, but it must be there. Keys of objects in alphabetical order, which is how it is exported. */
export const json: Schema<Json> = z
  .custom<Json>((value) => value !== undefined, 'expected a value')
  .transform((value) => sortKeys(value))

export const jsonObject: Schema<JsonObject> = withInputForm(
  z.custom<JsonObject>(isRecord, 'expected object').transform((value) => sortKeys(value) as JsonObject),
  { schema: { type: 'object' } },
)

/** A map of the user's own keys, exported in alphabetical order. */
export const mapOf = <T>(value: Schema<T>): Schema<Readonly<Record<string, T>>> =>
  z.preprocess(hideProto, refusingNumbers(z.record(z.string(), value))).transform((map) =>
    Object.fromEntries(
      Object.entries(map)
        .map(([key, part]): [string, T] => [key === hiddenProto ? '__proto__' : key, part])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  )

/** zod leaves a key `__proto__` out; a database may have a column of that name. */
const hiddenProto = '__proto__ '

function hideProto(json: unknown): unknown {
  if (!isRecord(json) || !Object.hasOwn(json, '__proto__')) return json
  return Object.fromEntries(Object.entries(json).map(([key, part]) => [key === '__proto__' ? hiddenProto : key, part]))
}

/** Such a map with at least one key. */
export const filledMapOf = <T>(value: Schema<T>): Schema<Readonly<Record<string, T>>> =>
  mapOf(value).refine((map) => Object.keys(map).length > 0, 'expected at least one column')

/** Exactly one of several keys. */
export function exactlyOne<T>(
  schema: Schema<T>,
  keys: readonly string[],
  words: { readonly none: string; readonly several: string } = {
    none: `atleast one of ${keys.join(', ')} should be present`,
    several: `only one of ${keys.join(', ')} should be present`,
  },
): Schema<T> {
  return schema.superRefine((value, context) => {
    const given = keys.filter((key) => isRecord(value) && value[key] !== undefined)
    if (given.length === 0) context.addIssue({ code: 'custom', message: words.none })
    if (given.length > 1) context.addIssue({ code: 'custom', message: words.several })
  })
}

/**
 * Returns the schema that the form of the value chooses. `samples`: values of each form, by which its JSON Schema finds
 * them.
 */
export function choose<T>(pick: (value: unknown) => Schema<T>, samples: readonly Json[] = ['', [], {}]): Schema<T> {
  const chosen = z
    .unknown()
    .optional()
    .transform((value, context): T => {
      const result = pick(value).safeParse(value, { reportInput: true })
      if (result.success) return result.data
      for (const issue of result.error.issues) context.issues.push({ ...issue, path: [...issue.path] } as RawIssue)
      return z.NEVER
    })
  return withInputForm(chosen, { anyOf: () => [...new Set(samples.map(pick))] })
}

type RawIssue = z.core.$ZodRawIssue
