import type { MetadataDocument } from '@svc/schema'
import type { ClientError, EngineErrorBody } from './client-error.ts'
import type { Envelope } from './metadata-client.ts'

/** One object to be written. Its functions are pure: they are called again when the metadata turns out to be newer. */
export interface Write<Refusal> {
  /** Writes that leave together go in this order. */
  readonly rank: number
  /** `doubt`: an earlier request with this write may have been carried out. */
  decide(document: MetadataDocument, doubt: boolean): Decision<Refusal>
  /**
   * Returns what does not exist yet without which it cannot succeed; called before it is sent (no error) and after a
   * refusal. None: no other write could help.
   */
  waitsFor(document: MetadataDocument, error: EngineErrorBody | null): readonly Arrival[]
  /** It is done; called before anything else is decided. */
  wasDone?(): void
}

/** Whether what was waited for is there. */
export type Arrival = (document: MetadataDocument) => boolean

export type Decision<Refusal> = Sending | { readonly kind: 'done' } | Refused<Refusal>

/** The state of the metadata in which a write was found done. */
interface WrittenAt {
  /** Null: of an engine that does not say. */
  readonly catalogId: string | null
  readonly resourceVersion: number
}

export interface Sending {
  readonly kind: 'send'
  readonly operations: readonly Pick<Envelope, 'type' | 'args'>[]
  /** Whether they would overwrite what another client has made of the object: what makes or removes it does not. */
  readonly overwrites: boolean
  /** The document once they succeeded. */
  readonly outcome: (document: MetadataDocument) => MetadataDocument
  /** Whether the engine changes further objects of its own accord: the metadata is read again then. */
  readonly rewrites?: boolean
}

interface Refused<Refusal> {
  readonly kind: 'refused'
  readonly refusal: Refusal
}

export type Written<Refusal> =
  | { readonly kind: 'done'; readonly at: WrittenAt }
  | Refused<Refusal>
  /** The engine's answer, and whether other writes could have helped. */
  | {
      readonly kind: 'failed'
      readonly error: EngineErrorBody
      readonly waited: boolean
      readonly operations: Sending['operations']
    }
  | { readonly kind: 'broken'; readonly error: ClientError }
