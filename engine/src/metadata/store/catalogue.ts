import { randomUUID } from 'node:crypto'
import type { JsonObject, MetadataDocument } from '@svc/schema'
import { errorReport, type Observer, redactUrl } from '../../observe/index.ts'
import { type AccessTokens, accessTokens } from './access-tokens.ts'
import { type ActionLog, actionLog } from './action-log.ts'
import { type AuditLog, auditLog } from './audit-log.ts'
import { isConnectionError } from './catalogue-error.ts'
import { CatalogueListener } from './catalogue-listener.ts'
import { catchUp } from './catch-up.ts'
import { type ClientStates, clientStates } from './client-state.ts'
import { commitChanges } from './commit-changes.ts'
import {
  type CatalogueConnection,
  type ConnectionOptions,
  once,
  openConnection,
  withClient,
  withConnection,
} from './connection.ts'
import { type Drafts, drafts } from './drafts.ts'
import { type EventingIdentityStore, eventingIdentityStore } from './eventing-identity.ts'
import { logPruner, type MetadataHistory, metadataHistory } from './history.ts'
import { type CatalogueState, loadDocument, loadSources, readCatalogueState, type Versioned } from './load-document.ts'
import type { Commit, MetadataStore, Reload } from './metadata-store.ts'
import { checkCatalogue, migrate } from './migrate.ts'
import { ObjectOwners, setOwners } from './object-owners.ts'
import { type OidcTrusts, oidcTrusts } from './oidc-trusts.ts'
import { followCronTriggers, type ScheduleStore, scheduleStore } from './schedules.ts'
import { type PendingSourceChange, type SourceChanges, sourceChanges, withoutChange } from './source-changes.ts'
import { nothingUsed, type UsageBounds, type UsageLog, usageLog } from './usage-log.ts'

export interface CatalogueOptions extends ConnectionOptions {
  /** Stored when the catalogue is made. */
  readonly initial: MetadataDocument
  /** Attempts after the first, a second apart. */
  readonly retries: number
  /** How many rows of history are stored. */
  readonly changeLogSize: number
  /** How many entries of the audit log are stored; without it none. */
  readonly auditLogSize?: number
  /** What is stored of the usage. */
  readonly usage?: UsageBounds
  /** False: a catalogue of an older version is served as it is, and none is made (maintenance mode). */
  readonly migrates?: boolean
  /** Milliseconds; 0: never. */
  readonly pollInterval: number
  readonly observer: Observer
}

/**
 * Connects to the metadata database, makes or migrates the catalogue and returns the store over it
 * (architecture, decision 1; reference/server#start, steps 2 and 3).
 * Throws CatalogueRefused, or the driver's error once the retries are used up.
 */
export async function openCatalogue(options: CatalogueOptions): Promise<MetadataStore> {
  const connection = openConnection(options)
  try {
    await migrateWithRetries(connection, options)
    return new Catalogue(connection, await readCatalogueState(connection), options)
  } catch (error) {
    await connection.close()
    throw error
  }
}

async function migrateWithRetries(connection: CatalogueConnection, options: CatalogueOptions): Promise<void> {
  const { observer, retries, initial, migrates = true } = options
  observer.report({ kind: 'catalogue-connecting', url: redactUrl(options.url) })
  for (let attempt = 1; ; attempt++) {
    try {
      const started = performance.now()
      const { from, to } = await withClient(connection, (client) =>
        migrates ? migrate(client, initial) : checkCatalogue(client),
      )
      observer.report({ kind: 'catalogue-migrated', from, to, milliseconds: performance.now() - started })
      return
    } catch (error) {
      if (!isConnectionError(error) || attempt > retries) throw error
      observer.report({ kind: 'catalogue-unreachable', attempt, of: retries + 1, error: errorReport(error) })
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}

const announceStatement = once('svc_announce_reload')`
    UPDATE svc_catalog.metadata SET reloads = reloads + 1 WHERE id = 1
    RETURNING reloads::text, pg_notify('svc_catalog',
      json_build_object('instance', $1::text, 'kind', 'reload', 'reloads', reloads, 'sources', $2::json, 'remoteSchemas', $3::json)::text)::text`

/** A notification has at most 8,000 bytes. */
const longestList = 3500

function sentList(names: readonly string[] | 'all'): string {
  const list = JSON.stringify(names)
  return Buffer.byteLength(list) > longestList ? JSON.stringify('all') : list
}

class Catalogue implements MetadataStore {
  readonly #connection: CatalogueConnection
  readonly #options: CatalogueOptions
  readonly #instance = randomUUID()
  readonly schedules: ScheduleStore
  readonly eventingIdentity: EventingIdentityStore
  readonly accessTokens: AccessTokens
  readonly oidcTrusts: OidcTrusts
  readonly drafts: Drafts
  readonly auditLog: AuditLog
  readonly usageLog: UsageLog
  readonly actionLog: ActionLog
  readonly clientStates: ClientStates
  readonly history: MetadataHistory
  readonly sourceChanges: SourceChanges
  readonly #owners = new ObjectOwners()
  readonly #pruner: ReturnType<typeof logPruner>
  #known: CatalogueState
  #listener: CatalogueListener | null = null
  #closing: Promise<void> | undefined

  constructor(connection: CatalogueConnection, state: CatalogueState, options: CatalogueOptions) {
    this.#connection = connection
    this.#options = options
    this.#known = state
    this.schedules = scheduleStore(connection)
    this.eventingIdentity = eventingIdentityStore(connection)
    this.accessTokens = accessTokens(connection)
    this.oidcTrusts = oidcTrusts(connection)
    this.drafts = drafts(connection)
    this.auditLog = auditLog(connection, options.auditLogSize ?? 0)
    const usage = options.usage ?? { days: 0, operations: 0 }
    this.usageLog = options.migrates === false ? nothingUsed : usageLog(connection, usage)
    this.actionLog = actionLog(connection)
    this.clientStates = clientStates(connection)
    this.history = metadataHistory(connection)
    this.sourceChanges = sourceChanges(connection)
    this.#pruner = logPruner(connection, options.changeLogSize)
  }

  get catalogId(): string {
    return this.#known.catalogId
  }

  async load(): Promise<Versioned> {
    const started = performance.now()
    const { state, loaded, owners, objects } = await loadDocument(this.#connection)
    this.#known = state
    this.#owners.load(owners)
    this.#options.observer.report({
      kind: 'metadata-loaded',
      resourceVersion: state.resourceVersion,
      objects,
      milliseconds: performance.now() - started,
    })
    return loaded
  }

  get owners(): ReadonlyMap<string, string> {
    return this.#owners.all
  }

  async setOwners(addresses: readonly string[], owner: string | null, base: number): Promise<boolean> {
    const resourceVersion = await setOwners(this.#connection, addresses, owner, this.#instance)
    this.#owners.read(addresses.map((address) => [address, owner]))
    if (resourceVersion !== base + 1) return false
    this.#known = { ...this.#known, resourceVersion }
    return true
  }

  loadSources(): Promise<readonly JsonObject[]> {
    return loadSources(this.#connection)
  }

  async readVersion(): Promise<number> {
    const state = await readCatalogueState(this.#connection)
    return state.resourceVersion
  }

  async catchUp(from: Versioned): Promise<Versioned> {
    const { state, now, owners, isWhole } = await catchUp(this.#connection, from, this.#known.catalogId)
    this.#known = state
    if (isWhole) this.#owners.load(owners)
    else this.#owners.read(owners)
    return now
  }

  async commit(commit: Commit): ReturnType<MetadataStore['commit']> {
    const { audit } = commit
    const entry = audit ? this.auditLog.rowOf(audit.entryOf(commit.base + 1)) : null
    const owners = this.#owners.after(commit)
    const storing = commitChanges(this.#connection, commit, this.#instance, entry, owners)
    const stored = await storing.catch((error: unknown) => {
      // it may have been stored although the answer was lost
      void this.#listener?.checkVersion().catch(() => {})
      throw error
    })
    if (stored === null) return { committed: false }
    const { resourceVersion, audited } = stored
    this.#known = { ...this.#known, resourceVersion }
    this.#owners.stored(commit, owners)
    if (audited) {
      audit?.stored()
      await this.auditLog.wrote(audited)
    }
    this.#pruner.wrote(commit.changes.length)
    // what is lost here is repeated by the schedules' own check
    await followCronTriggers(this.#connection, commit.changes).catch(() => {})
    return { committed: true, resourceVersion }
  }

  async announceReload({ sources, remoteSchemas = [] }: Reload): Promise<void> {
    const [row] = await this.#connection.run(announceStatement, [
      this.#instance,
      sentList(sources),
      sentList(remoteSchemas),
    ])
    this.#listener?.announced(Number(row?.[0]))
  }

  async checkVersion(): Promise<void> {
    await this.#listener?.checkVersion()
  }

  subscribe(listener: Parameters<MetadataStore['subscribe']>[0]): void {
    this.#listener = new CatalogueListener({
      connection: this.#connection,
      instance: this.#instance,
      pollInterval: this.#options.pollInterval,
      observer: this.#options.observer,
      known: () => this.#known,
      onChange: listener,
    })
    this.#listener.start()
  }

  async withoutChange(document: MetadataDocument, pending: PendingSourceChange): Promise<MetadataDocument | null> {
    const found = await withoutChange(this.#connection, document, pending)
    this.#owners.wereReleased(found?.released ?? [])
    return found?.document ?? null
  }

  async ping(): Promise<boolean> {
    try {
      await readCatalogueState(this.#connection)
      return true
    } catch {
      return false
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#listener?.close()
    await this.#pruner.idle()
    await this.#connection.close()
  }
}

/** `svc-engine clean` (reference/server#commands). */
export async function dropCatalogue(url: string): Promise<void> {
  const drop = 'DROP SCHEMA IF EXISTS svc_catalog CASCADE'
  await withConnection(url, (connection) => withClient(connection, (client) => client.query(drop)))
}

/** `svc-engine export`: the document as it is stored, without migrating or serving anything. */
export async function readCatalogue(url: string): Promise<MetadataDocument> {
  const { loaded } = await withConnection(url, loadDocument)
  return loaded.document
}
