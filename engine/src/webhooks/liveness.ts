/** An instance that shares work with this one, and how often it was heard of. */
export interface Beat {
  readonly id: string
  readonly beats: string
}

/** Milliseconds between two beats of an instance. */
export const BEAT_INTERVAL = 2000
/** Milliseconds for which an instance may be silent: what it holds is free again 15 s after its end, at most. */
export const DEAD_AFTER = 10_000

/**
 * Tells dead instances from living ones by what this process sees itself, since clocks of machines differ: an instance is
 * dead when it was not heard of for a while in which the database answered all the time.
 */
export class Liveness {
  readonly #seen = new Map<string, { readonly beats: string; readonly since: number }>()

  /** Those that are dead at `now` (milliseconds of a clock that never jumps). */
  look(others: readonly Beat[], now: number): readonly Beat[] {
    const known = new Set(others.map(({ id }) => id))
    for (const id of this.#seen.keys()) if (!known.has(id)) this.#seen.delete(id)
    return others.filter(({ id, beats }) => {
      const seen = this.#seen.get(id)
      if (seen?.beats === beats) return now - seen.since >= DEAD_AFTER
      this.#seen.set(id, { beats, since: now })
      return false
    })
  }

  /** The database did not answer: others may have been as unlucky. */
  forget(): void {
    this.#seen.clear()
  }
}
