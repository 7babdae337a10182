import { takeBytes } from '../../../reused-bytes.ts'
import { AnswerTooLarge } from '../../backend.ts'
import { type Exchange, HEADER, kinds } from './exchange.ts'
import { isLostStatement } from './from-sql-state.ts'
import { NeverBegan } from './never-began.ts'
import type { PreparedNames } from './prepared-names.ts'

/** One statement that returns one value: the one column of the one row, as bytes, `null` where there is none. */
export class ValueExchange implements Exchange {
  readonly #name: string | null
  readonly #parses: boolean
  readonly #names: PreparedNames
  readonly #most: number
  readonly #resolve: (value: Buffer) => void
  readonly #reject: (error: Error) => void
  #value: Buffer = NULL
  #isRunning = false

  constructor(
    statement: { readonly name: string | null; readonly parses: boolean; readonly most: number },
    names: PreparedNames,
    resolve: (value: Buffer) => void,
    reject: (error: Error) => void,
  ) {
    this.#name = statement.name
    this.#parses = statement.parses
    this.#most = statement.most
    this.#names = names
    this.#resolve = resolve
    this.#reject = reject
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  row(bytes: Buffer, start: number, _end: number, lent: boolean): void {
    this.#value = firstField(bytes, start, lent)
  }

  refuses(bytes: number): boolean {
    if (bytes - ROW_OVERHEAD <= this.#most) return false
    // no one waits for it any more
    this.#reject(new AnswerTooLarge(bytes - ROW_OVERHEAD))
    return true
  }

  completed(kind: number): void {
    if (kind === kinds.bindComplete) this.#isRunning = true
  }

  settle(error: Error | null): void {
    if (!error) {
      this.#resolve(this.#value)
      return
    }
    const isLost = isLostStatement(error)
    if (this.#name !== null) this.#names.failed(this.#name, this.#parses, isLost)
    this.#reject(isLost && !this.#isRunning ? new NeverBegan(error) : error)
  }

  lose(reason: Error, isStated: boolean, isSent: boolean): void {
    const began = isSent && (this.#isRunning || !isStated)
    this.#reject(began ? reason : new NeverBegan(reason))
  }
}

const NULL = Buffer.from('null')
/** Bytes of a row's message before its value: header, number of fields, length of the one field. */
const ROW_OVERHEAD = HEADER + 2 + 4

/** Returns the first field of a row, which is behind the header and the number of fields. */
function firstField(bytes: Buffer, start: number, lent: boolean): Buffer {
  const at = start + HEADER + 2
  const length = bytes.readInt32BE(at)
  if (length < 0) return NULL
  const field = bytes.subarray(at + 4, at + 4 + length)
  return lent ? copied(field) : field
}

function copied(bytes: Buffer): Buffer {
  const copy = takeBytes(bytes.length)
  bytes.copy(copy)
  return copy
}
