import { equalJson, type HealthCheck } from '@svc/schema'
import type { SourceConnection } from '../../backends/index.ts'
import { ApiError } from '../../errors.ts'
import type { Observation } from '../../observe/index.ts'
import type { SourceState } from '../source-state.ts'

/** How a source answered its health check last (reference/http#health). */
export interface HealthStatus {
  readonly status: 'OK' | 'TIMEOUT' | 'ERROR' | 'FAILED'
  /** Of `ERROR` what the database or the network said, of `FAILED` why it could not be asked. */
  readonly error: null | string | { readonly message: string; readonly extra: unknown }
  readonly timestamp: string
}

/** A source whose metadata asks for checks. */
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
 * fails is tried again `retries` times, `retry_interval` seconds apart, before the source counts as unwell.
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
      const { check } = wanted.get(name) ?? {}
      if (equalJson(check, watch.check)) continue
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
      this.#report({ kind: 'health-checked', ...attempt, milliseconds: performance.now() - started })
      if (isFinal) {
        watch.latest = status
        failures = 0
      }
      await pause((isFinal ? check.interval : check.retry_interval) * 1000, signal)
    }
  }
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
  const sql = check.test?.sql ?? 'SELECT 1'
  try {
    await within(state.connection, sql, check.timeout * 1000, signal)
    return answered('OK')
  } catch (error) {
    if (error instanceof Late) return answered('TIMEOUT')
    const { message, internal: extra = null } = error instanceof ApiError ? error : { message: String(error) }
    return answered('ERROR', { message, extra })
  }
}

class Late extends Error {}

async function within(connection: SourceConnection, sql: string, milliseconds: number, signal: AbortSignal) {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Late()), milliseconds).unref()
  try {
    await connection.check(sql, AbortSignal.any([signal, late.signal]))
  } finally {
    clearTimeout(timer)
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.max(MIN_PAUSE, milliseconds)).unref()
    signal.addEventListener('abort', end)
  })
}

/** Milliseconds; an interval of 0 s must not keep a database busy. */
const MIN_PAUSE = 100
