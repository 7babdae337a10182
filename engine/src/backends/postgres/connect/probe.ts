import pg from 'pg'
import { untilAborted } from '../../../within.ts'
import type { Replication } from '../../backend.ts'
import { isConnectionError } from './from-sql-state.ts'
import { endClient, type OpenClient, runScript } from './open-client.ts'
import { runReadOnly } from './run-read-only.ts'
import type { SourceClient } from './wire.ts'

const REPLICATION = `current_setting('server_version_num'), pg_is_in_recovery(),
  CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END - '0/0'::pg_lsn,
  CASE WHEN pg_is_in_recovery()
    THEN 1000 * extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) END,
  (1000000 * extract(epoch FROM pg_postmaster_start_time()))::bigint`

/** The control file of a server in recovery has its timeline only once a restart point was made; the receiver knows at once. */
const IDENTITY = `(SELECT system_identifier FROM pg_control_system()),
  CASE WHEN pg_is_in_recovery()
    THEN greatest((SELECT timeline_id FROM pg_control_checkpoint()), (SELECT received_tli FROM pg_stat_wal_receiver))
    ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END`

/**
 * From what is wanted to what every server answers: a managed service may not let a user see the control file, and what
 * speaks PostgreSQL's protocol may have no log of its kind. What was refused is not requested again on that connection.
 */
const QUESTIONS = [
  `SELECT ${REPLICATION}, ${IDENTITY}`,
  `SELECT ${REPLICATION}, null, null`,
  `SELECT current_setting('server_version_num'), null, null, null, null, null, null`,
]

/**
 * Reads a database's state over a connection of its own, which remains open: a pool whose connections are all in use is
 * no database that is unavailable.
 */
export class Probe {
  readonly #open: () => Promise<OpenClient>
  #client: SourceClient | null = null
  /** The index in QUESTIONS of the first that was not refused on the last connection. */
  #question = 0
  #closed = false

  constructor(open: () => Promise<OpenClient>) {
    this.#open = open
  }

  /** Reads how far the database is. Rejects with the error of pg or the network, or the reason of `signal`. */
  async replication(signal: AbortSignal, understands?: string): Promise<Replication> {
    const kept = this.#client
    this.#client = null
    if (kept && !kept.lost) {
      try {
        return await this.#ask(kept, signal, understands)
      } catch (error) {
        // that the connection was cut meanwhile says nothing of the database
        if (signal.aborted || !isConnectionError(error)) throw error
      }
    }
    this.#question = 0
    return this.#ask(await this.#connect(signal), signal, understands)
  }

  async #ask(client: SourceClient, signal: AbortSignal, understands: string | undefined): Promise<Replication> {
    const ask = (script: string) => destroyedBy(signal, client, runScript(client, script))
    try {
      // one script: a pooler in between may have another server answer the next one
      if (understands) await ask(`PREPARE svc_probe AS ${understands}; DEALLOCATE svc_probe`)
      for (;;) {
        const question = QUESTIONS[this.#question] ?? ''
        try {
          return replicationOf((await ask(question)).rows.at(-1) ?? [])
        } catch (error) {
          if (!isRefused(error) || this.#question + 1 >= QUESTIONS.length) throw error
          this.#question += 1
        }
      }
    } finally {
      if (signal.aborted || client.lost || this.#client || this.#closed) void endClient(client)
      else this.#client = client
    }
  }

  /**
   * Runs a script that changes nothing on a new connection: that it can be opened is a part of the check. `limit`:
   * milliseconds after which the server ends a statement, since it does not notice when the engine no longer waits.
   */
  async check(script: string, limit: number, signal: AbortSignal): Promise<void> {
    const client = await this.#connect(signal)
    try {
      await destroyedBy(signal, client, runReadOnly(client, script, { statement_timeout: String(limit) }))
    } finally {
      void endClient(client)
    }
  }

  /** Ends the open connection. */
  rest(): void {
    if (this.#client) void endClient(this.#client)
    this.#client = null
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#client) await endClient(this.#client)
    this.#client = null
  }

  async #connect(signal: AbortSignal): Promise<SourceClient> {
    const opening = this.#open().then(({ client }) => {
      client.keepsProcess(false)
      client.on('error', () => {})
      return client
    })
    try {
      return await untilAborted(signal, opening)
    } catch (error) {
      // it may arrive when no request waits for it any more
      opening.then(endClient, () => {})
      throw error
    }
  }
}

const replicationOf = (row: readonly (string | null)[]): Replication => {
  const [version, inRecovery = null, position, age, started = null, system = null, timeline] = row
  return {
    serverVersion: Number(version),
    inRecovery: inRecovery === null ? null : inRecovery === 't',
    position: position ? BigInt(position) : null,
    age: age ? Math.max(0, Number(age)) : null,
    system,
    timeline: timeline ? Number(timeline) : null,
    started,
  }
}

/** Whether the server refused something that is missing, not allowed or not supported. */
const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['42', '0A'].includes(error.code?.slice(0, 2) ?? '')

async function destroyedBy<Result>(signal: AbortSignal, client: SourceClient, asked: Promise<Result>): Promise<Result> {
  try {
    return await untilAborted(signal, asked)
  } catch (error) {
    if (signal.aborted) client.destroy()
    throw error
  }
}
