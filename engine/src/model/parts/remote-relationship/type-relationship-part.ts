import { address, childrenOf, type JsonObject } from '@svc/schema'
import { keptForEach } from '../../../kept-for.ts'
import type { Model } from '../../model.ts'
import { rewriteRemote } from '../../rename/rewrite-references.ts'
import { objectId } from '../../table-id.ts'
import type { Part } from '../part.ts'
import { remoteSchemaId, remoteSchemaPart } from '../remote-schema/remote-schema-part.ts'
import { partValue } from '../values.ts'
import { resolveTypeRelationship } from './resolve-remote-relationship.ts'
import type { ResolvedTypeRelationship } from './resolved-remote-relationship.ts'

/**
 * Relationships of object types of remote schemas to tables and to fields of remote schemas
 * (reference/remote-schemas#relationships).
 */
export const typeRelationshipPart: Part<ResolvedTypeRelationship, 'remote_schema_remote_relationship'> = {
  key: 'remote_schema_remote_relationship',
  type: 'remote_schema_remote_relationship',
  dependentText: ({ key, above }) =>
    `remote_relationship ${String(key.name)} on type ${String(key.type_name)} in remote schema ${above}`,
  isCascaded: true,
  rename: (value, { names }) => ({ ...value, definition: rewriteRemote(value.definition, null, names) }),
  namesTables: 'of-all-sources',
  resolve({ at, value }, reading) {
    const remote = at.parent && reading.value(remoteSchemaPart, objectId(at.parent))
    if (!remote) throw new Error('a relationship of a type is resolved below a remote schema only')
    return resolveTypeRelationship(value, remote, reading)
  },
  definition: ({ value: { name = null, definition = null } }): JsonObject => ({ name, definition }),
}

/** By type. */
export type TypeRelationships = ReadonlyMap<string, readonly ResolvedTypeRelationship[]>

/** Those of a remote schema that are consistent. */
export const typeRelationships = keptForEach((model: Model, remote: string): TypeRelationships => {
  const id = remoteSchemaId(remote)
  const object = childrenOf(model.input.document, 'remote_schema').get(id)
  const parent = address('remote_schema', id)
  const all = object ? [...childrenOf(object, 'remote_schema_remote_relationship').keys()] : []
  const found = all.flatMap((own) => {
    const at = address('remote_schema_remote_relationship', own, parent)
    return partValue(model, typeRelationshipPart, objectId(at)) ?? []
  })
  return Map.groupBy(found, ({ type }) => type)
})

/** What a plan that follows one rests on; undefined where it is not there or inconsistent. */
export const typeRelationship = (
  model: Model,
  remote: string,
  type: string,
  name: string,
): ResolvedTypeRelationship | undefined =>
  typeRelationships(model, remote)
    .get(type)
    ?.find((one) => one.name === name)
