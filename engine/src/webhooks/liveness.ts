/** An instance that shares work with this one, and how often it reported. */
export interface InstanceHeartbeat {
  readonly id: string
  readonly beats: string
  /** Milliseconds, by the clock of the database: since it reported, or since the database started. */
  readonly silent: number
}

/** Milliseconds between two beats of an instance. */
export const BEAT_INTERVAL = 2000
/** Milliseconds for which an instance may be silent: its events are released at most 15 s after its end. */
export const DEAD_AFTER = 10_000

/**
 * Milliseconds for which this process itself has to see the silence: after an outage the other instances recover as it
 * does.
 */
const WATCHED = 3500

/**
 * Distinguishes dead instances from living ones. Only the database's clock counts, since those of machines differ; and
 * an instance that considers another one dead must have watched it, with a database that answered all the time. A short
 * watch suffices, so that the dead are found where no instance lives long.
 */
export class Liveness {
  readonly #seen = new Map<string, { readonly beats: string; readonly since: number }>()

  /** Those that are dead at `now` (milliseconds of a clock that never jumps). */
  findDead(others: readonly InstanceHeartbeat[], now: number): readonly InstanceHeartbeat[] {
    const known = new Set(others.map(({ id }) => id))
    for (const id of this.#seen.keys()) if (!known.has(id)) this.#seen.delete(id)
    return others.filter(({ id, beats, silent }) => {
      const seen = this.#seen.get(id)
      if (seen?.beats === beats) return silent >= DEAD_AFTER && now - seen.since >= WATCHED
      this.#seen.set(id, { beats, since: now })
      return false
    })
  }

  /** The database did not answer: other instances may have had no answer either. */
  forget(): void {
    this.#seen.clear()
  }
}
