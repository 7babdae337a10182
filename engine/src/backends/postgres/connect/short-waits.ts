import { control, type Step } from './batch.ts'
import type { PreparedNames } from './prepared-names.ts'
import type { SourceClient } from './wire.ts'

/** A connection whose limits of time depend on how it is used. */
export interface Limited {
  readonly client: SourceClient
  readonly names: PreparedNames
  /** Whether its statements may wait for a short time only, since transactions shared it last. */
  hasShortWaits: boolean
  /** Whether it was lost or is to be ended, so that it is never used again. */
  over: boolean
}

/**
 * Milliseconds for which one statement of a shared connection waits for a lock, and takes in all, at most. The server
 * rolls it back then; it is sent again by itself. The session keeps these limits as long as transactions share it:
 * setting them in each cost as much as a small statement does.
 */
const SHORTEN: readonly Step[] = [
  control(
    "SELECT pg_catalog.set_config('lock_timeout', '20', false), pg_catalog.set_config('statement_timeout', '50', false)",
  ),
]
const RESTORE: readonly Step[] = [control('RESET lock_timeout'), control('RESET statement_timeout')]

/** Sends the short limits ahead of transactions that share the connection. */
export function shortenWaits(connection: Limited): void {
  if (!connection.hasShortWaits) send(connection, SHORTEN, true)
}

/** Sends what restores the session's own limits, ahead of statements that use the connection exclusively. */
export function restoreWaits(connection: Limited): void {
  if (connection.hasShortWaits) send(connection, RESTORE, false)
}

function send(connection: Limited, steps: readonly Step[], hasShortWaits: boolean): void {
  connection.hasShortWaits = hasShortWaits
  const { client, names } = connection
  // only the end of the connection prevents it
  client.values.askAll(steps, names).catch(() => {
    connection.over = true
  })
  client.values.flush()
}
