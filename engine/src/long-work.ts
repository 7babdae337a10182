/**
 * Work that may take longer than other requests should wait: a generator that yields wherever it may be interrupted,
 * with the units (values, kilobytes of text) it has done since it yielded last.
 */
export type LongWork<T> = Generator<number, T, void>

/** Does it at once, for callers who know that it is short. */
export function finish<T>(work: LongWork<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/**
 * Milliseconds that work holds the event loop at a stretch. A read next to it may wait for two: before it is taken and before it is
 * answered. A turn of the loop costs some 20 µs.
 */
const stretch = 1

/**
 * The pieces of one request's work share a stretch: `run` does a piece and yields to the event loop where it is used up. A short
 * piece is done at once, and its result is no promise, so that small requests wait for nothing.
 */
export class Stretches {
  readonly #milliseconds: number
  #until: number

  /** `milliseconds`: of a stretch, where no client has to be answered yet. */
  constructor(milliseconds: number = stretch) {
    this.#milliseconds = milliseconds
    this.#until = performance.now() + milliseconds
  }

  /** Whatever is left of the stretch: before a piece that is known to be long. */
  async yield(): Promise<void> {
    await nextTurn()
    this.#until = performance.now() + this.#milliseconds
  }

  run<T>(work: LongWork<T>): T | Promise<T> {
    while (performance.now() < this.#until) {
      const { done, value } = work.next()
      if (done) return value
    }
    return this.#continue(work)
  }

  async #continue<T>(work: LongWork<T>): Promise<T> {
    for (;;) {
      await this.yield()
      do {
        const { done, value } = work.next()
        if (done) return value
      } while (performance.now() < this.#until)
    }
  }
}

/** One stretch in each turn of the event loop, however many requests have work: those that wait take turns. */
const waiting: (() => void)[] = []

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(takeTurn)
  })
}

function takeTurn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(takeTurn)
}

/**
 * Short pieces of work of many clients, which arrive in any number at once (subscriptions that start, polls that are
 * due): `next` resolves when a piece may run. In each turn of the event loop as many run as fit into a stretch, in the
 * order of their calls. What a piece does before it waits for something else is measured, promises included.
 */
export class ShortWork {
  readonly #waiting: (() => void)[] = []
  #until = 0

  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(this.#begin)
    })
  }

  readonly #begin = (): void => {
    this.#until = performance.now() + stretch
    this.#run()
  }

  readonly #run = (): void => {
    this.#waiting[0]?.()
    // the tick follows all promises that the piece settles
    void Promise.resolve().then(() => process.nextTick(this.#done))
  }

  readonly #done = (): void => {
    this.#waiting.shift()
    if (this.#waiting.length === 0) return
    if (performance.now() < this.#until) this.#run()
    else setImmediate(this.#begin)
  }
}
