/**
 * Relationships of tables to remote schemas and to tables of other sources
 * (reference/metadata-operations#remote-relationships).
 */
import {
  address,
  childrenOf,
  deleteRemoteRelationshipArgs,
  findObject,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  type ObjectAddress,
  ownKey,
  type RemoteRelationshipArgs,
  remoteRelationshipArgs,
  tableAddress,
  tableText,
} from '@svc/schema'
import type { Path } from '../../errors.ts'
import { withNew, withoutObject } from '../change-object.ts'
import { namedTable, requireReady, requireTable } from '../find-table.ts'
import { type Applied, defineSourceOperation, type SourceOperation } from '../operation.ts'
import type { OperationContext } from '../operation-context.ts'
import { spellForeignNames } from '../spell-foreign-names.ts'
import { nameTaken } from './relationship.ts'

const addressOf = (name: string, table: ObjectAddress): ObjectAddress =>
  address('remote_relationship', ownKey('remote_relationship', { name }), table)

/** A relationship or computed field of that name. */
const otherField = (table: MetadataObject, name: string): boolean =>
  (['object_relation', 'array_relation', 'computed_field'] as const).some((type) =>
    childrenOf(table, type).has(ownKey(type, { name })),
  )

function put(
  document: MetadataDocument,
  args: RemoteRelationshipArgs,
  path: Path,
  context: OperationContext,
  isUpdate: boolean,
): Applied {
  const { address: parent, object: table } = requireTable(document, args, path)
  requireReady(args.source, path, context)
  const { name } = args
  const at = addressOf(name, parent)
  if (isUpdate) requireRelationship(document, at, table, args, path)
  else if (otherField(table, name)) throw nameTaken(name, args.table, path, path.at('name'))
  const given = { name, definition: args.definition }
  const value = spellForeignNames(document, at.type, given)
  return withNew(document, at, value)
}

function requireRelationship(
  document: MetadataDocument,
  at: ObjectAddress,
  table: MetadataObject,
  { name, table: tableName }: { readonly name: string; readonly table: JsonObject },
  path: Path,
): void {
  if (findObject(document, at)) return
  if (otherField(table, name))
    throw path.error('unexpected-payload', `field with name "${name}" is not a remote relationship`, 'name')
  throw path.error(
    'not-exists',
    `remote relationship "${name}" does not exist in table "${tableText(tableName)}"`,
    'name',
  )
}

/** create_remote_relationship: one of that name is overwritten. already-exists for another field; what is wrong makes it inconsistent. */
const createRemoteRelationship = defineSourceOperation({
  name: 'create_remote_relationship',
  args: ({ names }) => remoteRelationshipArgs(names.style),
  check: 'object',
  mentions: namedTable,
  apply: (document, args, path, context) => put(document, args, path, context, false),
})

/** update_remote_relationship. not-exists; unexpected-payload when the name is that of another field. */
const updateRemoteRelationship = defineSourceOperation({
  name: 'update_remote_relationship',
  args: ({ names }) => remoteRelationshipArgs(names.style),
  check: 'object',
  mentions: namedTable,
  apply: (document, args, path, context) => put(document, args, path, context, true),
})

/** delete_remote_relationship. not-exists; unexpected-payload when the name is that of another field. */
const deleteRemoteRelationship = defineSourceOperation({
  name: 'delete_remote_relationship',
  args: ({ names }) => deleteRemoteRelationshipArgs(names.style),
  check: 'object',
  mentions: namedTable,
  drops: ({ source, table, name }) => [addressOf(name, tableAddress(source, table))],
  apply(document, args, path) {
    const { address: parent, object: table } = requireTable(document, args, path)
    const at = addressOf(args.name, parent)
    requireRelationship(document, at, table, args, path)
    return withoutObject(document, at)
  },
})

export const remoteRelationshipOperations: readonly SourceOperation[] = [
  createRemoteRelationship,
  updateRemoteRelationship,
  deleteRemoteRelationship,
]
