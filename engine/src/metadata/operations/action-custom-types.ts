/** Single types of actions, in addition to `set_custom_types` for all of them (docs/actions.md). */
import {
  type CreateCustomTypeArgs,
  type CustomTypeList,
  type CustomTypes,
  childrenOf,
  createCustomTypeArgs,
  customTypeAddress,
  customTypeLists,
  customTypes,
  customTypesAddress,
  dropCustomTypeArgs,
  findObject,
  type MetadataDocument,
  namedTypeOf,
  objectValue,
  parseGraphqlType,
} from '@svc/schema'
import { ApiError, type Path, type PathKey } from '../../errors.ts'
import { withSetting } from '../change-object.ts'
import { DependencyError } from '../drop-dependents.ts'
import { actionAddress } from '../find-action.ts'
import { MissingObject } from '../find-table.ts'
import { type Applied, defineOperation, type Operation } from '../operation.ts'
import type { DependentObject, OperationContext } from '../operation-context.ts'
import { spellForeignNames } from '../spell-foreign-names.ts'

type CustomType = NonNullable<CustomTypes[CustomTypeList]>[number]

const lists = Object.keys(customTypeLists) as readonly CustomTypeList[]

const typesOf = (document: MetadataDocument): CustomTypes =>
  (findObject(document, customTypesAddress)?.value ?? {}) as CustomTypes

const listOf = (types: CustomTypes, list: CustomTypeList): readonly CustomType[] => types[list] ?? []

const listWith = (types: CustomTypes, name: string): CustomTypeList | undefined =>
  lists.find((list) => listOf(types, list).some((one) => one.name === name))

/** The document with these types; none are none at all. */
function put(document: MetadataDocument, types: CustomTypes): Applied {
  const value = spellForeignNames(document, 'custom_types', customTypes.parse(types))
  return withSetting(document, customTypesAddress, value)
}

/** create_custom_type. already-exists, not-exists for one to replace and for the types of its fields. */
const createCustomType = defineOperation({
  type: 'create_custom_type',
  args: createCustomTypeArgs,
  check: 'object',
  apply(document, args, path, context) {
    const [list, type] = declared(args)
    const at = path.at(customTypeLists[list])
    const types = typesOf(document)
    const known = listWith(types, type.name)
    if (!args.replace && known)
      throw new ApiError('already-exists', path, `a custom type "${type.name}" already exists`, { at: at.at('name') })
    if (args.replace && !known) throw missing(type.name, path, at.at('name'))
    if (!context.checksEndState) refuseUnknownTypes(type, types, path, at)
    const others = known && known !== list ? without(types, type.name) : types
    const before = listOf(others, list)
    const after = known === list ? before.map((one) => (one.name === type.name ? type : one)) : [...before, type]
    return put(document, { ...others, [list]: after })
  },
})

function declared(args: CreateCustomTypeArgs): readonly [CustomTypeList, CustomType] {
  for (const list of lists) {
    const type = args[customTypeLists[list]]
    if (type !== undefined) return [list, type]
  }
  throw new Error('the schema of its arguments requires one')
}

const without = (types: CustomTypes, name: string): CustomTypes =>
  Object.fromEntries(lists.map((list) => [list, listOf(types, list).filter((one) => one.name !== name)]))

const missing = (name: string, path: Path, at: Path): ApiError =>
  new ApiError('not-exists', path, `a custom type "${name}" does not exist`, { at })

const builtIn: ReadonlySet<string> = new Set(['Int', 'Float', 'String', 'Boolean', 'ID'])

/** Names of the custom types that a type's fields have; those of databases are in lower case. */
function typesUsedBy(type: CustomType): readonly { readonly name: string; readonly at: readonly PathKey[] }[] {
  const fields = 'fields' in type ? type.fields : []
  return fields.flatMap((field, i) => {
    const parsed = parseGraphqlType(field.type)
    const name = parsed && namedTypeOf(parsed)
    return name === null || builtIn.has(name) || name === name.toLowerCase()
      ? []
      : [{ name, at: ['fields', i, 'type'] }]
  })
}

/** In a plan one that is missing may still come. Throws not-exists. */
function refuseUnknownTypes(type: CustomType, types: CustomTypes, path: Path, at: Path): void {
  const unknown = typesUsedBy(type).find(({ name }) => name !== type.name && listWith(types, name) === undefined)
  if (unknown)
    throw new MissingObject(
      'not-exists',
      customTypeAddress(unknown.name),
      path,
      at.at(...unknown.at),
      `the type "${unknown.name}" for a field of "${type.name}" does not exist`,
    )
}

/** drop_custom_type. not-exists; dependency-error while actions or other types use it. */
const dropCustomType = defineOperation({
  type: 'drop_custom_type',
  args: dropCustomTypeArgs,
  check: 'no-new',
  apply(document, { name }, path, context) {
    const types = typesOf(document)
    if (listWith(types, name) === undefined) throw missing(name, path, path.at('name'))
    const dependents = dependentsOf(document, types, name, context)
    if (dependents.length > 0) throw new DependencyError(path, path.at('name'), dependents)
    return put(document, without(types, name))
  },
})

function dependentsOf(
  document: MetadataDocument,
  types: CustomTypes,
  name: string,
  { checksEndState }: OperationContext,
): readonly DependentObject[] {
  if (checksEndState) return []
  const uses = (text: string) => {
    const type = parseGraphqlType(text)
    return type !== null && namedTypeOf(type) === name
  }
  const users = lists
    .flatMap((list) => listOf(types, list))
    .filter((type) => type.name !== name && typesUsedBy(type).some((used) => used.name === name))
  const actions = [...childrenOf(document, 'action').values()].filter((object) => {
    const { definition } = objectValue(object, 'action')
    return uses(definition.output_type) || (definition.arguments ?? []).some(({ type }) => uses(type))
  })
  return [
    ...users.map((type) => ({
      address: customTypeAddress(type.name),
      text: `custom type "${type.name}"`,
      isCascaded: false,
    })),
    ...actions.map(({ value }) => ({
      address: actionAddress(String(value.name)),
      text: `action "${String(value.name)}"`,
      isCascaded: false,
    })),
  ]
}

export const customTypeOperations: readonly Operation[] = [createCustomType, dropCustomType]
