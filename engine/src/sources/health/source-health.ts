import { setTimeout as pause } from 'node:timers/promises'
import { equalJson, type HealthCheck } from '@svc/schema'
import type { SourceConnection } from '../../backends/index.ts'
import { ApiError } from '../../errors.ts'
import type { Observation } from '../../observe/index.ts'
import type { SourceState } from '../source-state.ts'

/** How a source answered its health check last (reference/http#health). */
export interface HealthStatus {
  readonly status: 'OK' | 'TIMEOUT' | 'ERROR' | 'FAILED'
  /** Of `ERROR` what the database or the network said, of `FAILED` why it could not be checked. */
  readonly error: null | string | { readonly message: string; readonly extra: unknown }
  readonly timestamp: string
}

/** A source whose metadata wants checks. */
export interface CheckedSource {
  readonly state: SourceState
  readonly check: HealthCheck
}

interface Watch {
  readonly stop: AbortController
  readonly check: HealthCheck
  state: SourceState
  latest: HealthStatus | null
}

/**
 * Runs the health checks of sources at their intervals, each on a connection of its own and one at a time a source. One that
 * fails is tried again `retries` times, `retry_interval` seconds apart, before the source counts as unhealthy.
 */
export class SourceHealth {
  readonly #report: (observation: Observation) => void
  readonly #watches = new Map<string, Watch>()

  constructor(report: (observation: Observation) => void) {
    this.#report = report
  }

  /** The sources of the metadata that is served from now on. */
  follow(sources: readonly CheckedSource[]): void {
    const wanted = new Map(sources.map((source) => [source.state.name, source]))
    for (const [name, watch] of this.#watches) {
      const { check, state } = wanted.get(name) ?? {}
      // what another database answered, or a configuration that could not be read, says nothing of this one
      if (equalJson(check, watch.check) && state && isSameSource(state, watch.state)) continue
      watch.stop.abort()
      this.#watches.delete(name)
    }
    for (const [name, { state, check }] of wanted) {
      const known = this.#watches.get(name)
      if (known) {
        known.state = state
        continue
      }
      const watch: Watch = { stop: new AbortController(), check, state, latest: null }
      this.#watches.set(name, watch)
      void this.#run(watch)
    }
  }

  /** By source; those that were not checked yet are left out. */
  statuses(): Readonly<Record<string, HealthStatus>> {
    const found = [...this.#watches].flatMap(([name, { latest }]) => (latest ? [[name, latest] as const] : []))
    return Object.fromEntries(found)
  }

  close(): void {
    for (const { stop } of this.#watches.values()) stop.abort()
    this.#watches.clear()
  }

  async #run(watch: Watch): Promise<void> {
    const { signal } = watch.stop
    for (let failures = 0; !signal.aborted; ) {
      const { check, state } = watch
      const started = performance.now()
      const status = await statusOf(state, check, signal)
      if (signal.aborted) return
      const isWell = status.status === 'OK'
      failures = isWell ? 0 : failures + 1
      const isFinal = isWell || failures > check.retries
      const attempt = { source: state.name, ...status, attempt: isWell ? 1 : failures, isFinal }
      if (isFinal) {
        watch.latest = status
        failures = 0
      }
      this.#report({ kind: 'health-checked', ...attempt, milliseconds: performance.now() - started })
      const milliseconds = isFinal ? pauseAfterCheck(check) : pauseAfterFailure(check)
      await pause(milliseconds, undefined, { signal, ref: false }).catch(() => {})
    }
  }
}

/**
 * A source that is lost or found again is checked at its interval; one that could not be checked is checked once it can
 * be.
 */
function isSameSource(now: SourceState, before: SourceState): boolean {
  const couldBeAsked = before.status === 'ready' || before.message !== undefined || now.status !== 'ready'
  return couldBeAsked && equalJson(now.configuration, before.configuration)
}

/** Never rejects. */
async function statusOf(state: SourceState, check: HealthCheck, signal: AbortSignal): Promise<HealthStatus> {
  const answered = (status: HealthStatus['status'], error: HealthStatus['error'] = null): HealthStatus => ({
    status,
    error,
    timestamp: new Date().toISOString(),
  })
  if (state.status === 'unavailable')
    return state.message === undefined
      ? answered('FAILED', state.reason)
      : answered('ERROR', { message: 'connection error', extra: state.message })
  const { connection } = state
  if (!connection.check) return answered('FAILED', `${state.backend.kind} sources have no health checks`)
  const sql = check.test?.sql ?? 'SELECT 1'
  try {
    await within(connection.check.bind(connection), sql, check.timeout * 1000, signal)
    return answered('OK')
  } catch (error) {
    if (error instanceof Late) return answered('TIMEOUT')
    const { message, internal: extra = null } = error instanceof ApiError ? error : { message: String(error) }
    return answered('ERROR', { message, extra })
  }
}

class Late extends Error {}

async function within(
  run: NonNullable<SourceConnection['check']>,
  sql: string,
  milliseconds: number,
  signal: AbortSignal,
) {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Late()), Math.min(MOST, milliseconds)).unref()
  try {
    const limit = Math.min(MOST, Math.max(0, milliseconds) + ENDED_WITHIN)
    await run(sql, limit, AbortSignal.any([signal, late.signal]))
  } finally {
    clearTimeout(timer)
  }
}

/** Milliseconds until the next check; one of 0 s must not keep a database busy. */
export const pauseAfterCheck = ({ interval }: Pick<HealthCheck, 'interval'>): number => bounded(1000, interval)

/** Milliseconds until one that failed is tried again. */
export const pauseAfterFailure = ({ retry_interval: interval }: Pick<HealthCheck, 'retry_interval'>): number =>
  bounded(100, interval)

const bounded = (least: number, seconds: number) => Math.min(MOST, Math.max(least, seconds * 1000))

/** What a timer can wait for, in milliseconds: it would end at once beyond. */
const MOST = 2 ** 31 - 1
/** Milliseconds after which the database ends a statement that the engine no longer waits for. */
const ENDED_WITHIN = 1000
