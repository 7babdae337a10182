import type pg from 'pg'
import { takeBytes } from '../../../reused-bytes.ts'
import { AnswerTooLarge } from '../../backend.ts'
import { databaseError } from './database-error.ts'
import { isLostStatement } from './from-sql-state.ts'
import { MessageWriter } from './message-writer.ts'
import type { PreparedNames } from './prepared-names.ts'

/** A statement with parameters, kept prepared under `name` when there is one. */
export interface Prepared {
  readonly text: string
  readonly name: string | null
  readonly parameters: readonly (string | null)[]
  /** Bytes of the value, at most; any number when absent. */
  readonly most?: number | undefined
}

interface Asked {
  readonly name: string | null
  readonly parses: boolean
  readonly names: PreparedNames
  readonly most: number
  readonly resolve: (value: Buffer) => void
  readonly reject: (error: Error) => void
}

/**
 * Statements that give one value each, sent one behind another and answered in that order. Speaks the protocol itself: of
 * the 50 µs that a read by key cost a server with pg, 35 were pg's.
 */
export class ValueQueue {
  readonly #write: (bytes: Buffer) => void
  readonly #writer = new MessageWriter()
  readonly #asked: Asked[] = []
  #value: Buffer = NULL
  #error: pg.DatabaseError | null = null
  #flushing = false
  /** Statements that were not written yet. */
  #unsent = 0
  /** The last write took several: what asks answers several at a time, and they come back together. */
  #inBursts = false
  #lost: Error | null = null
  readonly #idle: (() => void)[] = []

  constructor(write: (bytes: Buffer) => void) {
    this.#write = write
  }

  /** Whether messages that come are answers to what was asked here. */
  get busy(): boolean {
    return this.#asked.length > 0
  }

  /** The one column of the one row as bytes. Rejects with pg's DatabaseError, AnswerTooLarge, or what `lose` was told. */
  ask({ text, name, parameters, most = Number.POSITIVE_INFINITY }: Prepared, names: PreparedNames): Promise<Buffer> {
    if (this.#lost) return Promise.reject(this.#lost)
    const { parse, closes } = name === null ? PARSES : names.use(name)
    for (const old of closes) this.#writer.closeStatement(old)
    if (parse) this.#writer.parse(name ?? '', text)
    this.#writer.run(name ?? '', parameters)
    return new Promise((resolve, reject) => {
      this.#asked.push({ name, parses: parse, names, most, resolve, reject })
      this.#send()
    })
  }

  /** Resolves when nothing is waited for. */
  async whenIdle(): Promise<void> {
    while (this.busy) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  /** Whether a row of so many bytes is not worth reading: then nobody waits for it any more. */
  refuses(bytes: number): boolean {
    const [asked] = this.#asked
    if (!asked || bytes - ROW_OVERHEAD <= asked.most) return false
    asked.reject(new AnswerTooLarge(bytes - ROW_OVERHEAD))
    return true
  }

  /** A message from the server: its kind stands at `start`. Bytes that are lent are copied. */
  hear(bytes: Buffer, start: number, end: number, lent: boolean): void {
    switch (bytes[start]) {
      case DATA_ROW:
        this.#value = firstField(bytes, start, lent)
        break
      case ERROR_RESPONSE:
        this.#error = databaseError(bytes.subarray(start + HEADER, end))
        break
      case READY_FOR_QUERY:
        this.#settle()
        break
    }
  }

  /** The connection is gone: nothing that waits is answered any more. */
  lose(error: Error): void {
    this.#lost = error
    for (const { reject } of this.#asked.splice(0)) {
      reject(this.#error ?? error)
      this.#error = null
    }
    this.#tellIdle()
  }

  /**
   * At once when the server has nothing else to do and statements come one by one; else together with whatever comes in
   * this turn of the event loop, since each write costs as much as everything else here.
   */
  #send(): void {
    this.#unsent += 1
    if ((this.#asked.length === 1 && !this.#inBursts) || this.#writer.size > LARGEST_WAITING) this.#flush()
    else if (!this.#flushing) {
      this.#flushing = true
      setImmediate(() => {
        this.#flushing = false
        this.#flush()
      })
    }
  }

  #flush(): void {
    if (this.#unsent === 0) return
    this.#inBursts = this.#unsent > 1
    this.#unsent = 0
    if (!this.#lost) this.#write(this.#writer.take())
  }

  #settle(): void {
    const asked = this.#asked.shift()
    const value = this.#value
    const error = this.#error
    this.#value = NULL
    this.#error = null
    if (!asked) return
    if (error) {
      if (asked.name !== null) asked.names.failed(asked.name, asked.parses, isLostStatement(error))
      asked.reject(error)
    } else asked.resolve(value)
    if (this.#asked.length === 0) this.#tellIdle()
  }

  #tellIdle(): void {
    for (const tell of this.#idle.splice(0)) tell()
  }
}

const PARSES = { parse: true, closes: [] }
const NULL = Buffer.from('null')
const HEADER = 5
/** Header, number of fields, length of the one field. */
const ROW_OVERHEAD = HEADER + 2 + 4
const LARGEST_WAITING = 8192
const DATA_ROW = 0x44
const ERROR_RESPONSE = 0x45
const READY_FOR_QUERY = 0x5a

/** Behind the header and the number of fields. */
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
