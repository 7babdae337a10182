import { findObject, type JsonObject, type MetadataDocument, removeObject, setValue } from '@svc/schema'
import { addressOfKey } from '../../../provider/src/client/index.ts'
import type { Operation } from '../../../provider/src/resources/index.ts'
import type { Client, Json } from '../engine/client.ts'

/** The answer of a dry run (docs/dry-run.md, docs/preview.md), as far as the page shows it. */
export interface Tried {
  readonly results: readonly Result[]
  readonly changes: readonly ObjectChange[]
  readonly inconsistent_objects: readonly { readonly name?: string; readonly reason?: Json }[]
  readonly preview?: {
    readonly roles: readonly RolePreview[]
    readonly operations: readonly {
      readonly collection: string
      readonly query: string
      readonly role: string
      readonly reasons: readonly string[]
    }[]
  }
}

interface Result {
  readonly verdict: 'ok' | 'error' | 'pending'
  /** What the request itself would be answered. */
  readonly error?: { readonly error?: string; readonly path?: string }
  readonly at?: string
}

interface ObjectChange {
  readonly change: 'create' | 'update' | 'delete'
  readonly object: { readonly type: string; readonly name: string; readonly key: JsonObject }
  readonly old: JsonObject | null
  readonly new: JsonObject | null
}

interface RolePreview {
  readonly role: string
  readonly schema?: {
    readonly breaking: number
    readonly dangerous: number
    readonly safe: number
    readonly changes: readonly { readonly severity: string; readonly at: string; readonly description: string }[]
    readonly not_listed?: number
  }
  readonly rows?: readonly {
    readonly table: JsonObject | string
    readonly permission: string
    readonly part: string
    readonly change: string
    readonly needs?: readonly string[]
  }[]
}

/** The request that makes a change: all of it or nothing. */
export function requestOf(operations: readonly Operation[]): Operation {
  const [only] = operations
  return operations.length === 1 && only ? only : { type: 'bulk_atomic', args: operations as unknown as JsonObject }
}

/** What the engine says operations would do. It changes nothing. Throws EngineError. */
export const tryOperations = (client: Client, operations: readonly Operation[]): Promise<Tried> =>
  client.dryRun<Tried>(requestOf(operations) as unknown as Readonly<Record<string, Json>>)

export const isRefused = ({ results }: Tried): boolean => results.some(({ verdict }) => verdict !== 'ok')

/**
 * The document after what a dry run says. What it leaves out of a value, which are passwords, is taken from the request.
 */
export function documentAfter(
  document: MetadataDocument,
  { changes }: Tried,
  asked: (type: string, key: JsonObject) => JsonObject | undefined,
): MetadataDocument {
  return changes.reduce((after, { change, object, new: value }) => {
    const at = addressOfKey(object.type, object.key)
    if (!at) return after
    if (change === 'delete' || value === null) return findObject(after, at) ? removeObject(after, at) : after
    if (at.parent && !findObject(after, at.parent)) return after
    const whole = JSON.stringify(value).includes('***') ? (asked(object.type, object.key) ?? value) : value
    return setValue(after, at, whole)
  }, document)
}
