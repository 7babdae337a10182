import type { Connection } from './client-pool.ts'
import type { Prepared } from './value-queue.ts'

/** The statement was cancelled: `cause` is the signal's reason. A late cancel may still hit what runs next on its connection. */
export class Interrupted extends Error {}

/**
 * Runs a statement that gives one value, on a connection of its own. When `signal` aborts, the server is asked to cancel
 * it; the statement's end is waited for, and Interrupted tells that the connection must not be used again.
 */
export async function runValue(
  { client, names }: Connection,
  statement: Prepared,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const value = client.values.ask(statement, names)
  if (!signal) return await value
  let cancelled: Promise<void> | null = null
  const cancel = () => {
    cancelled = client.cancel()
  }
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel, { once: true })
  try {
    const result = await value
    if (cancelled === null) return result
  } catch (error) {
    if (cancelled === null) throw error
  } finally {
    signal.removeEventListener('abort', cancel)
    await cancelled
  }
  throw new Interrupted('cancelled', { cause: signal.reason })
}
