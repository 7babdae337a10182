import type { Prepared } from './value-queue.ts'

/** A statement remains prepared, or is parsed and planned again for each set of parameters. */
export type Planning = 'prepared' | 'fresh'

/**
 * Which way suits a plan. From the sixth execution on PostgreSQL may plan a prepared statement without reading its
 * parameters: on skewed data a list of 0.5 ms took 25 ms then. Planning it again costs 0.3 ms for three levels, so that
 * pays for such plans only. Two things show which are such. The sixth run, and one that is late for its plan, is done
 * again both ways with its own parameters: when it reads much less after a check of them, that decides. And one run in
 * 32 goes the other way, and is compared with the runs just before it, since these were under the same load.
 */
export class PlanningChoice {
  readonly #hasChoice: boolean
  readonly #mayRepeat: boolean
  #preferred: Planning = 'prepared'
  #runs = 0
  /** Moving average of milliseconds of the last few runs the preferred way. */
  #recent = 0
  /** Milliseconds that most prepared runs take at least: it follows them down at once, and up slowly. */
  #usual = 0
  /** Moving average of how many times longer the other way takes, as logarithms. */
  #comparison = 0
  #comparisons = 0
  #tryEvery = 32
  #suspicious = false
  #comparing = false
  /** How many times less is read after a check of the parameters, as logarithms to base 2, added up. */
  #proof = 0
  #prepared = 0
  /** Milliseconds of the run that is read. */
  #suspect = 0
  /** About the longest of those that were read for nothing. */
  #innocent = 0
  /** Late runs until the next is done again. */
  #lateLeft = 0
  #lateAllowed = 4

  /** `mayRepeat`: a run has no side effects, so that it may be done again to compare. */
  constructor(hasParameters: boolean, mayRepeat: boolean) {
    this.#hasChoice = hasParameters
    this.#mayRepeat = mayRepeat && hasParameters
  }

  /** Returns how the next run is to be planned where every µs counts: without trials of what is prepared. */
  nextSmall(): Planning {
    return this.#preferred === 'prepared' ? 'prepared' : this.next()
  }

  /** Returns how the next run is to be planned. */
  next(): Planning {
    if (!this.#hasChoice) return 'prepared'
    this.#runs += 1
    return this.#runs % this.#tryEvery === 0 ? otherThan(this.#preferred) : this.#preferred
  }

  /** Records the milliseconds of a run. */
  took(way: Planning, milliseconds: number): void {
    if (way === 'prepared') this.#tookPrepared(milliseconds)
    if (way === this.#preferred) {
      this.#recent += (milliseconds - this.#recent) / 4
      return
    }
    this.#comparisons += 1
    const ratio = Math.log(Math.max(milliseconds, SHORTEST) / Math.max(this.#recent, SHORTEST))
    this.#comparison += (ratio - this.#comparison) / Math.min(this.#comparisons, 16)
    if (this.#comparisons < ENOUGH || this.#comparison > CLEARLY_SHORTER) return
    this.#prefer(otherThan(this.#preferred))
    this.#recent = milliseconds
  }

  /** Whether the run that ended last, a prepared one, is to be done both ways. */
  get suspicious(): boolean {
    return this.#suspicious
  }

  /** Records that a comparison has begun, whose result is passed to `compared`. */
  comparing(): void {
    this.#suspicious = false
    this.#comparing = true
  }

  /** Records the blocks that a run has read, planned without its parameters and for them. Not a number: unknown. */
  compared(without: number, fresh: number): void {
    this.#comparing = false
    const proof = Math.log2((without + FEW_BLOCKS) / (fresh + FEW_BLOCKS))
    if (proof >= 1) {
      this.#proof += proof
      if (this.#proof < PROOF || this.#preferred === 'fresh') return
      this.#prefer('fresh')
      // whatever other parameters say: with these it must not happen often
      this.#tryEvery = Math.min(this.#tryEvery * 4, 4096)
      return
    }
    this.#proof /= 2
    this.#innocent = Math.max(this.#innocent, this.#suspect)
    this.#lateLeft = this.#lateAllowed
    this.#lateAllowed = Math.min(this.#lateAllowed * 2, 4096)
  }

  #tookPrepared(milliseconds: number): void {
    this.#suspicious = false
    if (!this.#mayRepeat || this.#comparing || this.#preferred === 'fresh') return
    const usual = this.#usual || milliseconds
    this.#usual = usual + (milliseconds - usual) / (milliseconds < usual ? 2 : 32)
    this.#prepared += 1
    const isLate = milliseconds > LATE * usual && milliseconds - usual > 1
    this.#suspicious =
      (isLate && milliseconds < TOO_LONG && this.#isStriking(milliseconds)) ||
      (this.#prepared === FIRST_LOOK && milliseconds < TOO_LONG / 10)
    if (this.#suspicious) this.#suspect = milliseconds
  }

  /** On a busy machine most late runs are late for nothing: then only later ones are read, or one in many. */
  #isStriking(milliseconds: number): boolean {
    this.#innocent -= this.#innocent / 64
    this.#lateLeft -= 1
    return this.#lateLeft < 0 || milliseconds > 1.5 * this.#innocent
  }

  #prefer(way: Planning): void {
    this.#preferred = way
    this.#comparison = 0
    this.#comparisons = 0
    this.#proof = 0
  }
}

/** Returns the statement as it is sent when it is planned that way. */
export const planned = (statement: Prepared, way: Planning): Prepared =>
  way === 'fresh' ? { ...statement, name: null } : statement

const otherThan = (way: Planning): Planning => (way === 'prepared' ? 'fresh' : 'prepared')

const ENOUGH = 12
/** Of one run to the same at another moment of a busy machine, the logarithm varies by 0.6. */
const CLEARLY_SHORTER = Math.log(0.6)
const SHORTEST = 0.01
/** It is unknown better before: PostgreSQL reads the parameters of the first five. */
const FIRST_LOOK = 6
/** A run is late that takes so many times as long as usual. */
const LATE = 3
/** Blocks more or less that make no difference. */
const FEW_BLOCKS = 20
/** Once an eighth, or thrice half as many. */
const PROOF = 3
/** Milliseconds: more than one answer may cost three times over. */
const TOO_LONG = 2000
