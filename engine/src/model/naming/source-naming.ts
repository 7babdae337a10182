import { type JsonObject, kindOfSource, type MetadataObject, nameStyle, type SourceCustomization } from '@svc/schema'
import { fieldName, type NamePiece, type NamingConvention, namingConventions, typeName, upperFirst } from './spell.ts'

/**
 * How a source names its fields and types in GraphQL (reference/graphql-schema#the-naming-convention-graphql-default,
 * reference/graphql-schema#customization-of-a-source).
 */
export interface SourceNaming {
  readonly convention: NamingConvention
  /** Root fields stand in an object field of this name. */
  readonly namespace: string | null
  readonly rootFields: Affixes
  readonly typeNames: Affixes
}

interface Affixes {
  readonly prefix: string
  readonly suffix: string
}

const noAffixes: Affixes = { prefix: '', suffix: '' }

const plain = (convention: NamingConvention): SourceNaming => ({
  convention,
  namespace: null,
  rootFields: noAffixes,
  typeNames: noAffixes,
})

const plainNamings = { 'svc-default': plain('svc-default'), 'graphql-default': plain('graphql-default') } as const

/** The form of names where nothing is customised. */
export const defaultNaming: SourceNaming = plainNamings['svc-default']

const made: Record<NamingConvention | 'off', WeakMap<JsonObject, SourceNaming>> = {
  'svc-default': new WeakMap(),
  'graphql-default': new WeakMap(),
  off: new WeakMap(),
}

/**
 * `fallback`: the convention of sources that name none; null while conventions are switched off. Only sources of PostgreSQL's
 * kind have another one than the default.
 */
export function namingOf({ value }: MetadataObject, fallback: NamingConvention | null): SourceNaming {
  if (nameStyle(kindOfSource(value)) !== 'public') return namingWithin(value, null)
  return namingWithin(value, fallback)
}

function namingWithin(value: JsonObject, fallback: NamingConvention | null): SourceNaming {
  const given = value.customization
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return plainNamings[fallback ?? 'svc-default']
  const kept = made[fallback ?? 'off']
  const customization = given as JsonObject
  const known = kept.get(customization) ?? readNaming(customization, fallback)
  kept.set(customization, known)
  return known
}

function readNaming(customization: SourceCustomization, fallback: NamingConvention | null): SourceNaming {
  const { root_fields = {}, type_names = {}, naming_convention } = customization
  const own = namingConventions.find((name) => name === naming_convention)
  const convention = fallback === null ? 'svc-default' : (own ?? fallback)
  const affixes = ({ prefix = '', suffix = '' }: Partial<Affixes>): Affixes => ({
    prefix,
    suffix: convention === 'graphql-default' ? upperFirst(suffix) : suffix,
  })
  return {
    convention,
    namespace: root_fields.namespace || null,
    rootFields: affixes(root_fields),
    typeNames: affixes(type_names),
  }
}

/** A root field that the engine names; those that users name are only `affixed`. */
export const rootFieldName = (naming: SourceNaming, ...pieces: readonly NamePiece[]): string =>
  affixed(naming, naming.rootFields, fieldName(naming.convention, ...pieces))

export const customRootField = (naming: SourceNaming, name: string): string => affixed(naming, naming.rootFields, name)

/** An object, input or enum type that belongs to a table or function. */
export const generatedType = (naming: SourceNaming, ...pieces: readonly NamePiece[]): string =>
  affixed(naming, naming.typeNames, typeName(naming.convention, ...pieces))

function affixed({ convention }: SourceNaming, { prefix, suffix }: Affixes, name: string): string {
  const after = convention === 'graphql-default' && prefix !== '' ? upperFirst(name) : name
  return `${prefix}${after}${suffix}`
}

/** What a root field goes by among those of all sources: `ns.f`, which is no GraphQL name, in a namespace. */
export const rootKey = ({ namespace }: Pick<SourceNaming, 'namespace'>, name: string): string =>
  namespace === null ? name : `${namespace}.${name}`

/** Returns the namespace and the name that a `rootKey` was made of. */
export function rootPlace(key: string): { readonly namespace: string | null; readonly name: string } {
  const dot = key.indexOf('.')
  return { namespace: dot < 0 ? null : key.slice(0, dot), name: key.slice(dot + 1) }
}
