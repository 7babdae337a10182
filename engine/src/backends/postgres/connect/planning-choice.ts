/** A statement is kept prepared, or parsed and planned anew for each set of parameters. */
export type Planning = 'prepared' | 'anew'

/**
 * Which way suits a plan. From the sixth execution on PostgreSQL may plan a prepared statement without looking at its
 * parameters: on skewed data a list of 1.9 ms took 20 ms then. Planning it anew costs 0.3 ms for three levels, so that
 * pays for such plans only. Which are such is tried out: one run in 32 goes the other way, and is compared with the runs
 * just before it, since these were under the same load.
 */
export class PlanningChoice {
  readonly #hasChoice: boolean
  #preferred: Planning = 'prepared'
  #runs = 0
  /** Moving average of milliseconds of the last few runs the preferred way. */
  #recent = 0
  /** Moving average of how many times longer the other way takes, as logarithms. */
  #comparison = 0
  #comparisons = 0

  constructor(hasParameters: boolean) {
    this.#hasChoice = hasParameters
  }

  /** How the next run is to be planned. */
  next(): Planning {
    if (!this.#hasChoice) return 'prepared'
    this.#runs += 1
    return this.#runs % TRY_EVERY === 0 ? otherThan(this.#preferred) : this.#preferred
  }

  /** A run took so many milliseconds. */
  took(way: Planning, milliseconds: number): void {
    if (way === this.#preferred) {
      this.#recent += (milliseconds - this.#recent) / 4
      return
    }
    this.#comparisons += 1
    const ratio = Math.log(Math.max(milliseconds, SHORTEST) / Math.max(this.#recent, SHORTEST))
    this.#comparison += (ratio - this.#comparison) / Math.min(this.#comparisons, 16)
    if (this.#comparisons < ENOUGH || this.#comparison > CLEARLY_SHORTER) return
    this.#preferred = otherThan(this.#preferred)
    this.#recent = milliseconds
    this.#comparison = 0
    this.#comparisons = 0
  }
}

const otherThan = (way: Planning): Planning => (way === 'prepared' ? 'anew' : 'prepared')

const TRY_EVERY = 32
const ENOUGH = 12
/** Of one run to the same at another moment of a busy machine, the logarithm varies by 0.6. */
const CLEARLY_SHORTER = Math.log(0.6)
const SHORTEST = 0.01
