import type { Json } from '@svc/schema'
import { upgradeState } from '../core/index.ts'
import type { ResourceKind } from '../resources/index.ts'

/** A stored resource in today's shape; null where it was written by a newer provider. */
export const upgraded = (kind: ResourceKind, from: number, stored: Json): Json | null =>
  upgradeState(kind, from, stored).state as Json | null
