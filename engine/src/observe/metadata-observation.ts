import type { ErrorReport } from './error-report.ts'

export type CatalogueObservation =
  | { readonly kind: 'catalogue-connecting'; readonly url: string }
  | {
      readonly kind: 'catalogue-unreachable'
      readonly attempt: number
      readonly of: number
      readonly error: ErrorReport
    }
  /** `from` is null on the first start. */
  | {
      readonly kind: 'catalogue-migrated'
      readonly from: number | null
      readonly to: number
      readonly milliseconds: number
    }
  | {
      readonly kind: 'metadata-loaded'
      readonly resourceVersion: number
      readonly objects: number
      readonly milliseconds: number
    }
  /** The listening connection is gone; polling goes on. */
  | { readonly kind: 'catalogue-lost'; readonly error: ErrorReport }
  | { readonly kind: 'catalogue-back' }

export type MetadataObservation =
  /** A request that changed something or was refused: who, what, from where, what became of it (docs/access-tokens.md#audit-log). */
  | { readonly kind: 'audited'; readonly entry: Readonly<Record<string, unknown>>; readonly isRefused: boolean }
  /** What is owned by a stack or a directory was changed by another client (docs/ownership.md). */
  | {
      readonly kind: 'owned-changed'
      readonly requestId: string
      readonly actor: string | null
      /** For whom the request wrote. */
      readonly owner: string | null
      readonly overruled: readonly { readonly owner: string; readonly objects: number }[]
      /** Why, where it is protected. */
      readonly breakGlass: string | null
    }
  | { readonly kind: 'audit-log-failed'; readonly requestId: string; readonly error: ErrorReport }
  /** What was counted is stored with the next attempt; `isLost`: it may be stored, and is counted no more. */
  | {
      readonly kind: 'usage-not-stored'
      readonly requests: number
      readonly isLost: boolean
      readonly error: ErrorReport
    }
  | { readonly kind: 'bulk-started'; readonly requestId: string; readonly members: number; readonly atomic: boolean }
  | {
      readonly kind: 'metadata-committed'
      readonly requestId: string
      readonly resourceVersion: number
      readonly changed: number
      readonly milliseconds: number
    }
  /** Another instance was first: computed again on its version. */
  | { readonly kind: 'metadata-outrun'; readonly requestId: string; readonly base: number }
  | { readonly kind: 'metadata-inconsistent'; readonly objects: readonly unknown[] }
  | { readonly kind: 'model-updated'; readonly rebuilt: number; readonly milliseconds: number }
  /** What another instance changed is served here from now on. */
  | { readonly kind: 'metadata-synchronised'; readonly resourceVersion: number; readonly milliseconds: number }
  | { readonly kind: 'metadata-synchronisation-failed'; readonly error: ErrorReport }
  /** Another instance said that they are to be read again. */
  | {
      readonly kind: 'remote-schemas-reloaded'
      readonly remoteSchemas: readonly string[] | 'all'
      readonly milliseconds: number
    }
  | { readonly kind: 'sources-reloaded'; readonly sources: readonly string[] | 'all'; readonly milliseconds: number }
