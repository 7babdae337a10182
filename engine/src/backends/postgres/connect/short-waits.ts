import { control, type Step } from './batch.ts'
import type { PreparedNames } from './prepared-names.ts'
import type { SourceClient } from './wire.ts'

/** A connection as far as it is about its limits of time. */
export interface Limited {
  readonly client: SourceClient
  readonly names: PreparedNames
  /** Its statements may wait for a short time only: it was shared last. */
  hasShortWaits: boolean
  /** It was lost, or is to be ended: never used again. */
  over: boolean
}

/**
 * Milliseconds for which one statement of a shared connection waits for a lock, and takes in all, at most. The server rolls
 * it back then; it is sent again by itself. The session keeps these limits as long as transactions share it: setting them in
 * each cost as much as a small statement does.
 */
const SHORTEN: readonly Step[] = [
  control(
    "SELECT pg_catalog.set_config('lock_timeout', '20', false), pg_catalog.set_config('statement_timeout', '50', false)",
  ),
]
const RESTORE: readonly Step[] = [control('RESET lock_timeout'), control('RESET statement_timeout')]

/** Transactions are to share it: limits go ahead of them. */
export function shortenWaits(connection: Limited): void {
  if (!connection.hasShortWaits) send(connection, SHORTEN, true)
}

/** It is to be used exclusively: the statements of the user follow those that restore the session's own limits. */
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
