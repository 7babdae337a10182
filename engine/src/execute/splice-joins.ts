import { ApiError, Path } from '../errors.ts'
import { JoinKeys } from './join-keys.ts'
import type { JoinTree, PreparedJoin } from './join-tree.ts'
import { type Filling, type JsonPieces, makeFilling, nullFilling } from './json-pieces.ts'
import { scanRows, type TakesKeys } from './scan-rows.ts'

/** The values of a join: where each stands in the bytes, beginnings and ends by turns. */
export interface JoinValues {
  readonly bytes: Buffer
  readonly ranges: readonly number[]
}

/** Requests the values of tuples of keys. */
export type AskJoin = (join: PreparedJoin, keys: JoinKeys) => Promise<JoinValues>

/**
 * What is requested at once: equal joins, wherever they stand, and equal keys once (reference/remote-schemas#joins).
 */
interface Call {
  readonly join: PreparedJoin
  readonly keys: JoinKeys
  /** By the join: where its values will be, and which of them are used, where values of other joins may be in them. */
  readonly fillings: Map<PreparedJoin, { readonly filling: Filling; readonly isUsed: boolean[] | null }>
}

/** Joins of answers: rows are added as they arrive, then their joins are filled, then those inside the values. */
export class Splicer implements TakesKeys {
  readonly #ask: AskJoin
  readonly #maxJoinRows: number
  #calls = new Map<string, Call>()
  readonly #values: Buffer[] = []
  taken = 0

  /** `maxJoinRows`: tuples that a call may have. */
  constructor(ask: AskJoin, maxJoinRows: number) {
    this.#ask = ask
    this.#maxJoinRows = maxJoinRows
  }

  /** An answer with the holes of its joins. Throws bad-request where there are too many keys. */
  scan(bytes: Buffer, tree: JoinTree): JsonPieces {
    return scanRows(bytes, 0, bytes.length, tree, this)
  }

  /** Fills the holes, those inside the values as well. The first error ends it. */
  async fill(): Promise<void> {
    while (this.#calls.size > 0) {
      const calls = [...this.#calls.values()]
      this.#calls = new Map()
      const answers = await Promise.all(calls.map((call) => this.#ask(call.join, call.keys)))
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

  #put({ fillings }: Call, { bytes, ranges }: JoinValues): void {
    for (const [{ inner }, { filling, isUsed }] of fillings) {
      filling.bytes = bytes
      filling.ranges = ranges
      if (!inner || !isUsed) continue
      for (let number = 0; number < isUsed.length; number++)
        if (isUsed[number])
          filling.inner[number] = scanRows(bytes, ranges[2 * number] ?? 0, ranges[2 * number + 1] ?? 0, inner, this)
    }
  }

  take(join: PreparedJoin, bytes: Buffer, keys: readonly number[]): Filling {
    this.taken = 0
    // a key that is null leads nowhere
    for (let i = 0; i < keys.length; i += 2) if (bytes[keys[i] ?? 0] === 0x6e) return nullFilling
    const call = this.#callOf(join)
    const number = call.keys.add(bytes, keys, this.#maxJoinRows)
    if (number < 0)
      throw new ApiError(
        'bad-request',
        Path.root,
        `more than ${this.#maxJoinRows} rows lead to the relationship "${join.place.at(-1)}" (--max-join-rows)`,
      )
    let ofJoin = call.fillings.get(join)
    if (!ofJoin) {
      ofJoin = { filling: makeFilling(), isUsed: join.inner ? [] : null }
      call.fillings.set(join, ofJoin)
    }
    if (ofJoin.isUsed) ofJoin.isUsed[number] = true
    this.taken = number
    return ofJoin.filling
  }

  #callOf(join: PreparedJoin): Call {
    const known = this.#calls.get(join.shared)
    if (known) return known
    const made: Call = { join, keys: new JoinKeys(join.keys.length), fillings: new Map() }
    this.#calls.set(join.shared, made)
    return made
  }
}
