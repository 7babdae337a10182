import { z } from 'zod'
import { Path } from '../errors.ts'
import type { RemoteField, RemoteInput, RemoteRoots, RemoteType, RemoteTypeRef, RemoteTypes } from './remote-types.ts'

const text = z.string().nullish()
const typeRef: z.ZodType<RawRef> = z.lazy(() => z.object({ kind: z.string(), name: text, ofType: typeRef.nullish() }))
interface RawRef {
  readonly kind: string
  readonly name?: string | null | undefined
  readonly ofType?: RawRef | null | undefined
}
const input = z.object({ name: z.string(), description: text, type: typeRef, defaultValue: text })
const field = z.object({ name: z.string(), description: text, args: z.array(input).nullish(), type: typeRef })
const named = z.object({ name: z.string() })
const type = z.object({
  kind: z.enum(['SCALAR', 'OBJECT', 'INTERFACE', 'UNION', 'ENUM', 'INPUT_OBJECT']),
  name: z.string(),
  description: text,
  fields: z.array(field).nullish(),
  inputFields: z.array(input).nullish(),
  interfaces: z.array(named).nullish(),
  enumValues: z.array(z.object({ name: z.string(), description: text })).nullish(),
  possibleTypes: z.array(named).nullish(),
})
const schema = z.object({
  queryType: named,
  mutationType: named.nullish(),
  subscriptionType: named.nullish(),
  types: z.array(type),
})

type RawType = z.infer<typeof type>

/**
 * `__schema` of an introspection as types. Throws remote-schema-error for what is no introspection
 * (reference/remote-schemas#introspection).
 */
export function readIntrospection(json: unknown): RemoteTypes {
  const read = schema.safeParse(json)
  if (!read.success) {
    const [issue] = read.error.issues
    const path = new Path((issue?.path ?? []).filter((key) => typeof key !== 'symbol'))
    throw Path.root.error('remote-schema-error', `Error in ${path}: ${issue?.message ?? 'not an introspection'}`)
  }
  const raw = read.data
  // the types of introspection itself are the engine's own
  const types = raw.types.filter(({ name }) => !name.startsWith('__')).map(typeOf)
  const byName = new Map(types.map((one) => [one.name, one]))
  return { types: byName, roots: rootsOf(raw, byName) }
}

/** Roots that are not named are types of the usual names, if there are any. */
function rootsOf(raw: z.infer<typeof schema>, types: ReadonlyMap<string, RemoteType>): RemoteRoots {
  const usual = (name: string) => (types.get(name)?.kind === 'OBJECT' ? name : null)
  return {
    query: raw.queryType.name,
    mutation: raw.mutationType?.name ?? usual('Mutation'),
    subscription: raw.subscriptionType?.name ?? usual('Subscription'),
  }
}

function typeOf(raw: RawType): RemoteType {
  const { kind, name } = raw
  const description = raw.description ?? null
  const names = (list: readonly { readonly name: string }[] | null | undefined) => (list ?? []).map((one) => one.name)
  switch (kind) {
    case 'SCALAR':
      return { kind, name, description }
    case 'ENUM': {
      const values = (raw.enumValues ?? []).map((value) => ({
        name: value.name,
        description: value.description ?? null,
      }))
      return { kind, name, description, values }
    }
    case 'OBJECT':
      return { kind, name, description, fields: fieldsOf(raw), interfaces: names(raw.interfaces) }
    case 'INTERFACE':
      return {
        kind,
        name,
        description,
        fields: fieldsOf(raw),
        interfaces: names(raw.interfaces),
        possibleTypes: names(raw.possibleTypes),
      }
    case 'UNION':
      return { kind, name, description, members: names(raw.possibleTypes) }
    case 'INPUT_OBJECT':
      return { kind, name, description, fields: byName((raw.inputFields ?? []).map(inputOf)) }
  }
}

const fieldsOf = (raw: RawType): ReadonlyMap<string, RemoteField> =>
  byName(
    (raw.fields ?? []).map((one) => ({
      name: one.name,
      description: one.description ?? null,
      args: byName((one.args ?? []).map(inputOf)),
      type: refOf(one.type),
    })),
  )

const inputOf = (raw: z.infer<typeof input>): RemoteInput => ({
  name: raw.name,
  description: raw.description ?? null,
  type: refOf(raw.type),
  defaultValue: raw.defaultValue ?? null,
})

/** A type that is nested deeper than the introspection query reads has no name. */
function refOf(raw: RawRef): RemoteTypeRef {
  if (raw.kind === 'NON_NULL' && raw.ofType) return { kind: 'non-null', of: refOf(raw.ofType) }
  if (raw.kind === 'LIST' && raw.ofType) return { kind: 'list', of: refOf(raw.ofType) }
  return { kind: 'named', name: raw.name ?? '' }
}

const byName = <T extends { readonly name: string }>(list: readonly T[]): ReadonlyMap<string, T> =>
  new Map(list.map((one) => [one.name, one]))
