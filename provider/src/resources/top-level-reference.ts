import type { Json } from '@svc/schema'
import type { Reference } from './define-resource.ts'

/** A query collection that an attribute names. */
export const collectionReference = (name: Json, attribute: string): Reference => ({
  to: 'top-level',
  type: 'query_collection',
  source: null,
  key: { name },
  attribute: [attribute],
})
