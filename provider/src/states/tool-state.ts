import type { Json } from '@svc/schema'
import { upgradeState } from '../core/index.ts'
import { type CommonKind, catalogue, type ResourceKind, records } from '../resources/index.ts'
import type { Stored, StoredSpelling } from './stored-value.ts'

/** A resource that a tool's state says is there. */
export interface StateResource extends Stored {
  readonly kind: ResourceKind
  /** What the tool calls it: `module.store.svc_table.album["x"]`, `albumTable`. */
  readonly label: string
}

export interface ToolState {
  readonly tool: 'Terraform' | 'Pulumi'
  readonly spelling: StoredSpelling
  readonly resources: readonly StateResource[]
  /** Types of resources of ours that this version does not know, or knows in an older form. */
  readonly unknown: readonly string[]
}

/** A resource as a tool has stored it. */
export interface StoredResource {
  /** What the tool calls its kind. */
  readonly type: string
  readonly label: string
  /** Null: a newer provider has written it. */
  readonly read: (kind: ResourceKind) => Stored | null
}

/** Those of kinds of the catalogue, and the types of all others; records of an engine are not compared. */
export function knownResources(
  found: readonly StoredResource[],
  typeOf: (kind: CommonKind) => string,
): Pick<ToolState, 'resources' | 'unknown'> {
  const known = new Map(catalogue.map((kind) => [typeOf(kind), kind]))
  const ignored = new Set(records.map(typeOf))
  const unknown = new Set<string>()
  const resources = found.flatMap(({ type, label, read }): readonly StateResource[] => {
    if (ignored.has(type)) return []
    const kind = known.get(type)
    const stored = kind && read(kind)
    if (kind && stored) return [{ kind, label, ...stored }]
    unknown.add(type)
    return []
  })
  return { resources, unknown: [...unknown] }
}

/** A stored resource in today's shape; null where it was written by a newer provider. */
export const upgraded = (kind: ResourceKind, from: number, stored: Json): Json | null =>
  upgradeState(kind, from, stored).state as Json | null
