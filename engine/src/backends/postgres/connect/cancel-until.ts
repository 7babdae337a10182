import type { Connection } from './client-pool.ts'
import type { SourceClient } from './wire.ts'

/**
 * Sends requests to cancel what runs on a connection until `asked` is settled. One is not enough: a server that has not
 * begun with the statement forgets the request, and so may a pooler. Never rejects. The connection must not be used
 * again, since a late cancel may hit what runs next.
 */
export async function cancelUntil(asked: Promise<unknown>, client: SourceClient): Promise<void> {
  const over = asked.then(
    () => true,
    () => true,
  )
  let pause = FIRST_PAUSE
  for (let isOver = false; !isOver; ) {
    const taken = client.cancel()
    // a pooler may take the request only when the statement has ended
    isOver = await Promise.race([over, taken.then(() => false)])
    if (isOver) return
    let timer: NodeJS.Timeout | undefined
    const later = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), pause)
    })
    pause = Math.min(2 * pause, LONGEST_PAUSE)
    isOver = await Promise.race([over, later])
    clearTimeout(timer)
  }
}

/**
 * Settles as `asked` does, which is the only statement on its connection. When the signal aborts, it is cancelled until
 * it has settled, and the connection is not used again.
 */
export async function cancelledBy<Result>(
  signal: AbortSignal | undefined,
  connection: Connection,
  asked: Promise<Result>,
): Promise<Result> {
  if (!signal) return asked
  let cancelled: Promise<void> | null = null
  const cancel = () => {
    connection.over = true
    cancelled = cancelUntil(asked, connection.client)
  }
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel, { once: true })
  try {
    return await asked
  } finally {
    signal.removeEventListener('abort', cancel)
    await cancelled
  }
}

/** Milliseconds until a statement that still runs is to be cancelled again. The first request often comes before it began. */
const FIRST_PAUSE = 50
const LONGEST_PAUSE = 1000
