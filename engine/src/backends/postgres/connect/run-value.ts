import { SourceUnavailable } from '../../backend.ts'
import type { Row } from './batch.ts'
import { cancelUntil } from './cancel-until.ts'
import type { Connection } from './client-pool.ts'
import type { Prepared } from './value-queue.ts'

/** A statement was cancelled, for the reason `cause`. A late cancel may still hit what runs next on its connection. */
export class Interrupted extends Error {}

/**
 * Runs a statement that returns one value, on a connection of its own. When `signal` aborts, the server is requested to
 * cancel it until it ends; Interrupted says that the connection must not be used again.
 */
export function runValue(
  { client, names }: Connection,
  statement: Prepared,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const value = client.values.ask(statement, names)
  return signal ? interruptible(value, client, signal) : value
}

/** The same for one that returns rows. */
export function runRows(
  { client, names }: Connection,
  statement: Prepared,
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  const rows = client.values.askRows(statement, names)
  return signal ? interruptible(rows, client, signal) : rows
}

async function interruptible<Result>(
  asked: Promise<Result>,
  client: Connection['client'],
  signal: AbortSignal,
): Promise<Result> {
  let cancelled: Promise<void> | null = null
  const cancel = () => {
    // a server that is unavailable answers no cancel request
    if (signal.reason instanceof SourceUnavailable) client.destroy()
    cancelled = cancelUntil(asked, client)
  }
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel, { once: true })
  try {
    const result = await asked
    if (cancelled === null) return result
  } catch (error) {
    if (cancelled === null) throw error
  } finally {
    signal.removeEventListener('abort', cancel)
    await cancelled
  }
  throw new Interrupted('cancelled', { cause: signal.reason })
}
