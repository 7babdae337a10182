import {
  decode,
  decodeShallow,
  envelope,
  isRecord,
  type JsonObject,
  namedDraftArgs,
  restoreMetadataArgs,
} from '@svc/schema'
import type { ServedMetadata } from '../changes/index.ts'
import { ApiError, Path } from '../errors.ts'
import {
  draftedValues,
  type ObjectValue,
  type PreparedOperation,
  read,
  success,
  withValues,
} from '../metadata/index.ts'
import { type AdminEndpoint, type AdminRequest, refuseStale, storedRequestTypes } from '../requests/index.ts'
import { unknownDraft } from './draft-key.ts'

/**
 * A request whose changes the catalogue has: apply_draft and restore_metadata, on /v1/metadata and in no bulk. Null: it is
 * another one. Both are for the version that the changes are of, and refused on any other.
 */
export async function readStoredRequest(
  served: ServedMetadata,
  endpoint: AdminEndpoint,
  body: unknown,
): Promise<AdminRequest | null> {
  if (endpoint !== '/v1/metadata' || !isRecord(body)) return null
  const type = storedRequestTypes.find((one) => one === body.type)
  if (!type) return null
  const head = read(decode(envelope, body))
  const path = Path.root.at('args')
  for (const condition of ['if_unchanged_since', 'as_drafted'] as const)
    if (head[condition] !== undefined)
      throw new ApiError('not-supported', path.at(condition), `"${type}" names a version itself`)
  const { version, values, isChecked } = await changesOf(served, type, head.args ?? {}, path)
  if (head.resource_version !== undefined && head.resource_version !== version)
    refuseStale(head.resource_version, served)
  return {
    command: { kind: 'operation', type, operation: operationOf(type, values, isChecked, path), path, condition: null },
    resourceVersion: version,
    dryRun: head.dry_run ?? null,
  }
}

interface StoredChanges {
  /** That they are made from. */
  readonly version: number
  readonly values: readonly ObjectValue[]
  /** Whether nothing may become inconsistent. */
  readonly isChecked: boolean
}

async function changesOf(
  served: ServedMetadata,
  type: (typeof storedRequestTypes)[number],
  args: unknown,
  path: Path,
): Promise<StoredChanges> {
  switch (type) {
    case 'apply_draft': {
      const { hash } = read(decodeShallow(namedDraftArgs, args, path.keys))
      const draft = await served.store.drafts.ofHash(hash)
      const text = draft && (await served.store.drafts.changes(draft.id))
      if (!draft || !text) throw unknownDraft(path.at('hash'))
      return { version: draft.resourceVersion, values: draftedValues(text), isChecked: !draft.allowsInconsistent }
    }
    case 'restore_metadata': {
      const { resource_version: wanted } = read(decodeShallow(restoreMetadataArgs, args, path.keys))
      const { resourceVersion } = await served.fresh()
      const values = await served.store.history.valuesAt(wanted)
      const at = path.at('resource_version')
      if (!values) throw new ApiError('not-exists', at, `the change log does not lead back to version ${wanted}`)
      const hidden = values.find(([, value]) => hidesSecret(value))
      if (hidden)
        throw new ApiError('not-supported', at, `the change log does not keep what was secret in ${hidden[0]}`)
      return { version: resourceVersion, values, isChecked: true }
    }
  }
}

/** The log shows passwords of sources so. */
const hidesSecret = (value: JsonObject | null): boolean => value !== null && JSON.stringify(value).includes('***')

const operationOf = (
  type: string,
  values: readonly ObjectValue[],
  isChecked: boolean,
  path: Path,
): PreparedOperation => ({
  type,
  path,
  check: isChecked ? 'no-new' : 'unchecked',
  isWhole: true,
  rereads: [],
  mentions: [],
  drops: [],
  tracks: [],
  apply: (document) => ({ document: withValues(document, values), touched: [] }),
  respond: (_, warnings) => (warnings.length > 0 ? { message: 'success', warnings } : success),
})
