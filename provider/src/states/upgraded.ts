import type { Json } from '@svc/schema'
import { createProvider } from '../core/index.ts'
import type { ResourceKind, Value } from '../resources/index.ts'

/** A stored resource in today's shape; null where it was written by a newer provider. */
export const upgraded = (kind: ResourceKind, from: number, stored: Json): Json | null =>
  provider.upgrade(kind.kind, from, stored as Value).state as Json | null

// no tool is spoken to: nothing of it shows
const provider = createProvider(
  { name: 'svc', version: '', json: 'value', reference: () => '', typeName: (kind) => kind, renamed: '' },
  {},
)
