/** Relationships of types of remote schemas (reference/metadata-operations#remote-relationships). */
import {
  address,
  deleteRemoteSchemaRelationshipArgs,
  findObject,
  type MetadataDocument,
  type ObjectAddress,
  ownKey,
  type RemoteSchemaRelationshipArgs,
  remoteSchemaRelationshipArgs,
} from '@svc/schema'
import type { Path } from '../../errors.ts'
import { withNew, withoutObject } from '../change-object.ts'
import { requireObject } from '../find-table.ts'
import { type Applied, defineOperation, type Operation } from '../operation.ts'
import { spellForeignNames } from '../spell-foreign-names.ts'

interface Named {
  readonly remote_schema: string
  readonly type_name: string
  readonly name: string
}

const type = 'remote_schema_remote_relationship'

const schemaAddress = (name: string): ObjectAddress => address('remote_schema', ownKey('remote_schema', { name }))

const addressOf = ({ remote_schema, type_name, name }: Named): ObjectAddress =>
  address(type, ownKey(type, { type_name, name }), schemaAddress(remote_schema))

/** The reference engine accepts a schema that it does not know; a relationship of an unknown one is refused here. */
function requireSchema(document: MetadataDocument, name: string, path: Path): void {
  const text = `remote schema with name "${name}" does not exist`
  requireObject(document, schemaAddress(name), path, path.at('remote_schema'), text)
}

function requireRelationship(document: MetadataDocument, named: Named, path: Path): void {
  requireSchema(document, named.remote_schema, path)
  if (findObject(document, addressOf(named))) return
  const { name, type_name, remote_schema } = named
  throw path.error(
    'not-exists',
    `no relationship defined on remote schema ${remote_schema} with name ${name} on type ${type_name}`,
    'name',
  )
}

function put(document: MetadataDocument, args: RemoteSchemaRelationshipArgs): Applied {
  const { type_name, name, definition } = args
  const at = addressOf(args)
  return withNew(document, at, spellForeignNames(document, type, { type_name, name, definition }))
}

/** create_remote_schema_remote_relationship: one of that name is overwritten. not-exists; what is wrong refuses it. */
const create = defineOperation({
  type: 'create_remote_schema_remote_relationship',
  args: remoteSchemaRelationshipArgs,
  check: 'object',
  apply(document, args, path) {
    requireSchema(document, args.remote_schema, path)
    return put(document, args)
  },
})

/** update_remote_schema_remote_relationship. not-exists. */
const update = defineOperation({
  type: 'update_remote_schema_remote_relationship',
  args: remoteSchemaRelationshipArgs,
  check: 'object',
  apply(document, args, path) {
    requireRelationship(document, args, path)
    return put(document, args)
  },
})

/** delete_remote_schema_remote_relationship. not-exists. */
const remove = defineOperation({
  type: 'delete_remote_schema_remote_relationship',
  args: deleteRemoteSchemaRelationshipArgs,
  check: 'object',
  drops: (args) => [addressOf(args)],
  apply(document, args, path) {
    requireRelationship(document, args, path)
    return withoutObject(document, addressOf(args))
  },
})

export const remoteSchemaRelationshipOperations: readonly Operation[] = [create, update, remove]
