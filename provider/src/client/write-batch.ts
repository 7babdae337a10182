import type { Json, MetadataDocument } from '@svc/schema'
import { ClientError, type EngineErrorBody, isEngineErrorBody } from './client-error.ts'
import type { LiveMetadata } from './live-metadata.ts'
import type { Answer, Envelope } from './metadata-client.ts'
import type { Sending } from './write.ts'

/** What goes out together, in this order. */
export interface Member<MemberEntry> {
  readonly entry: MemberEntry
  readonly sending: Sending
}

/**
 * One bulk that keeps going; a member of several operations is an atomic step of its own. One that would overwrite is on
 * condition that its object is as it was in the version it was computed from: on the whole document it would starve
 * next to a client that writes all the time. `draft`: what all that is written has to be as (docs/drafts.md).
 */
export const bulkOf = <E>(
  members: readonly Member<E>[],
  { resourceVersion }: LiveMetadata,
  draft?: string,
): Envelope => ({
  type: 'bulk_keep_going',
  args: members.map(({ sending: { operations, overwrites } }) => ({
    ...stepOf(operations),
    ...(overwrites && { if_unchanged_since: resourceVersion }),
    // what is read again changes no metadata
    ...(draft !== undefined && !operations.some(({ type }) => type.startsWith('reload_')) && { as_drafted: draft }),
  })),
})

/** Operations as one step that succeeds or fails whole. */
export function stepOf(operations: Sending['operations']): { readonly type: string; readonly args: Json } {
  const plain = operations.map(({ type, args }) => ({ type, args }))
  const [only] = plain
  return only && plain.length === 1 ? only : { type: 'bulk_atomic', args: plain }
}

/** A write that would not lead to the draft: no other write helps. */
export const isNotDrafted = ({ path }: EngineErrorBody): boolean => path.endsWith('.as_drafted')

export interface BatchOutcome<MemberEntry> {
  readonly done: readonly Member<MemberEntry>[]
  readonly failed: readonly { readonly member: Member<MemberEntry>; readonly error: EngineErrorBody }[]
  readonly document: MetadataDocument
}

/** Which members succeeded, and the document with them. Throws ClientError for an answer that is none to a bulk. */
export function readAnswer<E>(
  members: readonly Member<E>[],
  before: MetadataDocument,
  { body }: Answer,
): BatchOutcome<E> {
  if (!Array.isArray(body) || body.length !== members.length)
    throw new ClientError('older-engine', 'the engine does not answer a bulk_keep_going with a result for each member')
  const results = body as readonly Json[]
  const answered = members.map((member, i) => ({ member, result: results[i] ?? null }))
  const failed = answered.flatMap(({ member, result }) =>
    isEngineErrorBody(result) ? [{ member, error: result }] : [],
  )
  const done = answered.flatMap(({ member, result }) => (isEngineErrorBody(result) ? [] : [member]))
  return {
    done,
    failed,
    document: done.reduce((document, { sending }) => sending.outcome(document), before),
  }
}
