import type { MetadataDocument } from '@svc/schema'
import type { Model } from '../model/index.ts'

/** What is served at a moment; replaced by one assignment. */
export interface ServedState {
  readonly document: MetadataDocument
  readonly resourceVersion: number
  readonly model: Model
}
