/**
 * Runs one piece of work at a time, in the order of the calls: metadata requests of a process
 * (reference/metadata-requests#versions).
 */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => {})
    return mine
  }
}
