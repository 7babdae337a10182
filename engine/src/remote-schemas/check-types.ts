import { ApiError, Path } from '../errors.ts'
import {
  builtInScalars,
  namedTypeOf,
  type RemoteField,
  type RemoteInput,
  type RemoteInterface,
  type RemoteObject,
  type RemoteType,
  type RemoteTypeRef,
  type RemoteTypes,
  type RemoteUnion,
  refText,
} from './remote-types.ts'

/**
 * Throws remote-schema-error for the first thing that makes a remote's types no schema
 * (reference/remote-schemas#introspection).
 */
export function checkTypes({ types, roots }: RemoteTypes): void {
  for (const type of types.values())
    switch (type.kind) {
      case 'OBJECT':
        checkObject(type, types)
        break
      case 'INTERFACE':
        if (type.fields.size === 0) throw wrong(`List of fields cannot be empty for interface '${type.name}'`)
        checkFields(type.fields, types)
        break
      case 'UNION':
        checkUnion(type, types)
        break
      case 'INPUT_OBJECT':
        for (const field of type.fields.values()) checkNamed(field.type, types)
        break
      case 'SCALAR':
      case 'ENUM':
        break
    }
  for (const root of [roots.query, roots.mutation, roots.subscription])
    if (root !== null && types.get(root)?.kind !== 'OBJECT') throw unknownType(root)
}

const wrong = (message: string) => new ApiError('remote-schema-error', Path.root, message)
const unknownType = (name: string) => wrong(`Could not find type with name "${name}"`)

type Types = ReadonlyMap<string, RemoteType>

function checkNamed(ref: RemoteTypeRef, types: Types): void {
  const name = namedTypeOf(ref)
  if (!types.has(name) && !builtInScalars.has(name)) throw unknownType(name)
}

function checkFields(fields: ReadonlyMap<string, RemoteField>, types: Types): void {
  for (const field of fields.values()) {
    checkNamed(field.type, types)
    for (const argument of field.args.values()) checkNamed(argument.type, types)
  }
}

function checkUnion({ name, members }: RemoteUnion, types: Types): void {
  if (members.length === 0) throw wrong(`List of member types cannot be empty for union type '${name}'`)
  for (const member of members) {
    const type = types.get(member)
    if (!type) throw wrong(`Could not find type '${member}', which is defined as a member type of Union '${name}'`)
    if (type.kind !== 'OBJECT')
      throw wrong(`Union type '${name}' can only include object types. It cannot include '${member}'`)
  }
}

function checkObject(type: RemoteObject, types: Types): void {
  for (const name of type.interfaces) {
    const implemented = types.get(name)
    if (implemented?.kind !== 'INTERFACE')
      throw wrong(`Could not find interface '${name}' implemented by Object type '${type.name}'`)
    if (implemented.fields.size === 0) throw wrong(`List of fields cannot be empty for interface '${name}'`)
    for (const field of implemented.fields.values()) checkImplementation(type, implemented, field, types)
  }
  checkFields(type.fields, types)
}

function checkImplementation(type: RemoteObject, by: RemoteInterface, expected: RemoteField, types: Types): void {
  const name = `'${by.name}'."${expected.name}"`
  const own = type.fields.get(expected.name)
  const ownName = `'${type.name}'."${expected.name}"`
  if (!own) throw wrong(`Interface field ${name} expected, but '${type.name}' does not provide it`)
  if (!isSubtype(own.type, expected.type, types))
    throw wrong(
      `The type of Object field ${ownName} (${refText(own.type)}) is not the same type/sub type of Interface field ${name} (${refText(expected.type)})`,
    )
  for (const argument of expected.args.values()) checkArgument(argument, own.args.get(argument.name), name, ownName)
  for (const argument of own.args.values())
    if (!expected.args.has(argument.name) && argument.type.kind === 'non-null')
      throw wrong(
        `Object field argument ${ownName}("${argument.name}":) is of required type ${refText(argument.type)}, but is not provided by Interface field ${name}`,
      )
}

function checkArgument(expected: RemoteInput, own: RemoteInput | undefined, name: string, ownName: string): void {
  const argument = `("${expected.name}":)`
  if (!own)
    throw wrong(`Interface field argument ${name}${argument} required, but Object field ${ownName} does not provide it`)
  if (refText(own.type) !== refText(expected.type))
    throw wrong(
      `Interface field argument ${name}${argument} expects type ${refText(expected.type)}, but ${ownName}${argument} has type ${refText(own.type)}`,
    )
}

/** Whether a field of one type may stand where an interface promises the other (GraphQL spec, Type Validation). */
function isSubtype(own: RemoteTypeRef, expected: RemoteTypeRef, types: Types): boolean {
  if (own.kind === 'non-null') return isSubtype(own.of, expected.kind === 'non-null' ? expected.of : expected, types)
  if (expected.kind === 'non-null') return false
  if (own.kind === 'list' || expected.kind === 'list')
    return own.kind === 'list' && expected.kind === 'list' && isSubtype(own.of, expected.of, types)
  if (own.name === expected.name) return true
  const wider = types.get(expected.name)
  const type = types.get(own.name)
  if (wider?.kind === 'UNION') return wider.members.includes(own.name)
  return (
    wider?.kind === 'INTERFACE' &&
    (type?.kind === 'OBJECT' || type?.kind === 'INTERFACE') &&
    type.interfaces.includes(expected.name)
  )
}
