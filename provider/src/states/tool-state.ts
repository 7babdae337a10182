import type { ResourceKind } from '../resources/index.ts'
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
