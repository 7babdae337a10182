import { findObject, type Json, objectKinds, sourceAddress, writeMetadata, writeObject } from '@svc/schema'
import type { Draft, ServedMetadata } from '../changes/index.ts'
import { ApiError } from '../errors.ts'
import { inconsistentObjects } from '../model/index.ts'
import type { ReadCommand } from './command.ts'
import { testWebhookTransform } from './test-webhook-transform.ts'

/**
 * export_metadata, get_inconsistent_metadata (spec 01 §2.1), get_native_query, get_logical_model (§2.15) and
 * get_metadata_changes (wire.md), seen from a draft: a
 * member of a bulk reads what the members before it made.
 */
export async function readCommand(command: ReadCommand, draft: Draft, served: ServedMetadata): Promise<Json> {
  switch (command.kind) {
    case 'export': {
      const metadata = writeMetadata(draft.document)
      return command.version === 1 ? metadata : { resource_version: served.current.resourceVersion, metadata }
    }
    case 'inconsistent': {
      const objects = inconsistentObjects(draft.model) as unknown as Json[]
      return command.version === 1 ? objects : { is_consistent: objects.length === 0, inconsistent_objects: objects }
    }
    case 'changes': {
      const { since_resource_version, catalog_id, limit } = command.args
      const changes = await served.store.changesSince({
        sinceResourceVersion: since_resource_version,
        catalogId: catalog_id ?? null,
        limit,
      })
      return changes as unknown as Json
    }
    case 'test-transform':
      return testWebhookTransform(command.args, command.path)
    case 'list': {
      const { source } = command.args
      const found = findObject(draft.document, sourceAddress(source))
      if (!found)
        throw new ApiError('not-exists', command.path, `source with name "${source}" does not exist`, {
          at: command.path.at('source'),
        })
      return writeObject(found)[objectKinds[command.of].list] ?? []
    }
  }
}
