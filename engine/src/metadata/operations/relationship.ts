/** The relationships of a table (reference/metadata-operations#relationships). */
import {
  address,
  childrenOf,
  createArrayRelationshipArgs,
  createObjectRelationshipArgs,
  dropRelationshipArgs,
  findObject,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  type NameStyle,
  type ObjectAddress,
  ownKey,
  renameRelationshipArgs,
  type Schema,
  setRelationshipCommentArgs,
  tableAddress,
  tableText,
} from '@svc/schema'
import { ApiError, type Path } from '../../errors.ts'
import { withNew, withValue } from '../change-object.ts'
import { dropWithDependents, tablePermissions } from '../drop-dependents.ts'
import { namedTable, requireReady, requireTable, type TableArgs, withoutAbsent } from '../find-table.ts'
import { defineSourceOperation, type SourceOperation } from '../operation.ts'

const fieldTypes = ['object_relation', 'array_relation', 'computed_field', 'remote_relationship'] as const

const relationshipTypes = ['object_relation', 'array_relation'] as const

/** Whether metadata declares a field of that name on the table. Columns are compared by the model. */
export function declaredField(table: MetadataObject, name: string): boolean {
  return fieldTypes.some((type) => childrenOf(table, type).has(ownKey(type, { name })))
}

export const nameTaken = (name: string, table: JsonObject, path: Path, at: Path) =>
  new ApiError('already-exists', path, `field with name "${name}" already exists in table "${tableText(table)}"`, {
    at,
  })

interface CreateArgs extends TableArgs {
  readonly name: string
  readonly using: {
    readonly foreign_key_constraint_on?: unknown
    readonly manual_configuration?: { readonly remote_table: JsonObject }
  }
  readonly comment?: string
}

/** The tables that a relationship ends at, as far as its declaration names them. */
function remoteTables({ using }: CreateArgs): readonly JsonObject[] {
  const key = using.foreign_key_constraint_on
  const remote =
    typeof key === 'object' && key !== null && !Array.isArray(key)
      ? (key as { readonly table: JsonObject }).table
      : undefined
  return [remote, using.manual_configuration?.remote_table].filter((table) => table !== undefined)
}

/** `create_…_relationship`. already-exists; what is wrong with the mapping makes it inconsistent. */
const createRelationship = (
  name: string,
  type: (typeof relationshipTypes)[number],
  argsOf: (names: NameStyle) => Schema<CreateArgs>,
): SourceOperation =>
  defineSourceOperation<CreateArgs>({
    name,
    args: ({ names }) => argsOf(names.style),
    check: 'object',
    mentions: (args) => [{ source: args.source, tables: [args.table, ...remoteTables(args)] }],
    apply(document, args, path, context) {
      const { name, using, comment } = args
      const { address: parent, object } = requireTable(document, args, path)
      requireReady(args.source, path, context)
      if (declaredField(object, name)) throw nameTaken(name, args.table, path, path.at('name'))
      const at = address(type, ownKey(type, { name }), parent)
      return withNew(document, at, withoutAbsent({ name, using: using as JsonObject, comment }))
    },
  })

/** The relationship of that name, of either kind. Throws not-exists. */
function requireRelationship(
  document: MetadataDocument,
  args: TableArgs,
  name: string,
  path: Path,
  at: Path,
): { readonly address: ObjectAddress; readonly object: MetadataObject; readonly table: MetadataObject } {
  const { address: parent, object: table } = requireTable(document, args, path)
  for (const type of relationshipTypes) {
    const found = address(type, ownKey(type, { name }), parent)
    const object = findObject(document, found)
    if (object) return { address: found, object, table }
  }
  throw new ApiError('not-exists', path, `relationship "${name}" does not exist in table "${tableText(args.table)}"`, {
    at,
  })
}

/**
 * drop_relationship. not-exists; dependency-error; cascade removes dependent permissions
 * (reference/metadata-document#dependencies).
 */
const dropRelationship = defineSourceOperation({
  name: 'drop_relationship',
  args: ({ names }) => dropRelationshipArgs(names.style),
  check: 'no-new',
  mentions: namedTable,
  drops: ({ source, table, relationship }) =>
    relationshipTypes.map((type) => address(type, ownKey(type, { name: relationship }), tableAddress(source, table))),
  apply(document, args, path, context) {
    const at = path.at('relationship')
    const { address: found } = requireRelationship(document, args, args.relationship, path, at)
    const { cascade } = args
    return dropWithDependents(document, { object: found, cascade, removes: tablePermissions, path, at }, context)
  },
})

/** rename_relationship. not-exists; already-exists when the new name is a field; rewrites every use of it. */
const renameRelationship = defineSourceOperation({
  name: 'rename_relationship',
  args: ({ names }) => renameRelationshipArgs(names.style),
  check: 'no-new',
  apply(document, args, path, context) {
    const { address: found, table } = requireRelationship(document, args, args.name, path, path.at('name'))
    if (args.new_name === args.name) return { document, touched: [] }
    const columns = found.parent ? (context.table(args.source, found.parent)?.columns ?? []) : []
    if (declaredField(table, args.new_name) || columns.includes(args.new_name))
      throw nameTaken(args.new_name, args.table, path, path.at('new_name'))
    return context.renameRelationship(document, found, args.new_name)
  },
})

/** set_relationship_comment; absent or null removes it. not-exists. */
const setRelationshipComment = defineSourceOperation({
  name: 'set_relationship_comment',
  args: ({ names }) => setRelationshipCommentArgs(names.style),
  check: 'object',
  apply(document, args, path) {
    const at = path.at('relationship')
    const { address: found, object } = requireRelationship(document, args, args.relationship, path, at)
    const { comment: _, ...value } = object.value
    return withValue(document, found, withoutAbsent({ ...value, comment: args.comment ?? undefined }))
  },
})

export const relationshipOperations: readonly SourceOperation[] = [
  createRelationship('create_object_relationship', 'object_relation', createObjectRelationshipArgs),
  createRelationship('create_array_relationship', 'array_relation', createArrayRelationshipArgs),
  dropRelationship,
  renameRelationship,
  setRelationshipComment,
]
