/**
 * How many connections equal statements may have at a time: one that waits for a lock is sent again and again by its clients,
 * and would have all connections soon. Other statements still find one.
 */
export class StatementShares {
  readonly #most: number
  readonly #running = new Map<string, { count: number; readonly waiting: (() => void)[] }>()

  constructor(most: number) {
    this.#most = most
  }

  /** Runs `work` once the statement may have another connection. Rejects with the signal's reason while it waits. */
  async run<Result>(statement: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const own = this.#running.get(statement) ?? { count: 0, waiting: [] }
    this.#running.set(statement, own)
    if (own.count < this.#most) own.count += 1
    else await turn(own.waiting, signal)
    try {
      return await work()
    } finally {
      const next = own.waiting.shift()
      if (next) next()
      else {
        own.count -= 1
        if (own.count === 0) this.#running.delete(statement)
      }
    }
  }
}

function turn(waiting: (() => void)[], signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      const place = waiting.indexOf(go)
      if (place >= 0) waiting.splice(place, 1)
      reject(signal?.reason)
    }
    const go = () => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    waiting.push(go)
    signal?.addEventListener('abort', leave, { once: true })
  })
}
