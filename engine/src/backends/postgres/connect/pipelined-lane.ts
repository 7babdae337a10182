import { endClient } from './open-client.ts'
import type { PlanCost } from './plan-cost.ts'
import { type Planning, planned } from './planning-choice.ts'
import { PreparedNames } from './prepared-names.ts'
import type { Prepared } from './value-queue.ts'
import type { SourceClient } from './wire.ts'

interface Open {
  readonly client: SourceClient
  readonly names: PreparedNames
  readonly expires: number
  outstanding: number
  /** When the last answer came. */
  answered: number
}

interface LaneOptions {
  readonly connect: () => Promise<SourceClient>
  /** Seconds; 0: for ever. */
  readonly lifetime: number
  /** Prepared statements were lost to somebody in between. */
  readonly statementsLost: () => void
  /** The statement that was just answered is to be looked into, on another connection. */
  readonly doubts: (statement: Prepared, cost: PlanCost) => void
}

/**
 * One connection on which small statements follow each other without waiting for answers. It is opened when first wanted;
 * until then, and while it is lost or full, it takes nothing.
 */
export class PipelinedLane {
  readonly #options: LaneOptions
  #open: Open | null = null
  #opening: Promise<void> | null = null
  /** Of the last one: two at once would be one more than the source may have. */
  #ended: Promise<void> = Promise.resolve()
  #notBefore = 0
  #closed = false

  constructor(options: LaneOptions) {
    this.#options = options
  }

  /** The answer; null when the lane takes nothing now. `cost` is told for how long it kept the lane. */
  send(statement: Prepared, cost: PlanCost): Promise<Buffer> | null {
    const lane = this.#current()
    if (!lane || lane.outstanding >= MOST_OUTSTANDING) return null
    return this.#answer(lane, statement, cost, cost.planning.nextSmall())
  }

  /** Statements that wait for their answers; infinitely many while it takes nothing. */
  get load(): number {
    return this.#current()?.outstanding ?? Number.POSITIVE_INFINITY
  }

  /** Ends it when what was sent is answered. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#opening
    if (this.#open) this.#leave(this.#open)
    await this.#ended
  }

  /** Nothing more is sent there; it ends when what was sent is answered. */
  #leave(lane: Open): void {
    if (this.#open === lane) this.#open = null
    this.#ended = lane.client.values.whenIdle().then(() => endClient(lane.client))
  }

  async #answer(lane: Open, statement: Prepared, cost: PlanCost, way: Planning): Promise<Buffer> {
    if (lane.outstanding === 0) lane.client.keepsProcess(true)
    lane.outstanding += 1
    const sent = performance.now()
    try {
      return await lane.client.values.ask(planned(statement, way), lane.names)
    } finally {
      // a statement that reached its time limit kept the others waiting too
      const now = performance.now()
      cost.ranInLane(now - Math.max(sent, lane.answered), way)
      if (cost.planning.suspicious || cost.unweighed) this.#options.doubts(statement, cost)
      lane.answered = now
      lane.outstanding -= 1
      if (lane.outstanding === 0) lane.client.keepsProcess(false)
      if (lane.names.lostElsewhere) this.#options.statementsLost()
    }
  }

  #current(): Open | null {
    const now = performance.now()
    if (this.#open && now > this.#open.expires) this.#leave(this.#open)
    if (!this.#open && !this.#opening && !this.#closed && now >= this.#notBefore)
      this.#opening = this.#reopen().finally(() => {
        this.#opening = null
      })
    return this.#open
  }

  /** Never rejects. */
  async #reopen(): Promise<void> {
    try {
      await this.#ended
      const client = await this.#options.connect()
      if (this.#closed) return await endClient(client)
      const { lifetime } = this.#options
      const expires = lifetime === 0 ? Number.POSITIVE_INFINITY : performance.now() + lifetime * 1000
      const lane: Open = { client, names: new PreparedNames(), expires, outstanding: 0, answered: 0 }
      const lost = () => {
        if (this.#open === lane) this.#leave(lane)
      }
      client.on('error', lost)
      client.on('end', lost)
      client.keepsProcess(false)
      this.#open = lane
      // while nobody listened yet
      if (client.lost) lost()
    } catch {
      // whoever needs the database finds out on the pool
      this.#notBefore = performance.now() + PAUSE
    }
  }
}

/** Beyond this one core of the database is busy for a while: others may help. */
const MOST_OUTSTANDING = 200
/** Milliseconds until it is tried again after a failure. */
const PAUSE = 1000
