import { type Planning, PlanningChoice } from './planning-choice.ts'

/**
 * What a plan costs as measured: whether it is small enough for a shared connection, and how it is best planned. It is
 * moved there when the fastest of a few runs on its own connection was small, and back when it delayed the others for
 * too long; each time it takes more runs to get back.
 */
export class PlanCost {
  readonly planning: PlanningChoice
  readonly #mayRepeat: boolean
  #small = false
  /** The least milliseconds of the runs since the last decision. */
  #least = Number.POSITIVE_INFINITY
  #measured = 0
  #needed = 3
  /** The least milliseconds of a run, beyond a round trip. */
  #fastest = Number.POSITIVE_INFINITY
  /** Moving average of the milliseconds of runs in the lane. */
  #average = 0
  /** Milliseconds for which three of four runs use the lane at least, where others wait behind them. */
  #usual = 0
  /** Grows each time that it turned out to be small after all: then a busy machine was at fault. */
  #tolerance = 1
  #expelled = false

  /** `mayRepeat`: a run has no effects, so that it may be run only to be measured, and in a lane. */
  constructor(hasParameters: boolean, mayRepeat: boolean) {
    this.planning = new PlanningChoice(hasParameters, mayRepeat)
    this.#mayRepeat = mayRepeat
  }

  /** Whether it is small enough for a lane, where statements wait behind it. */
  get small(): boolean {
    return this.#small
  }

  /**
   * Whether a small one keeps the database busy for longer than this process, so that a second backend gains more than
   * is lost where fewer statements travel together.
   */
  get heavy(): boolean {
    return this.#usual > LIGHT
  }

  /** The least milliseconds that it ever ran for, alone on its connection and beyond a round trip. */
  get fastest(): number {
    return this.#fastest
  }

  /** Records a run on a connection of its own, in milliseconds beyond a round trip. */
  ranAlone(milliseconds: number): void {
    // on a busy machine the other runs were mostly waiting
    this.#least = Math.min(this.#least, milliseconds)
    this.#fastest = Math.min(this.#fastest, milliseconds)
    this.#measured += 1
    if (this.#measured < this.#needed) return
    if (this.#mayRepeat && this.#least <= SMALL) {
      if (this.#expelled) this.#tolerance = Math.min(this.#tolerance * 2, MOST_TOLERANCE)
      this.#small = true
      this.#expelled = false
      this.#average = this.#least
      this.#usual = Math.max(this.#least, LEAST)
    }
    this.#least = Number.POSITIVE_INFINITY
    this.#measured = 0
  }

  /** Records a run in the lane: the milliseconds that it occupied it, and how many statements wait behind it. */
  ranInLane(milliseconds: number, way: Planning = 'prepared', behind = 0): void {
    this.planning.took(way, milliseconds)
    // answers that this process is too slow for come several at once, the later ones after no time: three of four fall short
    if (behind > 1) this.#usual = Math.max(this.#usual * (milliseconds < this.#usual ? DOWN : UP), LEAST)
    // sent before it was found slow
    if (!this.#small) return
    // one late answer may be this process's own pause, so it only counts for so much
    const tolerable = TOLERABLE * this.#tolerance
    this.#average += (Math.min(milliseconds, 4 * tolerable) - this.#average) / 8
    if (this.#average <= tolerable) return
    this.#expelled = true
    this.#leave(2)
  }

  /** Records that statements waited behind it for so long that they were sent elsewhere. */
  stalled(): void {
    if (this.#small) this.#leave(4)
  }

  #leave(times: number): void {
    this.#small = false
    this.#needed = Math.min(this.#needed * times, MOST_NEEDED)
  }
}

/**
 * Milliseconds. A lane is one core of the database: on 2 cores reads by key (0.03 ms) run at 2.2 to 3.6 times what a
 * pool of 10 does, what takes 0.4 ms at 0.6.
 */
const SMALL = 0.15
const TOLERABLE = 1
/** Milliseconds: lists of 100 rows (0.14) run at 1.2 times over two lanes, reads by key at 0.8. */
const LIGHT = 0.06
const LEAST = 0.005
/** As much down as three times up, so that it remains where one of four falls short. */
const DOWN = 0.94
const UP = 1.02
const MOST_TOLERANCE = 8
const MOST_NEEDED = 1000
