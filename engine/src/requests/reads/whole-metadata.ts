/**
 * What is read of the whole of metadata (reference/metadata-operations#the-whole-document; own additions:
 * docs/metadata-api.md).
 */
import {
  exportMetadataArgs,
  getAuditLogArgs,
  getMetadataChangesArgs,
  ignoredArgs,
  type Json,
  type MetadataObject,
} from '@svc/schema'
import { Stretches } from '../../long-work.ts'
import { inconsistentObjects } from '../../model/index.ts'
import { defineRead } from '../read-operation.ts'
import { asKnown, hashObjects } from './known-objects.ts'
import { writeExport } from './write-export.ts'

/**
 * export_metadata: the document; with version 2 in addition to its resource version, and without tables and functions that the
 * caller knows.
 */
export const exportMetadata = defineRead({
  type: 'export_metadata',
  scope: 'read',
  effects: 'none',
  args: exportMetadataArgs,
  onQuery: true,
  hasVersion2: true,
  async answer({ known }, { draft: { document }, served, version }) {
    const { resourceVersion } = served.current
    const stretches = new Stretches()
    if (known.size > 0) await stretches.run(hashObjects(document))
    const isKnown =
      known.size > 0 && version === 2 ? (object: MetadataObject) => asKnown(object, known) : () => undefined
    const written = await stretches.run(
      writeExport(document, isKnown, (metadata) =>
        version === 1 ? metadata : { resource_version: resourceVersion, metadata },
      ),
    )
    return written as unknown as Json
  },
})

/**
 * get_inconsistent_metadata: a list; with version 2 the reference's form (reference/metadata-document#both-spellings).
 */
export const getInconsistentMetadata = defineRead({
  type: 'get_inconsistent_metadata',
  scope: 'read',
  effects: 'none',
  args: ignoredArgs,
  onQuery: true,
  hasVersion2: true,
  answer(_, { draft, version }) {
    const objects = inconsistentObjects(draft.model) as unknown as Json[]
    return version === 1 ? objects : { is_consistent: objects.length === 0, inconsistent_objects: objects }
  },
})

/** get_audit_log: requests that changed something or were refused, only with the admin secret. */
export const getAuditLog = defineRead({
  type: 'get_audit_log',
  scope: null,
  effects: 'none',
  args: getAuditLogArgs,
  answer: async ({ before = null, limit }, { served }) => ({
    entries: await served.store.auditLog.read({ before, limit }),
  }),
})

/** get_metadata_changes: what was changed after a version, and by whom. */
export const getMetadataChanges = defineRead({
  type: 'get_metadata_changes',
  scope: 'read',
  effects: 'none',
  args: getMetadataChangesArgs,
  async answer({ since_resource_version, catalog_id, limit }, { served }) {
    const changes = await served.store.changesSince({
      sinceResourceVersion: since_resource_version,
      catalogId: catalog_id ?? null,
      limit,
    })
    return changes as unknown as Json
  },
})
