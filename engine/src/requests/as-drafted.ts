import {
  addressText,
  customTypesAddress,
  diffDocuments,
  equalJson,
  isRecord,
  type Json,
  type JsonObject,
  keyedObject,
  type MetadataDocument,
  type ObjectChange,
  objectName,
} from '@svc/schema'
import type { Draft } from '../changes/index.ts'
import { ApiError } from '../errors.ts'
import { draftedValues, type MetadataStore, type ObjectValue, withValues } from '../metadata/index.ts'
import type { Condition } from './command.ts'
import type { Outcome } from './outcome.ts'

/** What was approved, and what has become of the metadata since. */
export interface ApprovedDraft {
  /** Of what the draft changes: null where it deletes the object. */
  readonly values: ReadonlyMap<string, JsonObject | null>
  readonly resourceVersion: number
  /** What changed since the draft was made, as it was then; null where that is not known (any more). */
  readonly replaced: readonly ObjectValue[] | null
}

/** Reads a draft by its hash; null: it is unknown or expired. */
export async function approvedDraft(
  store: Pick<MetadataStore, 'drafts' | 'history'>,
  hash: string,
): Promise<ApprovedDraft | null> {
  const draft = await store.drafts.ofHash(hash)
  const text = draft && (await store.drafts.changes(draft.id))
  if (!draft || !text) return null
  const { resourceVersion } = draft
  return {
    values: new Map(draftedValues(text)),
    resourceVersion,
    replaced: await store.history.valuesAt(resourceVersion),
  }
}

/**
 * The outcome, where it is on the way to the draft that its condition names: whatever differs from the metadata that
 * the draft was made of, by this request or by other clients, is as the draft has it, or gone for the time being where
 * the draft changes it (docs/drafts.md). Throws not-exists for an unknown draft, conflict for what other clients have
 * changed, and bad-request for what the request would change otherwise.
 */
export async function asDrafted(
  condition: Condition | null,
  before: Draft,
  outcome: Outcome,
  { approved }: { readonly approved: (hash: string) => Promise<ApprovedDraft | null> },
): Promise<Outcome> {
  const hash = condition?.draft ?? null
  if (!condition || hash === null) return outcome
  const path = condition.path.at('as_drafted')
  const draft = await approved(hash)
  if (!draft) throw new ApiError('not-exists', path, `the draft ${hash} is unknown or has expired`)
  const { replaced, resourceVersion } = draft
  if (!replaced) throw new ApiError('conflict', path, `what was changed after version ${resourceVersion} is not known`)
  const base = withValues(before.document, replaced)
  const others = strangers(base, before.document, draft)
  if (others !== '')
    throw new ApiError(
      'conflict',
      path,
      `after the draft ${hash} was made of version ${resourceVersion} another client has changed ${others}: make it again`,
    )
  const own = strangers(base, outcome.draft.document, draft)
  if (own !== '') throw new ApiError('bad-request', path, `this is not what the draft ${hash} makes of ${own}`)
  return outcome
}

const most = 10

/** Names of objects that differ otherwise than the draft has it; empty: none. */
function strangers(base: MetadataDocument, after: MetadataDocument, { values }: ApprovedDraft): string {
  const found = diffDocuments(base, after).filter((change) => !isOnTheWay(change, values))
  const names = found
    .slice(0, most)
    .map(({ change, address }) => objectName(keyedObject(change === 'delete' ? base : after, address)).name)
  return [...names, ...(found.length > most ? [`${found.length - most} more`] : [])].join(', ')
}

function isOnTheWay({ address, old, new: now }: ObjectChange, values: ApprovedDraft['values']): boolean {
  const wanted = values.get(addressText(address))
  if (wanted === undefined) return false
  if (!now || equalJson(now.value, wanted)) return true
  return growsInParts.has(address.type) && isBetween(now.value, old?.value ?? {}, wanted ?? {})
}

/** Objects that provider resources write piece by piece. Of any other a mixture of old and new is not what was approved. */
const growsInParts: ReadonlySet<string> = new Set([customTypesAddress.type, 'network'])

/** Whether lists have only whole members of the two others, and all that both of these have. */
function isBetween(now: Json | undefined, from: Json | undefined, to: Json | undefined): boolean {
  if ([from, to].some((one) => equalJson(now ?? null, one ?? null))) return true
  if (isRecord(now)) {
    const [a, b, c] = [now, from, to].map((one) => (isRecord(one) ? one : {}))
    const keys = new Set([a, b, c].flatMap((one) => Object.keys(one ?? {})))
    return [...keys].every((key) => isBetween(a?.[key], b?.[key], c?.[key]))
  }
  const [a, b, c] = [now ?? [], from ?? [], to ?? []]
  if (!Array.isArray(a) || !Array.isArray(b) || !Array.isArray(c)) return false
  const has = (list: readonly Json[], one: Json) => list.some((other) => equalJson(one, other))
  return (
    (a as Json[]).every((one) => has(b as Json[], one) || has(c as Json[], one)) &&
    (b as Json[]).every((one) => !has(c as Json[], one) || has(a as Json[], one))
  )
}
