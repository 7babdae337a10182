import type { MetadataObject, ObjectAddress } from '@svc/schema'

/** A table of the metadata, with its address. */
export interface TableOfDocument {
  readonly address: ObjectAddress
  readonly object: MetadataObject
}
