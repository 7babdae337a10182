import type { Connection } from './client-pool.ts'
import type { Prepared } from './value-queue.ts'
import type { SourceClient } from './wire.ts'

/** The statement was cancelled: `cause` is the signal's reason. A late cancel may still hit what runs next on its connection. */
export class Interrupted extends Error {}

/**
 * Runs a statement that gives one value, on a connection of its own. When `signal` aborts, the server is asked to cancel
 * it until it ends; Interrupted tells that the connection must not be used again.
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
    cancelled = cancelUntil(value, client)
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

/** Once is not enough: a server that has not begun with the statement forgets the request, and so may a pooler. */
async function cancelUntil(value: Promise<unknown>, client: SourceClient): Promise<void> {
  const over = value.then(
    () => true,
    () => true,
  )
  for (let isOver = false; !isOver; ) {
    await client.cancel()
    let timer: NodeJS.Timeout | undefined
    const later = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ASK_AGAIN)
    })
    isOver = await Promise.race([over, later])
    clearTimeout(timer)
  }
}

/** Milliseconds until a statement that still runs is to be cancelled again. */
const ASK_AGAIN = 1000
