import type pg from 'pg'
import { errorReport, type Observer } from '../../observe/index.ts'
import type { CatalogueConnection } from './connection.ts'
import { askCatalogueState, type CatalogueState, readCatalogueState } from './load-document.ts'
import type { MetadataStore } from './metadata-store.ts'

type CatalogueChange = Parameters<Parameters<MetadataStore['subscribe']>[0]>[0]

interface ListenerOptions {
  readonly connection: CatalogueConnection
  readonly instance: string
  /** Milliseconds; 0: no polling. */
  readonly pollInterval: number
  readonly observer: Observer
  /** What this instance knows already, of which it is not notified. */
  readonly known: () => CatalogueState
  readonly onChange: (change: CatalogueChange) => void
}

/**
 * Milliseconds between reads over the connection that listens: notifications that were lost silently (a proxy, a
 * pooler) are found within 200 ms. An engine that does nothing else spends 0.5 % of a core on them, its database 0.2 %.
 */
const LISTENING_CHECK = 150
/** Milliseconds after which its answer is late: another connection is used. */
const ANSWERS_WITHIN = 30
/** Milliseconds after which it is opened again. */
const SILENT_FOR = 2000

/** Milliseconds between attempts to listen again, but for the first after a connection that lasted as long. */
const reconnectPause = 1000

/**
 * Follows what other instances did: by LISTEN on a connection of its own, which is opened again when it breaks, and by
 * polling, since notifications are lost with connections and do not pass every pooler.
 */
export class CatalogueListener {
  readonly #options: ListenerOptions
  #client: pg.Client | null = null
  #timers: NodeJS.Timeout[] = []
  #closed = false
  #retrying = false
  /** Over the connection that listens, not answered yet. */
  #asked: { readonly at: number; readonly answered: Promise<boolean> } | null = null
  #lost = false
  /** When the last attempt to listen began. */
  #attempted = Number.NEGATIVE_INFINITY
  #reloadsSeen: number

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#reloadsSeen = options.known().reloads
  }

  start(): void {
    void this.#listen()
    const { pollInterval } = this.#options
    if (pollInterval === 0) return
    this.#later(pollInterval, () => void this.#poll())
    if (pollInterval > LISTENING_CHECK) this.#later(LISTENING_CHECK, () => void this.#checkListening())
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#client?.end().catch(() => {})
  }

  /** This instance announced the reload of that number itself. */
  announced(reloads: number): void {
    if (reloads === this.#reloadsSeen + 1) this.#reloadsSeen = reloads
  }

  async #listen(): Promise<void> {
    this.#retrying = false
    this.#attempted = performance.now()
    try {
      const client = await this.#options.connection.connect()
      if (this.#closed) return void client.end().catch(() => {})
      this.#client = client
      client.on('notification', ({ payload }) => this.#notified(payload))
      client.once('end', () => {
        if (this.#client === client) this.#retry(new Error('the listening connection ended'))
      })
      await client.query('LISTEN svc_catalog')
      if (this.#lost) this.#options.observer.report({ kind: 'catalogue-back' })
      this.#lost = false
      // what was notified before LISTEN took effect
      await this.checkVersion()
    } catch (error) {
      this.#retry(error)
    }
  }

  #retry(error: unknown): void {
    if (this.#closed || this.#retrying) return
    this.#retrying = true
    void this.#client?.end().catch(() => {})
    this.#client = null
    this.#asked = null
    if (!this.#lost) this.#options.observer.report({ kind: 'catalogue-lost', error: errorReport(error) })
    this.#lost = true
    // what was notified meanwhile waits for this; a server that ends every connection is not called without pause
    const hasLasted = performance.now() - this.#attempted > reconnectPause
    this.#later(hasLasted ? 0 : reconnectPause, () => void this.#listen())
  }

  #later(milliseconds: number, act: () => void): void {
    if (this.#closed) return
    const timer = setTimeout(() => {
      this.#timers = this.#timers.filter((other) => other !== timer)
      act()
    }, milliseconds)
    this.#timers.push(timer)
  }

  async #poll(): Promise<void> {
    // the catalogue being down is reported by the connection that listens
    await this.checkVersion().catch(() => {})
    this.#later(this.#options.pollInterval, () => void this.#poll())
  }

  /** Finds what notifications did not bring; over another connection where the one that listens is slow to answer. */
  async #checkListening(): Promise<void> {
    const client = this.#client
    if (client) {
      this.#asked ??= { at: performance.now(), answered: this.#ask(client) }
      const { at, answered } = this.#asked
      const isAnswered = await Promise.race([
        answered,
        new Promise<false>((late) => setTimeout(late, ANSWERS_WITHIN, false)),
      ])
      if (!isAnswered && client === this.#client) {
        await this.checkVersion().catch(() => {})
        if (performance.now() - at > SILENT_FOR) this.#retry(new Error('the listening connection does not answer'))
      }
    }
    this.#later(LISTENING_CHECK, () => void this.#checkListening())
  }

  /** Whether the connection answered. */
  async #ask(client: pg.Client): Promise<boolean> {
    const state = await askCatalogueState(client).catch(() => null)
    if (client !== this.#client) return false
    this.#asked = null
    // its end is reported by itself
    if (state) this.#follow(state)
    return state !== null
  }

  /** Compares what is known with what is there. */
  async checkVersion(): Promise<void> {
    this.#follow(await readCatalogueState(this.#options.connection))
  }

  #follow(state: CatalogueState): void {
    if (this.#closed) return
    // first: what was reloaded may be what the new version names
    this.#compare(state)
    if (state.reloads > this.#reloadsSeen) this.#noteReload(state.reloads, 'all', 'all')
  }

  #compare(state: Pick<CatalogueState, 'resourceVersion' | 'catalogId'>): void {
    const known = this.#options.known()
    if (state.resourceVersion !== known.resourceVersion || state.catalogId !== known.catalogId)
      this.#options.onChange({ kind: 'version' })
  }

  #notified(payload: string | undefined): void {
    const note = readNote(payload)
    if (note?.instance === this.#options.instance) return
    if (note?.kind === 'version') this.#options.onChange({ kind: 'version' })
    else if (note?.kind === 'reload' && note.reloads === this.#reloadsSeen + 1)
      this.#noteReload(note.reloads, note.sources, note.remoteSchemas ?? [])
    // notifications were lost, or another client uses the channel
    else void this.checkVersion().catch(() => {})
  }

  #noteReload(reloads: number, sources: Names, remoteSchemas: Names): void {
    if (reloads <= this.#reloadsSeen) return
    this.#reloadsSeen = reloads
    this.#options.onChange({ kind: 'reload', sources, remoteSchemas })
  }
}

/** Any client that can connect may notify anything. */
function readNote(payload: string | undefined): Note | null {
  try {
    return JSON.parse(payload ?? '') as Note | null
  } catch {
    return null
  }
}

type Note =
  | { readonly instance: string; readonly kind: 'version' }
  | {
      readonly instance: string
      readonly kind: 'reload'
      readonly reloads: number
      readonly sources: Names
      /** Absent: it comes from an instance of an older version. */
      readonly remoteSchemas?: Names
    }

type Names = readonly string[] | 'all'
