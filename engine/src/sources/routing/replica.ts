import type { Backend, OpenablePool, Replication, SourceConnection } from '../../backends/index.ts'
import { SourceUnavailable } from '../../backends/index.ts'
import { ApiError } from '../../errors.ts'
import { type Observation, withoutPasswords } from '../../observe/index.ts'
import { observeConnection } from '../observe-connection.ts'

/** Why a replica is not used. */
export type LeftOutReason = 'unreachable' | 'lagging' | 'differs'

export type ReplicaState =
  /** It was not read yet. */
  | { readonly kind: 'unknown' }
  /** `lag` in milliseconds, as it was found last. */
  | { readonly kind: 'serving'; readonly lag: number }
  | {
      readonly kind: 'left-out'
      readonly reason: LeftOutReason
      readonly message: string
      /** A statement that it did not understand. */
      readonly statement: string | null
      readonly attempt: number
      /** By performance.now(): not read before. */
      readonly notBefore: number
    }

/** What is sent to one of the replicas of a source. */
export type AskReplica<Result> = (connection: SourceConnection, signal: AbortSignal) => Promise<Result>

/** One read replica: its connections, and whether it is used. */
export class Replica {
  readonly source: string
  readonly pool: OpenablePool
  readonly #backend: Backend
  readonly #report: (observation: Observation) => void
  #connection: SourceConnection
  #state: ReplicaState = { kind: 'unknown' }
  #life = new AbortController()
  /** Reads under way, to be sent elsewhere when it is lost. */
  readonly #reads = new Set<(reason: unknown) => void>()

  /** Throws SourceUnavailable where its settings cannot be read. */
  constructor(source: string, backend: Backend, pool: OpenablePool, report: (observation: Observation) => void) {
    this.source = source
    this.pool = pool
    this.#backend = backend
    this.#report = report
    this.#connection = openPool(pool, backend, report)
  }

  get state(): ReplicaState {
    return this.#state
  }

  get connection(): SourceConnection {
    return this.#connection
  }

  /** How busy it is: reads under way for each connection that it may have. */
  get load(): number {
    return this.#reads.size / this.pool.size
  }

  /** Rejects with SourceUnavailable as soon as the replica is known to be unavailable, whatever was sent. */
  async run<Result>(ask: AskReplica<Result>, signal: AbortSignal | undefined): Promise<Result> {
    const life = this.#life.signal
    let lose: (reason: unknown) => void = () => {}
    const lost = new Promise<never>((_resolve, reject) => {
      lose = reject
    })
    this.#reads.add(lose)
    try {
      const asked = ask(this.#connection, signal ? AbortSignal.any([signal, life]) : life)
      return await Promise.race([asked, lost])
    } finally {
      this.#reads.delete(lose)
    }
  }

  /** Called when it has answered a read: it is used from now on. */
  found(lag: number): void {
    const before = this.#state
    this.#state = { kind: 'serving', lag }
    if (before.kind !== 'serving') this.#report({ kind: 'replica-serving', ...this.#named, lagMilliseconds: lag })
  }

  /** `statement`: what it did not understand; `pause`: milliseconds until it is read again. */
  leaveOut(
    reason: LeftOutReason,
    said: string,
    { statement = null, pause = 0 }: { readonly statement?: string | null; readonly pause?: number } = {},
  ): void {
    const before = this.#state
    const message = withoutPasswords(said)
    const attempt = before.kind === 'left-out' && before.reason === reason ? before.attempt + 1 : 1
    this.#state = { kind: 'left-out', reason, message, statement, attempt, notBefore: performance.now() + pause }
    if (before.kind !== 'left-out' || before.reason !== reason)
      this.#report({ kind: 'replica-left-out', ...this.#named, reason, message })
    if (reason === 'unreachable') this.#lose(message)
  }

  replication(signal: AbortSignal): Promise<Replication> {
    const { statement } = { statement: null, ...this.#state }
    return replicationOf(this.#connection, signal, statement ?? undefined)
  }

  /** Called when no source uses it any more: it is sent nothing until one does. */
  rest(): void {
    this.#state = { kind: 'unknown' }
    this.#connection.rest()
  }

  async close(): Promise<void> {
    await this.#connection.close()
  }

  get #named() {
    return { source: this.source, replica: this.pool.address }
  }

  /** What waits for it is sent elsewhere, and its connections, which may never end, are replaced. */
  #lose(message: string): void {
    const reason = new SourceUnavailable(message)
    const life = this.#life
    this.#life = new AbortController()
    const old = this.#connection
    this.#connection = openPool(this.pool, this.#backend, this.#report)
    for (const lose of this.#reads) lose(reason)
    life.abort(reason)
    void old.close()
  }
}

/** Opens a pool whose statements are reported. Throws SourceUnavailable where its settings cannot be read. */
export const openPool = (
  pool: OpenablePool,
  backend: Backend,
  report: (observation: Observation) => void,
): SourceConnection => observeConnection(pool.open(report), { source: pool.name, backend, report })

/** As `SourceConnection.replication`; a backend whose sources have replicas has that part. */
export async function replicationOf(
  connection: SourceConnection,
  signal: AbortSignal,
  understands?: string,
): Promise<Replication> {
  if (!connection.replication)
    throw new Error('the backend routes requests to replicas, and cannot say how far they are')
  return connection.replication(signal, understands)
}

/** Returns what the database or the network said: the reason why a replica is left out. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  if (typeof error.internal === 'string') return error.internal
  return error.cause instanceof Error ? error.cause.message : error.message
}
