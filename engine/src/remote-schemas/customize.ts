import type { RemoteSchema } from '@svc/schema'
import { ApiError, Path } from '../errors.ts'
import { builtInScalars, type RemoteInterface, type RemoteType, type RemoteTypes } from './remote-types.ts'

export type Customization = NonNullable<RemoteSchema['definition']['customization']>

/**
 * What a remote's types and fields are called here (reference/remote-schemas#names). Names that are not renamed are not
 * in the maps.
 */
export interface RemoteNaming {
  /** The field of the roots that holds all root fields; null: they stand in the roots themselves. */
  readonly namespace: string | null
  /** By upstream name. */
  readonly types: ReadonlyMap<string, string>
  /** By upstream name of the type, then of the field. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>
}

export const publicType = ({ types }: RemoteNaming, name: string): string => types.get(name) ?? name
export const publicField = ({ fields }: RemoteNaming, type: string, name: string): string =>
  fields.get(type)?.get(name) ?? name

/**
 * Returns the names that a customization makes. Throws remote-schema-error where two of them clash or an interface and
 * its types disagree; invalid-params for reserved names, and names that are none in GraphQL.
 */
export function nameRemote(types: RemoteTypes, customization: Customization | undefined): RemoteNaming {
  const { root_fields_namespace: namespace = null, type_names = {}, field_names = [] } = customization ?? {}
  const naming: RemoteNaming = {
    namespace: namespace === '' ? null : namespace,
    types: typeNames(types, namespace === '' ? null : namespace, type_names),
    fields: new Map(
      field_names.flatMap((rule) => {
        const type = types.types.get(rule.parent_type)
        return type && 'fields' in type ? [[type.name, fieldNames(type, rule)] as const] : []
      }),
    ),
  }
  checkNames(naming)
  checkDistinct(types, naming)
  for (const type of types.types.values()) if (type.kind === 'INTERFACE') checkInterface(type, types, naming)
  return naming
}

interface Rule {
  readonly prefix?: string | undefined
  readonly suffix?: string | undefined
  readonly mapping?: Readonly<Record<string, string>> | undefined
}

const wrong = (message: string) => new ApiError('remote-schema-error', Path.root, message)

const affixed = ({ prefix = '', suffix = '' }: Rule, name: string): string => `${prefix}${name}${suffix}`

/** Of the user's own keys. */
const mapped = ({ mapping = {} }: Rule, name: string): string | undefined =>
  Object.hasOwn(mapping, name) ? mapping[name] : undefined

function refuseReserved(rule: Rule, what: 'type' | 'field'): void {
  const reserved = Object.keys(rule.mapping ?? {}).find((name) => name.startsWith('__'))
  if (reserved !== undefined)
    throw new ApiError('invalid-params', Path.root, `attempt to customize reserved ${what} name "${reserved}"`)
}

function typeNames({ types, roots }: RemoteTypes, namespace: string | null, rule: Rule): ReadonlyMap<string, string> {
  refuseReserved(rule, 'type')
  const rootNames = [roots.query, roots.mutation, roots.subscription]
  const names = new Map<string, string>()
  for (const name of new Set([...types.keys(), ...builtInScalars])) {
    const given = mapped(rule, name)
    if (given !== undefined) names.set(name, given)
    else if (rootNames.includes(name)) {
      if (namespace !== null) names.set(name, `${namespace}${name}`)
    } else if (!builtInScalars.has(name)) {
      const changed = affixed(rule, name)
      if (changed !== name) names.set(name, changed)
    }
  }
  return names
}

function fieldNames(type: Extract<RemoteType, { readonly fields: unknown }>, rule: Rule): ReadonlyMap<string, string> {
  refuseReserved(rule, 'field')
  return new Map([...type.fields.keys()].map((name) => [name, mapped(rule, name) ?? affixed(rule, name)]))
}

function checkNames({ namespace, types, fields }: RemoteNaming): void {
  const given = [namespace ?? '_', ...types.values(), ...[...fields.values()].flatMap((names) => [...names.values()])]
  const wrongName = given.find((name) => !/^[_A-Za-z][_0-9A-Za-z]*$/.test(name))
  if (wrongName !== undefined)
    throw new ApiError('invalid-params', Path.root, `"${wrongName}" is not a valid GraphQL name`)
}

function checkDistinct({ types }: RemoteTypes, naming: RemoteNaming): void {
  const typesTwice = repeated([...types.keys()].map((name) => publicType(naming, name)))
  if (typesTwice.length > 0)
    throw wrong(`Type name mappings are not distinct; the following types appear more than once: ${quoted(typesTwice)}`)
  for (const [name, fields] of naming.fields) {
    const twice = repeated([...fields.values()])
    if (twice.length > 0)
      throw wrong(
        `Field name mappings for object type "${name}" are not distinct; the following fields appear more than once: ${quoted(twice)}`,
      )
  }
}

const repeated = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, i) => names.indexOf(name) !== i)),
]

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

function checkInterface(type: RemoteInterface, { types }: RemoteTypes, naming: RemoteNaming): void {
  const implementers = [...types.values()].filter(
    (one) => (one.kind === 'OBJECT' || one.kind === 'INTERFACE') && one.interfaces.includes(type.name),
  )
  for (const { name } of implementers)
    for (const field of type.fields.keys()) {
      const [ofInterface, ofType] = [publicField(naming, type.name, field), publicField(naming, name, field)]
      if (ofInterface !== ofType)
        throw wrong(
          `Remote schema customization inconsistency: field name mapping for field "${field}" of interface "${type.name}" is inconsistent with mapping for type "${name}". ` +
            `Interface field name maps to "${ofInterface}". Type field name maps to "${ofType}".`,
        )
    }
}
