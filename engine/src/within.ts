/** What the work results in, or `late` where that takes longer. Rejects as the work does. */
export async function within<Result>(milliseconds: number, work: Promise<Result>, late: Result): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<Result>((resolve) => {
    timer = setTimeout(() => resolve(late), milliseconds)
  })
  try {
    return await Promise.race([work, enough])
  } finally {
    clearTimeout(timer)
  }
}

/** Settles as `asked` does, unless the signal aborts before: rejects with its reason then. */
export function untilAborted<Result>(signal: AbortSignal, asked: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    asked.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
