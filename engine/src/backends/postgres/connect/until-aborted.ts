/** Settles as `asked` does, unless the signal aborts before: rejects with its reason then. */
export function untilAborted<Result>(signal: AbortSignal, asked: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    asked.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
