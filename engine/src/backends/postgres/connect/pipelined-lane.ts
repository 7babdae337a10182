import type { PlanCost } from './plan-cost.ts'
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
}

/**
 * One connection on which small statements follow each other without waiting for answers. It is opened when first wanted;
 * until then, and while it is lost or full, it takes nothing.
 */
export class PipelinedLane {
  readonly #options: LaneOptions
  #open: Open | null = null
  #opening = false
  #notBefore = 0
  #closed = false

  constructor(options: LaneOptions) {
    this.#options = options
  }

  /** The answer; null when the lane takes nothing now. `cost` is told for how long it kept the lane. */
  send(statement: Prepared, cost: PlanCost): Promise<Buffer> | null {
    const lane = this.#current()
    if (!lane || lane.outstanding >= MOST_OUTSTANDING) return null
    return this.#answer(lane, statement, cost)
  }

  /** Ends it when what was sent is answered. */
  async close(): Promise<void> {
    this.#closed = true
    const lane = this.#open
    this.#open = null
    await lane?.client.finish()
  }

  async #answer(lane: Open, statement: Prepared, cost: PlanCost): Promise<Buffer> {
    if (lane.outstanding === 0) lane.client.keepsProcess(true)
    lane.outstanding += 1
    const sent = performance.now()
    try {
      const value = await lane.client.values.ask(statement, lane.names)
      const now = performance.now()
      cost.ranInLane(now - Math.max(sent, lane.answered))
      lane.answered = now
      return value
    } finally {
      lane.outstanding -= 1
      if (lane.outstanding === 0) lane.client.keepsProcess(false)
      if (lane.names.lostElsewhere) this.#options.statementsLost()
    }
  }

  #current(): Open | null {
    const now = performance.now()
    if (this.#open && now > this.#open.expires) {
      const { client } = this.#open
      this.#open = null
      void client.finish()
    }
    if (!this.#open && !this.#opening && !this.#closed && now >= this.#notBefore) void this.#reopen()
    return this.#open
  }

  async #reopen(): Promise<void> {
    this.#opening = true
    try {
      const client = await this.#options.connect()
      if (this.#closed) return await client.end()
      const { lifetime } = this.#options
      const expires = lifetime === 0 ? Number.POSITIVE_INFINITY : performance.now() + lifetime * 1000
      const lane: Open = { client, names: new PreparedNames(), expires, outstanding: 0, answered: 0 }
      const lost = () => {
        if (this.#open === lane) this.#open = null
      }
      client.on('error', lost)
      client.on('end', lost)
      client.keepsProcess(false)
      this.#open = lane
    } catch {
      // whoever needs the database finds out on the pool
      this.#notBefore = performance.now() + PAUSE
    } finally {
      this.#opening = false
    }
  }
}

/** Beyond this one core of the database is busy for a while: others may help. */
const MOST_OUTSTANDING = 200
/** Milliseconds until it is tried again after a failure. */
const PAUSE = 1000
