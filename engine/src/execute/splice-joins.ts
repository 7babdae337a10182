import { ApiError, Path } from '../errors.ts'
import type { JoinTree, PreparedJoin } from './join-tree.ts'
import { emptySlot, type Rope, type Slot } from './rope.ts'
import { scanRows, type TakeKeys } from './scan-rows.ts'

/** The values of a join: where each stands in the bytes, beginnings and ends by turns. */
export interface JoinValues {
  readonly bytes: Buffer
  readonly ranges: readonly number[]
}

/** Asks for the value of each tuple of keys, which are JSON texts. */
export type AskJoin = (join: PreparedJoin, tuples: readonly (readonly string[])[]) => Promise<JoinValues>

/** What is asked for at once: equal joins, wherever they stand, and equal keys once (spec 04 §8.7). */
interface Call {
  readonly join: PreparedJoin
  readonly numbers: Map<string, number>
  readonly tuples: (readonly string[])[]
  /** By the join: where its values will be, by the number of the tuple. */
  readonly slots: Map<PreparedJoin, Map<number, Slot>>
}

/** Joins of answers: rows are given to it as they arrive, then their joins are filled, then those inside the values. */
export class Splicer {
  readonly #ask: AskJoin
  readonly #maxJoinRows: number
  #calls = new Map<string, Call>()

  /** `maxJoinRows`: tuples that a call may have. */
  constructor(ask: AskJoin, maxJoinRows: number) {
    this.#ask = ask
    this.#maxJoinRows = maxJoinRows
  }

  /** An answer with the slots of its joins. Throws bad-request where there are too many keys. */
  scan(bytes: Buffer, tree: JoinTree): Rope {
    return scanRows(bytes, 0, bytes.length, tree, this.#take)
  }

  /** Fills the slots, those inside the values as well. The first error ends it. */
  async fill(): Promise<void> {
    while (this.#calls.size > 0) {
      const calls = [...this.#calls.values()]
      this.#calls = new Map()
      const answers = await Promise.all(calls.map((call) => this.#ask(call.join, call.tuples)))
      for (const [i, call] of calls.entries()) {
        const values = answers[i]
        if (values) this.#put(call, values)
      }
    }
  }

  #put({ slots }: Call, { bytes, ranges }: JoinValues): void {
    for (const [{ inner }, ofJoin] of slots)
      for (const [number, slot] of ofJoin) {
        const [start = 0, end = 0] = [ranges[2 * number], ranges[2 * number + 1]]
        slot.rope = inner
          ? scanRows(bytes, start, end, inner, this.#take)
          : { bytes, pieces: [start, end], holes: [null] }
      }
  }

  readonly #take: TakeKeys = (join, keys) => {
    // a key that is null leads nowhere
    if (keys.includes('null')) return emptySlot
    const call = this.#callOf(join)
    const text = keys.length === 1 ? (keys[0] ?? '') : JSON.stringify(keys)
    let number = call.numbers.get(text)
    if (number === undefined) {
      number = call.tuples.length
      if (number === this.#maxJoinRows)
        throw new ApiError(
          'bad-request',
          Path.root,
          `more than ${number} rows lead to the relationship "${join.place.at(-1)}" (--max-join-rows)`,
        )
      call.numbers.set(text, number)
      call.tuples.push(keys)
    }
    const ofJoin = call.slots.get(join)
    const known = ofJoin?.get(number)
    if (known) return known
    const slot: Slot = { rope: null }
    if (ofJoin) ofJoin.set(number, slot)
    else call.slots.set(join, new Map([[number, slot]]))
    return slot
  }

  #callOf(join: PreparedJoin): Call {
    const known = this.#calls.get(join.shared)
    if (known) return known
    const made: Call = { join, numbers: new Map(), tuples: [], slots: new Map() }
    this.#calls.set(join.shared, made)
    return made
  }
}
