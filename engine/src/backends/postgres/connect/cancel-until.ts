import type { SourceClient } from './wire.ts'

/**
 * Asks the server to cancel what runs on a connection until `asked` is settled. Once is not enough: a server that has not
 * begun with the statement forgets the request, and so may a pooler. Never rejects. The connection must not be used again,
 * since a late cancel may hit what runs next.
 */
export async function cancelUntil(asked: Promise<unknown>, client: SourceClient): Promise<void> {
  const over = asked.then(
    () => true,
    () => true,
  )
  for (let isOver = false; !isOver; ) {
    const taken = client.cancel()
    // a pooler may take the request only when the statement has ended
    isOver = await Promise.race([over, taken.then(() => false)])
    if (isOver) return
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
