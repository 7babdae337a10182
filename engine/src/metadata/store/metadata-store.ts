/** The catalogue's interface for changes of metadata. Implemented by catalogue.ts over PostgreSQL. */
import type { JsonObject, MetadataDocument, ObjectChange } from '@svc/schema'
import type { AccessTokens } from './access-tokens.ts'
import type { ActionLog } from './action-log.ts'
import type { AuditLog, AuditRecord } from './audit-log.ts'
import type { ClientStates } from './client-state.ts'
import type { Drafts } from './drafts.ts'
import type { EventingIdentityStore } from './eventing-identity.ts'
import type { MetadataHistory } from './history.ts'
import type { Versioned } from './load-document.ts'
import type { OidcTrusts } from './oidc-trusts.ts'
import type { ScheduleStore } from './schedules.ts'
import type { PendingSourceChange, SourceChanges } from './source-changes.ts'
import type { UsageLog } from './usage-log.ts'

/** The author of a change (`by` in get_metadata_changes). */
export interface Author {
  readonly role: string
  readonly actor: string | null
  /** The stack or directory whose declarations it writes (docs/ownership.md); null: none. */
  readonly owner: string | null
  readonly userAgent: string | null
  readonly requestId: string
  readonly sessionVariables: Readonly<Record<string, string>>
}

export interface Commit {
  /** The version that `changes` were computed from. */
  readonly base: number
  /** Never empty: a request that changes nothing commits nothing. */
  readonly changes: readonly (ObjectChange & { readonly operation: string })[]
  /** The document after the changes; names the objects in the log. */
  readonly before: MetadataDocument
  readonly after: MetadataDocument
  readonly author: Author
  /** Actions whose log is deleted with the change. */
  readonly clearsActionLogs?: readonly string[]
  /** What the version stands or falls with: an entry that is stored with it, and is there until it is forgotten. */
  readonly pending?: PendingSourceChange | null
  /** The audit log's entry of the request, stored in the same transaction. */
  readonly audit?: AuditRecord | null
  /** Undoes the version before: objects that are restored have the owners that they had. */
  readonly takesBack?: true
}

/** What is read again although metadata is the same. */
export interface Reload {
  readonly sources: readonly string[] | 'all'
  readonly remoteSchemas?: readonly string[] | 'all'
}

export interface MetadataStore {
  readonly accessTokens: AccessTokens
  readonly oidcTrusts: OidcTrusts
  readonly drafts: Drafts
  readonly auditLog: AuditLog
  readonly usageLog: UsageLog
  /** Of asynchronous actions. */
  readonly actionLog: ActionLog
  readonly clientStates: ClientStates
  readonly history: MetadataHistory
  readonly sourceChanges: SourceChanges
  readonly catalogId: string
  /** Of the document as it was last read or stored: by the texts of addresses, the stack or directory that declares an object. */
  readonly owners: ReadonlyMap<string, string>
  /**
   * Assigns objects to an owner, or to none (null), as a new version. Objects that no longer exist are left out. Resolves to
   * whether `base` was the version before.
   */
  setOwners(addresses: readonly string[], owner: string | null, base: number): Promise<boolean>
  /** Null before the first initialisation. */
  load(): Promise<Versioned>
  /** Sources of the stored document, without what is in them: known before all of it is read. */
  loadSources(): Promise<readonly JsonObject[]>
  /** One cheap read of the version row. Throws postgres-error 500 `connection error` when the catalogue is down. */
  readVersion(): Promise<number>
  /** The document as it is now, made from `from` and the rows changed since; the same reference when nothing did. */
  catchUp(from: Versioned): Promise<Versioned>
  /** One transaction: compares the version, writes changed rows and log, sets version base+1, notifies. */
  commit(
    commit: Commit,
  ): Promise<{ readonly committed: true; readonly resourceVersion: number } | { readonly committed: false }>
  /** Notifies the other instances to read these again; no new version. */
  announceReload(reload: Reload): Promise<void>
  /** Events of cron triggers and one-off events; those of a trigger that a commit changes follow it. */
  readonly schedules: ScheduleStore
  readonly eventingIdentity: EventingIdentityStore
  /** Calls back when another instance committed or announced; by LISTEN and by polling every `pollInterval` ms. */
  subscribe(
    listener: (change: { readonly kind: 'version' } | ({ readonly kind: 'reload' } & Required<Reload>)) => void,
  ): void
  /**
   * Calls the subscriber for what other instances have committed or announced meanwhile. Throws where the catalogue is
   * down.
   */
  checkVersion(): Promise<void>
  /** The document without what that version has made of it; null where the version is not the request's. */
  withoutChange(document: MetadataDocument, pending: PendingSourceChange): Promise<MetadataDocument | null>
  ping(): Promise<boolean>
  close(): Promise<void>
}
