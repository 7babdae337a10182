import type { Backend, Replication, SourceConnection } from '../../backends/index.ts'
import type { PrimaryPositions } from './primary-positions.ts'
import { type Replica, reasonOf, replicationOf } from './replica.ts'
import { whyNoCopy } from './why-no-copy.ts'

export interface ReplicaLimits {
  /** Milliseconds between two reads of a replica. */
  readonly checkInterval: number
  /** Milliseconds that a replica may be behind; 0: any. */
  readonly maxLag: number
}

/** What is watched: replicas of one source. */
export interface Watched {
  readonly backend: Backend
  readonly primary: SourceConnection
  /** Of the source itself, as it was introspected. */
  readonly serverVersion: number
  readonly replicas: readonly Replica[]
}

/** Reads the replicas of a source periodically: which may be used, and which are left out. */
export class ReplicaMonitor {
  readonly #watched: Watched
  readonly #limits: ReplicaLimits
  readonly #positions: PrimaryPositions
  readonly #stop = new AbortController()
  readonly #reading = new Set<Replica>()
  /** They are read once before anything else is sent to them. */
  readonly #seen = new Set<Replica>()
  #asking: Promise<Replication | null> | null = null
  /** What the source says of itself; null while it does not answer. */
  #own: Replication | null = null
  /** What it said last. */
  #known: Replication | null = null
  readonly #timer: NodeJS.Timeout

  constructor(watched: Watched, positions: PrimaryPositions, limits: ReplicaLimits) {
    this.#watched = watched
    this.#positions = positions
    this.#limits = limits
    this.#timer = setInterval(() => this.#readAll(), limits.checkInterval)
    this.#timer.unref()
    this.#readAll()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#stop.abort(new Error('the source is not served any more'))
  }

  #readAll(): void {
    void this.#askPrimary()
    for (const replica of this.#watched.replicas) {
      const { state } = replica
      if (this.#reading.has(replica)) continue
      if (state.kind === 'left-out' && performance.now() < state.notBefore) continue
      this.#reading.add(replica)
      void this.#check(replica).finally(() => this.#reading.delete(replica))
    }
  }

  /** Returns what the source says of itself, or null where it does not answer. Concurrent calls get the same answer. */
  #askPrimary(): Promise<Replication | null> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  /** A source that is unavailable is no reason to leave its replicas out: they have what it had. */
  async #ask(): Promise<Replication | null> {
    const at = performance.now()
    const { signal, release } = this.#within()
    try {
      const own = await replicationOf(this.#watched.primary, signal)
      if (own.position !== null) this.#positions.add(at, own.position, 2 * this.#limits.maxLag)
      this.#own = own
      this.#known = own
      return own
    } catch {
      // the next request to the source gets the error
      this.#own = null
      return null
    } finally {
      release()
    }
  }

  /** Never rejects. */
  async #check(replica: Replica): Promise<void> {
    const { signal, release } = this.#within()
    try {
      const copy = await replica.replication(signal)
      const reason = await this.#whyNoCopy(copy)
      if (this.#stop.signal.aborted) return
      if (reason !== null) {
        this.#leaveOut(replica, 'differs', reason)
        return
      }
      const { inRecovery, position, age } = copy
      const lag = inRecovery && position !== null ? this.#positions.lag(position, age, performance.now()) : 0
      if (this.#isBehind(replica, lag)) {
        // all that is known at the first read is when the source was last written to
        if (replica.state.kind === 'unknown' && !this.#seen.has(replica)) this.#seen.add(replica)
        else replica.leaveOut('lagging', `it is ${Math.round(lag)} ms behind, and may be ${this.#limits.maxLag}`)
      } else replica.found(lag)
    } catch (error) {
      if (this.#stop.signal.aborted) return
      const differs = this.#watched.backend.failures.ofRead(error) === 'differs'
      const { state } = replica
      const statement = state.kind === 'left-out' ? state.statement : null
      this.#leaveOut(replica, differs ? 'differs' : 'unreachable', reasonOf(error), statement)
    } finally {
      release()
    }
  }

  /** The source is read again where it could have changed since it answered: written to, restarted, replaced. */
  async #whyNoCopy(copy: Replication): Promise<string | null> {
    const own = this.#own ?? (await this.#asking)
    if (own && whyNoCopy(copy, own) === null) return null
    // an answer that is on its way may be older than the copy's
    if (own) await this.#asking
    const now = own && (await this.#askPrimary())
    if (now) return whyNoCopy(copy, now)
    const { serverVersion, system } = this.#known ?? { serverVersion: this.#watched.serverVersion, system: null }
    return whyNoCopy(copy, { ...silent, serverVersion, system })
  }

  /** One that was left out is used again only once its lag is half of the limit: else it would alternate. */
  #isBehind({ state }: Replica, lag: number): boolean {
    const { maxLag } = this.#limits
    if (maxLag === 0) return false
    const wasBehind = state.kind === 'left-out' && state.reason === 'lagging'
    return lag > (wasBehind ? maxLag / 2 : maxLag)
  }

  #leaveOut(replica: Replica, reason: 'unreachable' | 'differs', message: string, statement: string | null = null) {
    const { state } = replica
    const attempt = state.kind === 'left-out' ? state.attempt : 0
    replica.leaveOut(reason, message, { statement, pause: pauseAfter(attempt) })
  }

  #within(): { readonly signal: AbortSignal; release(): void } {
    const controller = new AbortController()
    const late = () => controller.abort(new Error(`it did not answer within ${ANSWERS_WITHIN} ms`))
    const timer = setTimeout(late, ANSWERS_WITHIN).unref()
    const stop = () => controller.abort(this.#stop.signal.reason)
    this.#stop.signal.addEventListener('abort', stop, { once: true })
    return {
      signal: controller.signal,
      release: () => {
        clearTimeout(timer)
        this.#stop.signal.removeEventListener('abort', stop)
      },
    }
  }
}

/** Of a source that does not answer: its copies may be promoted in its place. */
const silent = { inRecovery: null, position: null, age: null, timeline: null, started: null }

/** Milliseconds. */
const ANSWERS_WITHIN = 2000

/** Milliseconds until a replica is read that was left out so many times in a row: 0.5 s, doubling up to 30 s. */
const pauseAfter = (attempt: number): number => Math.min(30_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2)
