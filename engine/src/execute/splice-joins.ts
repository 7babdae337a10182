import { ApiError, Path } from '../errors.ts'
import type { JoinTree, PreparedJoin } from './join-tree.ts'
import { emptySlot, makeSlot, type Rope, type Slot } from './rope.ts'
import { scanRows, type TakeKeys } from './scan-rows.ts'

/** The values of a join: where each stands in the bytes, beginnings and ends by turns. */
export interface JoinValues {
  readonly bytes: Buffer
  readonly ranges: readonly number[]
}

/** Asks for the values of tuples of keys, which are JSON texts: `columns[i]` are the i-th key of each. */
export type AskJoin = (join: PreparedJoin, columns: readonly (readonly string[])[]) => Promise<JoinValues>

/**
 * What is asked for at once: equal joins, wherever they stand, and equal keys once (reference/remote-schemas#joins).
 */
interface Call {
  readonly join: PreparedJoin
  readonly numbers: Map<string, number>
  readonly columns: readonly string[][]
  /** By the join: where its values will be, by the number of the tuple. */
  readonly slots: Map<PreparedJoin, (Slot | undefined)[]>
}

/** Joins of answers: rows are given to it as they arrive, then their joins are filled, then those inside the values. */
export class Splicer {
  readonly #ask: AskJoin
  readonly #maxJoinRows: number
  #calls = new Map<string, Call>()
  readonly #values: Buffer[] = []

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
      const answers = await Promise.all(calls.map((call) => this.#ask(call.join, call.columns)))
      for (const [i, call] of calls.entries()) {
        const values = answers[i]
        if (!values) continue
        this.#values.push(values.bytes)
        this.#put(call, values)
      }
    }
  }

  /** Once all is written: the bytes of the values. */
  giveBack(give: (bytes: Buffer) => void): void {
    for (const bytes of this.#values.splice(0)) give(bytes)
  }

  #put({ slots }: Call, { bytes, ranges }: JoinValues): void {
    for (const [{ inner }, ofJoin] of slots)
      for (let number = 0; number < ofJoin.length; number++) {
        const slot = ofJoin[number]
        if (!slot) continue
        slot.bytes = bytes
        slot.start = ranges[2 * number] ?? 0
        slot.end = ranges[2 * number + 1] ?? 0
        if (inner) slot.rope = scanRows(bytes, slot.start, slot.end, inner, this.#take)
      }
  }

  readonly #take: TakeKeys = (join, keys) => {
    // a key that is null leads nowhere
    if (keys.includes('null')) return emptySlot
    const call = this.#callOf(join)
    const text = keys.length === 1 ? (keys[0] ?? '') : keys.join()
    const known = call.numbers.get(text)
    const number = known ?? call.numbers.size
    if (known === undefined) {
      if (number === this.#maxJoinRows)
        throw new ApiError(
          'bad-request',
          Path.root,
          `more than ${number} rows lead to the relationship "${join.place.at(-1)}" (--max-join-rows)`,
        )
      call.numbers.set(text, number)
      for (let i = 0; i < keys.length; i++) call.columns[i]?.push(utf8(keys[i] ?? ''))
    }
    const ofJoin = call.slots.get(join) ?? []
    if (ofJoin.length === 0) call.slots.set(join, ofJoin)
    const slot = ofJoin[number] ?? makeSlot()
    ofJoin[number] = slot
    return slot
  }

  #callOf(join: PreparedJoin): Call {
    const known = this.#calls.get(join.shared)
    if (known) return known
    const made: Call = { join, numbers: new Map(), columns: join.keys.map(() => []), slots: new Map() }
    this.#calls.set(join.shared, made)
    return made
  }
}

/** Keys are compared as their bytes, and hardly any has others than those of ASCII. */
function utf8(latin1: string): string {
  for (let i = 0; i < latin1.length; i++)
    if (latin1.charCodeAt(i) > 0x7f) return Buffer.from(latin1, 'latin1').toString('utf8')
  return latin1
}
