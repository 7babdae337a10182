/** The position of a source's log at a time; `at` by performance.now(), before it was read. */
interface Sample {
  readonly at: number
  readonly position: bigint
}

/**
 * How far the log of a source has come, read again and again: by it the lag of a replica is measured with the clock of
 * this process. A clock on another machine may be wrong, and the age of the last transaction grows where no caller writes.
 */
export class PrimaryPositions {
  /** Rising. */
  #samples: readonly Sample[] = []

  /** `needed`: milliseconds for which older ones are used. */
  add(at: number, position: bigint, needed: number): void {
    const before = this.#samples.filter((sample) => sample.position <= position)
    const useful = before.filter((sample, i) => at - sample.at <= needed || i === before.length - 1)
    this.#samples = [...useful, { at, position }]
  }

  /**
   * Returns the milliseconds since what a replica has followed up to `position` was the newest; 0 where it had all of
   * it when the source was read last. `age` is what the replica itself says, for a time before the first read.
   */
  lag(position: bigint, age: number | null, now: number): number {
    const newest = this.#samples.at(-1)
    if (!newest || position >= newest.position) return 0
    const reached = this.#samples.findLast((sample) => sample.position <= position)
    const oldest = this.#samples[0]
    if (reached) return now - reached.at
    return Math.max(age ?? 0, oldest ? now - oldest.at : 0)
  }
}
