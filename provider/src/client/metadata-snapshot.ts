import type { MetadataDocument } from '@svc/schema'
import { readChanges } from './change-log.ts'
import { ClientError } from './client-error.ts'
import { type LiveMetadata, readLive } from './live-metadata.ts'
import { applyLogged } from './logged-changes.ts'
import type { MetadataClient } from './metadata-client.ts'

/** An engine's metadata, read once and shared by all readers; own writes and newer versions are added to it. */
export class MetadataSnapshot {
  readonly #client: MetadataClient
  #reading: Promise<LiveMetadata> | null = null
  #stale = false

  readonly #catalog: string | undefined

  /** `catalog`: the only one that is taken. */
  constructor(client: MetadataClient, catalog?: string) {
    this.#client = client
    this.#catalog = catalog
  }

  /** Throws ClientError for another catalogue than the one that is wanted. */
  async #readLive(): Promise<LiveMetadata> {
    const live = await readLive(this.#client)
    if (this.#catalog === undefined || live.catalogId === this.#catalog) return live
    throw new ClientError(
      'other-catalog',
      `the engine at ${this.#client.endpoint} has the catalogue ${live.catalogId ?? 'of no id'}, not ${this.#catalog}`,
    )
  }

  /** Exports only at the first call. Throws ClientError; the next call then tries again. */
  read(): Promise<LiveMetadata> {
    return this.#stale ? this.catchUp() : this.#keep(this.#reading ?? this.#readLive())
  }

  /** After a write of our own that made this version of this document. */
  advance(live: LiveMetadata, document: MetadataDocument, resourceVersion: number): void {
    this.#reading = Promise.resolve({ ...live, document, resourceVersion })
  }

  /** Called when other clients have written as well: the next reader catches up. */
  outdate(): void {
    this.#stale = true
  }

  /** The newest metadata: from the log of changes where that suffices, else everything again. Throws ClientError. */
  async catchUp(): Promise<LiveMetadata> {
    const before = this.#reading
    this.#stale = false
    const known = before && (await before.catch(() => null))
    return this.#keep(known ? this.#changedSince(known) : this.#readLive())
  }

  async #changedSince(known: LiveMetadata): Promise<LiveMetadata> {
    if (known.catalogId === null) return this.#readLive()
    const log = await readChanges(this.#client, known.resourceVersion, known.catalogId)
    const document = log.complete ? applyLogged(known.document, log.changes) : null
    if (!log.complete || !document) return this.#readLive()
    return { ...known, document, resourceVersion: log.resourceVersion }
  }

  #keep(reading: Promise<LiveMetadata>): Promise<LiveMetadata> {
    this.#reading = reading
    reading.catch(() => {
      if (this.#reading === reading) this.#reading = null
    })
    return reading
  }
}
