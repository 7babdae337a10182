import { addressText, diffDocuments, type MetadataDocument, type ObjectAddress, type ObjectChange } from '@svc/schema'

/** An object and the operation that spoke of it. */
export interface Touch {
  readonly address: ObjectAddress
  readonly operation: string
  /** An action whose log goes with the change. */
  readonly clearsActionLog?: string
}

/**
 * Which operation changed what: an object's own, else that of the object above it, else the request's. The last of
 * several wins, as the log keeps one change per object and version.
 */
export function attributedChanges(
  before: MetadataDocument,
  after: MetadataDocument,
  touched: readonly Touch[],
  type: string,
): readonly (ObjectChange & { readonly operation: string })[] {
  const changes = diffDocuments(before, after)
  if (changes.length === 0) return []
  if (touched.length === 0) return changes.map((change) => ({ ...change, operation: type }))
  const operations = new Map(touched.map(({ address, operation }) => [addressText(address), operation]))
  const operationOf = (address: ObjectAddress): string =>
    operations.get(addressText(address)) ?? (address.parent ? operationOf(address.parent) : type)
  return changes.map((change) => ({ ...change, operation: operationOf(change.address) }))
}
