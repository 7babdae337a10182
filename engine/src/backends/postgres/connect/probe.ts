import pg from 'pg'
import type { Replication } from '../../backend.ts'
import { isConnectionError } from './from-sql-state.ts'
import { endClient, type OpenClient, runScript } from './open-client.ts'
import type { SourceClient } from './wire.ts'

const REPLICATION = `SELECT current_setting('server_version_num'), pg_is_in_recovery(),
  CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END - '0/0'::pg_lsn,
  CASE WHEN pg_is_in_recovery()
    THEN 1000 * extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) END`

/** What speaks PostgreSQL's protocol and has no log of its kind. */
const VERSION = `SELECT current_setting('server_version_num'), false, null, null`

/**
 * Asks a database about itself over a connection of its own, which it keeps: a pool whose connections are all in use is no
 * database that is away.
 */
export class Probe {
  readonly #open: () => Promise<OpenClient>
  #client: SourceClient | null = null
  #closed = false

  constructor(open: () => Promise<OpenClient>) {
    this.#open = open
  }

  /** Rejects with what pg or the network said, or the reason of `signal`. */
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
    return this.#ask(await this.#connect(signal), signal, understands)
  }

  async #ask(client: SourceClient, signal: AbortSignal, understands: string | undefined): Promise<Replication> {
    const ask = (script: string) => destroyedBy(signal, client, runScript(client, script))
    try {
      // one script: a pooler in between may have another server answer the next one
      if (understands) await ask(`PREPARE svc_probe AS ${understands}; DEALLOCATE svc_probe`)
      const { rows } = await ask(REPLICATION).catch((error: unknown) => {
        if (error instanceof pg.DatabaseError && error.code?.startsWith('42')) return ask(VERSION)
        throw error
      })
      return replicationOf(rows.at(-1) ?? [])
    } finally {
      if (signal.aborted || client.lost || this.#client || this.#closed) void endClient(client)
      else this.#client = client
    }
  }

  /** Runs a script on a new connection: that it can be made is a part of what is asked. */
  async check(script: string, signal: AbortSignal): Promise<void> {
    const client = await this.#connect(signal)
    try {
      await destroyedBy(signal, client, runScript(client, script))
    } finally {
      void endClient(client)
    }
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
      return await until(signal, opening)
    } catch (error) {
      // it may come later than anybody waits
      opening.then(endClient, () => {})
      throw error
    }
  }
}

const replicationOf = ([version, inRecovery, position, age]: readonly (string | null)[]): Replication => ({
  serverVersion: Number(version),
  inRecovery: inRecovery === 't',
  position: position ? BigInt(position) : null,
  age: age ? Math.max(0, Number(age)) : null,
})

async function destroyedBy<Result>(signal: AbortSignal, client: SourceClient, asked: Promise<Result>): Promise<Result> {
  try {
    return await until(signal, asked)
  } catch (error) {
    if (signal.aborted) client.destroy()
    throw error
  }
}

/** What `asked` gives, unless the signal aborts before. */
function until<Result>(signal: AbortSignal, asked: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    asked.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
