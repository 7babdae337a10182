import type { SourceKind } from '../backends/index.ts'
import type { ReadOperation, SourceRead } from './read-operation.ts'
import {
  createAccessToken,
  listAccessTokens,
  revokeAccessToken,
  rotateAccessToken,
  updateAccessToken,
} from './reads/access-tokens.ts'
import { introspectRemoteSchema } from './reads/introspect-remote-schema.ts'
import { getObjectOwners, setObjectOwners } from './reads/object-owners.ts'
import { createOidcTrust, dropOidcTrust, listOidcTrusts, updateOidcTrust } from './reads/oidc-trusts.ts'
import {
  databaseInspection,
  getSourceKindCapabilities,
  getSourceTables,
  getTableInfo,
  listSourceKinds,
  listsOfSource,
} from './reads/source-catalogue.ts'
import { getSourceObjects } from './reads/source-objects.ts'
import { suggestRelationships } from './reads/suggest-relationships.ts'
import { testConnectionTemplate } from './reads/test-connection-template.ts'
import { testWebhookTransform } from './reads/test-webhook-transform.ts'
import {
  dumpInternalState,
  exportMetadata,
  getAuditLog,
  getCatalogState,
  getInconsistentMetadata,
  getMetadataChanges,
  setCatalogState,
} from './reads/whole-metadata.ts'

/** Operations that change no metadata. */
export interface Reads {
  readonly inSources: readonly SourceRead[]
  readonly others: readonly ReadOperation[]
}

const ours: Reads = {
  inSources: [
    ...listsOfSource,
    getSourceTables,
    getTableInfo,
    getSourceObjects,
    suggestRelationships,
    testConnectionTemplate,
    databaseInspection,
  ],
  others: [
    getCatalogState,
    setCatalogState,
    dumpInternalState,
    introspectRemoteSchema,
    getSourceKindCapabilities,
    exportMetadata,
    getInconsistentMetadata,
    getMetadataChanges,
    getAuditLog,
    testWebhookTransform,
    createAccessToken,
    rotateAccessToken,
    updateAccessToken,
    revokeAccessToken,
    listAccessTokens,
    createOidcTrust,
    updateOidcTrust,
    dropOidcTrust,
    listOidcTrusts,
    getObjectOwners,
    setObjectOwners,
  ],
}

/**
 * By name: with the prefixes of the kinds of source, and without one for the first kind. `given`: those that other
 * modules add.
 */
export function readTable(kinds: readonly SourceKind[], given: Reads): ReadonlyMap<string, ReadOperation> {
  const table = new Map<string, ReadOperation>()
  for (const operation of [...ours.others, listSourceKinds(kinds), ...given.others])
    table.set(operation.type, operation)
  for (const operation of [...ours.inSources, ...given.inSources])
    kinds.forEach((kind, i) => {
      if (!kind.has(operation.name)) return
      const made = operation.of(kind)
      for (const prefix of kind.prefixes) table.set(`${prefix}_${operation.name}`, made)
      if (i === 0) table.set(operation.name, made)
    })
  return table
}
