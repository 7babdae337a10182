import {
  addressText,
  diffDocumentsInPieces,
  type MetadataDocument,
  type ObjectAddress,
  type ObjectChange,
} from '@svc/schema'
import type { LongWork } from '../long-work.ts'

/** An object and the operation that spoke of it. */
export interface ChangedBy {
  readonly address: ObjectAddress
  readonly operation: string
  /** An action whose log is deleted with the change. */
  readonly clearsActionLog?: string
}

/**
 * Which operation changed what: an object's own, else that of the object above it, else the request's. The last of
 * several wins, as the log keeps one change per object and version.
 */
export function* attributedChanges(
  before: MetadataDocument,
  after: MetadataDocument,
  touched: readonly ChangedBy[],
  type: string,
): LongWork<readonly AttributedChange[]> {
  const changes = yield* diffDocumentsInPieces(before, after)
  const operations = new Map(touched.map(({ address, operation }) => [addressText(address), operation]))
  const operationOf = (address: ObjectAddress): string =>
    operations.get(addressText(address)) ?? (address.parent ? operationOf(address.parent) : type)
  const attributed: AttributedChange[] = []
  for (const change of changes) {
    const operation = touched.length === 0 ? type : operationOf(change.address)
    if (attributed.push({ ...change, operation }) % piece === 0) yield piece
  }
  return attributed
}

type AttributedChange = ObjectChange & { readonly operation: string }

/** Changes between two yields: some tens of microseconds. */
const piece = 128
