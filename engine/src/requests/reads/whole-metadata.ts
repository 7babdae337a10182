/**
 * What is read of the whole of metadata (reference/metadata-operations#the-whole-document; own additions:
 * docs/metadata-api.md).
 */
import {
  childrenOf,
  childTypesOf,
  exportMetadataArgs,
  getAuditLogArgs,
  getMetadataChangesArgs,
  hashedObjects,
  hashOfExport,
  ignoredArgs,
  type Json,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  type NameStyle,
  nameStyle,
  objectKinds,
  objectSchemas,
  objectTypes,
  setCatalogStateArgs,
  unknownKeys,
  writeObject,
} from '@svc/schema'
import { type LongWork, Stretches } from '../../long-work.ts'
import { success } from '../../metadata/index.ts'
import { inconsistentObjects } from '../../model/index.ts'
import type { SourceState } from '../../sources/index.ts'
import { defineRead } from '../read-operation.ts'
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
    const changes = await served.store.history.changesSince({
      sinceResourceVersion: since_resource_version,
      catalogId: catalog_id ?? null,
      limit,
    })
    return changes as unknown as Json
  },
})

/**
 * Hashes of tables and functions, by which an answer has those that its client has already
 * (docs/metadata-api.md#export-without-known-objects). By the object, which never changes: after a change only what differs is hashed. Null: the client has to read it
 * again.
 */
const hashes = new WeakMap<MetadataObject, string | null>()

/** Once for each object of a document. Yields the objects that it has hashed. */
function* hashObjects(document: MetadataDocument): LongWork<void> {
  for (const { source, object } of hashedObjects(document)) {
    if (hashes.has(object)) continue
    const style = nameStyle(String(source.value.kind))
    hashes.set(object, hasUnknownKeys(object, style) ? null : hashOfExport(writeObject(object)))
    yield 1
  }
}

/** What the answer has of an object whose hash was sent: its name and the hash. Needs `hashObjects` before. */
function asKnown(object: MetadataObject, known: ReadonlySet<string>): JsonObject | undefined {
  const hash = hashes.get(object)
  return typeof hash === 'string' && known.has(hash)
    ? { ...objectKinds[object.type].key(object.value), known: hash }
    : undefined
}

/** Such an object is answered whole, since an apply reports the keys. */
function hasUnknownKeys(object: MetadataObject, style: NameStyle): boolean {
  if (unknownKeys(objectSchemas(style)[object.type], object.value).length > 0) return true
  for (const type of childTypesOf(object.type))
    for (const child of childrenOf(object, type).values()) if (hasUnknownKeys(child, style)) return true
  return false
}

/** get_catalog_state: what clients store in the catalogue, migrations say, as `{id, cli_state, console_state}`. */
export const getCatalogState = defineRead({
  type: 'get_catalog_state',
  scope: 'read',
  effects: 'none',
  args: ignoredArgs,
  async answer(_, { served }) {
    const { id, cli, console } = await served.store.clientStates.read()
    return { id, cli_state: cli, console_state: console }
  },
})

/** set_catalog_state: replaces one of the two. conflict where it is no longer what it is `expected` to be. */
export const setCatalogState = defineRead({
  type: 'set_catalog_state',
  scope: null,
  effects: 'lasting',
  args: setCatalogStateArgs,
  async answer({ type, state, expected = null }, { served, path }): Promise<Json> {
    if (!(await served.store.clientStates.write(type, state, expected)))
      throw path.error('conflict', `the ${type} state has been changed meanwhile`, 'expected')
    return success
  },
})

/** dump_internal_state: what the model was made of and has, without configurations of sources: these may have passwords. */
export const dumpInternalState = defineRead({
  type: 'dump_internal_state',
  scope: null,
  effects: 'none',
  args: ignoredArgs,
  onQuery: true,
  answer(_, { draft, served }) {
    const { document, model, states } = draft
    const objects = objectTypes.flatMap((type): [string, Json][] => {
      const count = childrenOf(document, type).size
      return count > 0 ? [[type, count]] : []
    })
    return {
      catalog_id: served.store.catalogId,
      resource_version: served.current.resourceVersion,
      objects: Object.fromEntries(objects),
      sources: [...states.values()].map(describe),
      inconsistent_objects: inconsistentObjects(model) as unknown as Json[],
    }
  },
})

function describe(state: SourceState): JsonObject {
  const { name, status } = state
  if (state.status === 'unavailable') return { name, status, reason: state.reason }
  const { introspection, enums, functions, queries } = state
  const tables = [...introspection.tables.values()].map(
    ({ table, kind, columns, fingerprint }): JsonObject => ({
      name: { ...table },
      kind,
      columns: columns.map((column) => ({ name: column.name, type: column.type.name, nullable: column.nullable })),
      fingerprint,
    }),
  )
  return {
    name,
    status,
    server_version: introspection.serverVersion,
    tables,
    enums: [...enums.keys()],
    functions: [...functions.keys()],
    native_queries: [...queries.checked].map(([own, { verdict }]) => ({ name: own, status: verdict.status })),
  }
}
