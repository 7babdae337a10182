import { type Planning, PlanningChoice } from './planning-choice.ts'

/** What a plan costs as measured: whether it is small enough for the pipelined lane, and how it is best planned. */
export class PlanCost {
  readonly planning: PlanningChoice
  #small = false
  /** Of the runs since the last decision. */
  #least = Number.POSITIVE_INFINITY
  #measured = 0
  #needed = 3
  /** Milliseconds beyond a round trip. */
  #fastest = Number.POSITIVE_INFINITY
  /** In the lane. */
  #average = 0
  #expelled = false
  /** Grows each time that the lane was left without need. */
  #tolerance = 1
  #sinceProbe = 0
  /** Runs between two probes. */
  #patience = 8
  /** Milliseconds by the database's own measure, of what is in the lane, and what it measured before. */
  #weight = 0
  #weighedBefore = 0
  /** Runs in the lane until it is weighed next. */
  #untilWeighed: number
  #weighings = 0
  /** The last run in the lane was short: with its parameters it may be run again. */
  #wasShort = false

  /** Without `mayRepeat` a run has effects: it is never run to be measured. */
  constructor(hasParameters: boolean, mayRepeat: boolean) {
    this.planning = new PlanningChoice(hasParameters, mayRepeat)
    this.#untilWeighed = mayRepeat ? FIRST_WEIGHING : Number.POSITIVE_INFINITY
  }

  /** Of the small ones: it keeps the database busy for longer than it does this process, and gains from a second backend. */
  get heavy(): boolean {
    // a busy machine makes it seem heavier, never lighter
    return Math.min(this.#weight, this.#weighedBefore) > LIGHT
  }

  /** It is run often in the lane: have the run that ended last measured, by `weighing` and `weighed`. */
  get unweighed(): boolean {
    return this.#wasShort && this.#untilWeighed <= 0
  }

  /** It is about to be: no need to ask for it again. */
  weighing(): void {
    this.#weighings += 1
    this.#untilWeighed = FIRST_WEIGHING * Math.min(4 ** this.#weighings, RARELY)
  }

  /** The database took so many milliseconds; not a number: it could not tell. */
  weighed(milliseconds: number): void {
    if (Number.isNaN(milliseconds)) return
    this.#weighedBefore = this.#weight
    this.#weight = milliseconds
  }

  /** Everybody waits behind it in the lane, so it has to be small. */
  get small(): boolean {
    return this.#small
  }

  /** The least milliseconds that it ever ran for, alone on its connection and beyond a round trip. */
  get fastest(): number {
    return this.#fastest
  }

  /** It is run often and seemed not small, which may be the fault of a busy machine: have it measured by `probed`. */
  get doubtful(): boolean {
    return this.#sinceProbe >= this.#patience
  }

  /** The database took so many milliseconds; not a number: it could not tell. */
  probed(milliseconds: number): void {
    this.#sinceProbe = 0
    this.#patience = Math.min(this.#patience * 2, 4096)
    if (milliseconds > SMALL || Number.isNaN(milliseconds)) return
    if (this.#expelled) this.#tolerance = Math.min(this.#tolerance * 2, MOST_TOLERANCE)
    this.#become(milliseconds)
  }

  /** It ran alone on its connection for so many milliseconds beyond a round trip. */
  ranAlone(milliseconds: number): void {
    // on a busy machine the other runs were mostly waiting
    this.#least = Math.min(this.#least, milliseconds)
    this.#fastest = Math.min(this.#fastest, milliseconds)
    this.#measured += 1
    if (milliseconds < HOPELESS) this.#sinceProbe += 1
    if (this.#measured < this.#needed) return
    if (this.#least <= SMALL) this.#become(this.#least)
    this.#least = Number.POSITIVE_INFINITY
    this.#measured = 0
  }

  /** It ran in the lane, and kept it for so long. */
  ranInLane(milliseconds: number, way: Planning = 'prepared'): void {
    this.planning.took(way, milliseconds)
    this.#untilWeighed -= 1
    this.#wasShort = milliseconds <= TOLERABLE
    // sent before it was found slow
    if (!this.#small) return
    // one late answer may be this process's own pause, so it only counts for so much
    const tolerable = TOLERABLE * this.#tolerance
    this.#average += (Math.min(milliseconds, 4 * tolerable) - this.#average) / 8
    if (this.#average <= tolerable && milliseconds < INTOLERABLE * this.#tolerance) return
    this.#small = false
    this.#needed = Math.min(this.#needed * 2, 1000)
    // whether it was the plan's fault or a busy machine's, the database says at the next run
    this.#expelled = true
    this.#sinceProbe = this.#patience
  }

  #become(average: number): void {
    this.#small = true
    this.#expelled = false
    this.#average = average
    this.#sinceProbe = 0
  }
}

/**
 * Milliseconds. A lane is one core of the database: on 2 cores reads by key (0.03 ms) run at 2.2 to 3.6 times what a pool
 * of 10 does, what takes 0.4 ms at 0.6.
 */
const SMALL = 0.15
const TOLERABLE = 1
/**
 * Milliseconds. This process takes as long for a small statement. Lighter ones lose by a second backend, since fewer travel
 * together: reads by key are a fifth slower over two. Heavier ones fill one: lists of 100 rows (0.14 ms) run at 1.2 times
 * over two, and no better over three.
 */
const LIGHT = 0.06
const FIRST_WEIGHING = 64
const RARELY = 256
const MOST_TOLERANCE = 8
/** No load makes that of a small one, and measuring it would cost as much. */
const HOPELESS = 200
const INTOLERABLE = 50
