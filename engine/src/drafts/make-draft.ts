import { randomBytes } from 'node:crypto'
import { type Json, keyedObject, type MetadataDocument, type ObjectChange, objectName } from '@svc/schema'
import { type Draft, newlyInconsistent, type ServedMetadata } from '../changes/index.ts'
import { ApiError, type Path } from '../errors.ts'
import { draftedValues } from '../metadata/index.ts'
import type { AuthorizedRequest } from '../requests/index.ts'
import { changesText, draftHash, reconnected } from './draft-changes.ts'
import { idOfKey } from './draft-key.ts'

/** Characters of JSON of what a draft changes. */
const mostCharacters = 4_000_000

const day = 86_400

/**
 * Leaves what a request has made as a draft (docs/drafts.md). `changes`: how its document differs from the served one, objects
 * that only a plan assumes left out. Throws bad-request where nothing differs, or too much.
 */
export async function makeDraft(
  served: ServedMetadata,
  { session, facts }: AuthorizedRequest,
  {
    before,
    after,
    changes,
    expiresIn = day,
  }: {
    readonly before: Draft
    readonly after: Draft
    readonly changes: readonly ObjectChange[]
    readonly expiresIn?: number | undefined
  },
  path: Path,
): Promise<Json> {
  if (changes.length === 0) throw new ApiError('bad-request', path, 'nothing would change: there is nothing to draft')
  const text = changesText(changes)
  if (text.length > mostCharacters)
    throw new ApiError('bad-request', path, `the changes of a draft may have ${mostCharacters} characters`)
  const { store, current } = served
  const { resourceVersion } = current
  const hash = draftHash(store.catalogId, resourceVersion, text)
  const key = `svcd_${randomBytes(32).toString('base64url')}`
  const token = session.access?.name ?? null
  const expiresAt = await store.drafts.create({
    id: idOfKey(key),
    hash,
    resourceVersion,
    changes: text,
    allowsInconsistent: newlyInconsistent(before.model, after.model).length > 0,
    isOpen: token === null,
    token,
    createdBy: facts.actor ?? session.role,
    expiresIn,
  })
  const unserved = reconnected(before.document, draftedValues(text))
  return {
    hash,
    key,
    url: `/v1/drafts/${key}`,
    resource_version: resourceVersion,
    expires_at: expiresAt,
    open: token === null,
    on_apply: leftToApply(changes, { before: before.document, after: after.document }),
    ...(unserved.length > 0 && { not_served: unserved }),
  }
}

/** What an apply does to databases, and a draft does not: names of event triggers that change. */
const leftToApply = (
  changes: readonly ObjectChange[],
  { before, after }: Record<'before' | 'after', MetadataDocument>,
): readonly string[] =>
  changes
    .filter(({ address }) => address.type === 'event_trigger')
    .map(
      ({ change, address }) =>
        `${change} ${objectName(keyedObject(change === 'delete' ? before : after, address)).name}`,
    )
