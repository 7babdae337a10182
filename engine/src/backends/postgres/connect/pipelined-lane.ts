import { cancelUntil } from './cancel-until.ts'
import { endClient } from './open-client.ts'
import type { PlanCost } from './plan-cost.ts'
import { type Planning, planned } from './planning-choice.ts'
import { PreparedNames } from './prepared-names.ts'
import type { Prepared } from './value-queue.ts'
import type { SourceClient } from './wire.ts'

/** The statement, or one before it, occupied a shared connection for too long: it is to be sent again elsewhere. */
export class Stalled extends Error {}

interface Waiting {
  /** By `performance.now()`, as all times here. */
  readonly sent: number
  readonly cost: PlanCost
  readonly reject: (error: Stalled) => void
}

interface Open {
  readonly client: SourceClient
  readonly names: PreparedNames
  readonly expires: number
  /** In the order sent, which is that of the answers but for failures of a pooler's session. */
  readonly waiting: Waiting[]
  /** When the last answer came. */
  answered: number
}

interface LaneOptions {
  readonly connect: () => Promise<SourceClient>
  /** Seconds until the connection is replaced; 0: never. */
  readonly lifetime: number
  /** Called when a pooler in between has lost prepared statements. */
  readonly statementsLost: () => void
  /** Called with the statement just answered, where how it is planned is to be measured on another connection. */
  readonly doubts: (statement: Prepared, cost: PlanCost) => void
  /** Whether what runs on that connection waits for something; true where that is unknown. Never rejects. */
  readonly isBlocked: (client: SourceClient) => Promise<boolean>
}

/** The oldest statement of a lane, where it was late when it was last checked. */
interface Suspect {
  readonly oldest: Waiting
  /** How often the database has said that it runs. */
  answers: number
  /** How often it was checked since the database was queried; null while it is not. */
  asked: number | null
}

/**
 * One connection on which small statements without effects follow each other without waiting for answers. It is opened
 * when first used; until then, and while it is lost or full, it accepts nothing. Where the oldest statement is not
 * answered within `STALL` ms since it is blocked, the connection is abandoned: what waits is rejected with `Stalled`,
 * the oldest is cancelled. Where it merely waits for a processor, so would the other statements elsewhere, at a higher
 * cost each: it has `MOST_ANSWERS` more turns.
 */
export class PipelinedLane {
  readonly #options: LaneOptions
  #open: Open | null = null
  #opening: Promise<void> | null = null
  /** Of the last one: two at once would be one more than the source may have. */
  #ended: Promise<void> = Promise.resolve()
  /** The last one, until what was sent there is answered. */
  #left: Open | null = null
  #notBefore = 0
  #closed = false
  #watching: NodeJS.Timeout | null = null
  #suspect: Suspect | null = null

  constructor(options: LaneOptions) {
    this.#options = options
  }

  /** Returns the answer, or null when the lane accepts nothing now. Adds the time for which it used the lane to `cost`. */
  send(statement: Prepared, cost: PlanCost, now: number): Promise<Buffer> | null {
    const lane = this.#current(now)
    if (!lane || lane.waiting.length >= MOST_OUTSTANDING) return null
    return this.#answer(lane, statement, cost, now)
  }

  /** Returns how many statements wait for their answers; infinitely many while it accepts none. */
  load(now: number): number {
    return this.#current(now)?.waiting.length ?? Number.POSITIVE_INFINITY
  }

  /** Ends the connection when what was sent is answered. Another is opened with the next statement. */
  rest(): void {
    if (this.#open) this.#leave(this.#open)
  }

  /** Ends the connection when what was sent is answered, and opens no other. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#opening
    if (this.#open) this.#leave(this.#open)
    await this.#ended
  }

  /** Sends nothing more over a connection, and ends it when what was sent is answered. */
  #leave(lane: Open): void {
    if (this.#open === lane) this.#open = null
    this.#left = lane
    this.#ended = lane.client.values.whenIdle().then(() => endClient(lane.client))
  }

  #answer(lane: Open, statement: Prepared, cost: PlanCost, now: number): Promise<Buffer> {
    const way = cost.planning.nextSmall()
    if (lane.waiting.length === 0) lane.client.keepsProcess(true)
    this.#watching ??= setInterval(() => this.#watch(), WATCH).unref()
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { sent: now, cost, reject }
      lane.waiting.push(waiting)
      const answered = () => {
        // not where it was abandoned
        if (leaveQueue(lane.waiting, waiting)) this.#answered(lane, waiting, statement, way)
      }
      lane.client.values.send(
        planned(statement, way),
        lane.names,
        (value) => {
          answered()
          resolve(value)
        },
        (error) => {
          answered()
          reject(error)
        },
      )
    })
  }

  #answered(lane: Open, { sent, cost }: Waiting, statement: Prepared, way: Planning): void {
    // a statement that reached its time limit delayed the others too
    const now = performance.now()
    cost.ranInLane(now - Math.max(sent, lane.answered), way, lane.waiting.length)
    if (cost.planning.suspicious) this.#options.doubts(statement, cost)
    lane.answered = now
    if (lane.waiting.length === 0) lane.client.keepsProcess(false)
    if (lane.names.lostElsewhere) this.#options.statementsLost()
  }

  /** Read twice at least, so that answers which came while this process was busy have been read. */
  #watch(): void {
    const lane = this.#open ?? this.#left
    const [oldest] = lane?.waiting ?? []
    if (!lane || !oldest) {
      if (this.#watching) clearInterval(this.#watching)
      this.#watching = null
      this.#suspect = null
      return
    }
    if (performance.now() - Math.max(oldest.sent, lane.answered) <= STALL - WATCH) this.#suspect = null
    else if (this.#suspect?.oldest !== oldest) this.#suspect = { oldest, answers: 0, asked: null }
    else if (this.#suspect.asked === null) void this.#checkSuspect(lane, this.#suspect)
    else if (++this.#suspect.asked > MOST_WATCHES) this.#giveUp(lane, oldest)
  }

  async #checkSuspect(lane: Open, suspect: Suspect): Promise<void> {
    suspect.asked = 0
    const isBlocked = await this.#options.isBlocked(lane.client)
    suspect.asked = null
    suspect.answers += 1
    if (lane.waiting[0] !== suspect.oldest) return
    if (isBlocked || suspect.answers >= MOST_ANSWERS) this.#giveUp(lane, suspect.oldest)
  }

  #giveUp(lane: Open, oldest: Waiting): void {
    oldest.cost.stalled()
    const left = lane.waiting.splice(0)
    if (this.#open === lane) this.#open = null
    this.#ended = end(lane.client)
    for (const { reject } of left) reject(new Stalled())
  }

  #current(now: number): Open | null {
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
      const lane: Open = { client, names: new PreparedNames(), expires, waiting: [], answered: 0 }
      const lost = () => {
        if (this.#open === lane) this.#leave(lane)
      }
      client.on('error', lost)
      client.on('end', lost)
      client.keepsProcess(false)
      this.#open = lane
      // while no caller listened yet
      if (client.lost) lost()
    } catch {
      // a request that needs the database gets the error on the pool
      this.#notBefore = performance.now() + PAUSE
    }
  }
}

/** Cancels the oldest statement, for which no client waits; the others are small, and end by themselves. Never rejects. */
async function end(client: SourceClient): Promise<void> {
  const timer = setTimeout(() => client.destroy(), ENDS_WITHIN)
  await cancelUntil(client.values.whenIdle(), client)
  clearTimeout(timer)
  await endClient(client)
}

/**
 * Milliseconds for which statements wait behind a blocked one, at most: those of two watches and of a round trip more.
 */
const STALL = 25
const WATCH = 5
/**
 * The database answers each, so it has had that many turns at a processor while the oldest statement got nowhere. Idle
 * it takes 110 ms for them.
 */
const MOST_ANSWERS = 20
/** Watches until an answer of the database comes. They are no time, so that a pause of this process counts for one. */
const MOST_WATCHES = 50
/** Milliseconds after which a server that accepts no request to cancel is abandoned. */
const ENDS_WITHIN = 5000
/** Beyond this one core of the database is busy for a while: other lanes may be used. */
const MOST_OUTSTANDING = 200
/** Milliseconds until it is tried again after a failure. */
const PAUSE = 1000

/**
 * Removes `one` and returns whether it was there; most often it is the first. Queues of requests are arrays, no Sets:
 * with each few that come and go a Set makes a new table, and V8 links the old one to it, so that tables which grew old
 * before they died keep requests alive that were answered long ago (bench/results/queries.md).
 */
function leaveQueue<Item>(queue: Item[], one: Item): boolean {
  const at = queue.indexOf(one)
  if (at === 0) queue.shift()
  else if (at > 0) queue.splice(at, 1)
  return at >= 0
}
