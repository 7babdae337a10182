import { AnswerTooLarge } from '../../backend.ts'
import { type Exchange, HEADER, kinds } from './exchange.ts'
import { isLostStatement } from './from-sql-state.ts'
import type { MessageWriter } from './message-writer.ts'
import type { PreparedNames } from './prepared-names.ts'
import { fieldsOf } from './split-rows.ts'

/** A statement of a batch. `control`: it prepares the ground for others (BEGIN, settings) and has no effects itself. */
export interface Step {
  readonly text: string
  /** The name under which it remains prepared, or null when it does not. */
  readonly name: string | null
  readonly parameters: readonly (string | null)[]
  readonly kind: 'statement' | 'control'
}

/** Returns a step that prepares the ground for statements. */
export const control = (text: string, parameters: readonly string[] = []): Step => ({
  text,
  name: null,
  parameters,
  kind: 'control',
})

export type Row = readonly (Buffer | null)[]

export interface StepAnswer {
  readonly rows: readonly Row[]
  /** The server's name of what it did: `COMMIT`, `ROLLBACK`, `INSERT 0 1`. */
  readonly tag: string
}

/** A batch of which not everything was done; `cause` says why. */
export class BatchFailed extends Error {
  override readonly cause: Error
  /** The index of the step where it ended: the number of steps when all were done, or the connection was cut. */
  readonly step: number
  /** Whether that step may have begun: its parameters were bound, or the connection was cut without a word. */
  readonly isStepBegun: boolean
  /** Whether a statement may have begun. */
  readonly isBegun: boolean
  /** Whether the connection ended, so that the outcome of the step is not known. */
  readonly isLost: boolean

  constructor(cause: Error, at: Pick<BatchFailed, 'step' | 'isStepBegun' | 'isBegun' | 'isLost'>) {
    super(cause.message)
    this.cause = cause
    this.step = at.step
    this.isStepBegun = at.isStepBegun
    this.isBegun = at.isBegun
    this.isLost = at.isLost
  }
}

interface Expected {
  readonly step: number
  readonly part: 'look-up' | 'close' | 'parse' | 'bind' | 'execute'
  readonly name: string | null
}

/**
 * Several statements with one Sync after them: after an error the server skips the rest. Statements that are to remain
 * prepared are parsed, and prepared ones described, before the first one is bound: so a prepared statement that another
 * client of a pooler has deallocated is noticed while nothing has begun. For the first statement its Bind does that.
 */
export class Batch implements Exchange {
  readonly #steps: readonly Step[]
  readonly #names: PreparedNames
  readonly #most: number
  readonly #resolve: (answers: readonly StepAnswer[]) => void
  readonly #reject: (error: Error) => void
  /** What the server will say that it has done, in order. */
  readonly #expected: Expected[] = []
  #done = 0
  readonly #answers: { rows: Row[]; tag: string }[]
  #bytes = 0

  constructor(
    steps: readonly Step[],
    names: PreparedNames,
    most: number,
    resolve: (answers: readonly StepAnswer[]) => void,
    reject: (error: Error) => void,
  ) {
    this.#steps = steps
    this.#names = names
    this.#most = most
    this.#resolve = resolve
    this.#reject = reject
    this.#answers = steps.map(() => ({ rows: [], tag: '' }))
  }

  get isRunning(): boolean {
    return this.#expected[this.#done]?.part === 'execute'
  }

  write(writer: MessageWriter): void {
    const first = this.#steps.findIndex(({ kind, name }) => kind === 'statement' || name !== null)
    this.#steps.forEach((step, i) => {
      if (i === first) this.#prepare(writer)
      if (step.name === null) {
        writer.parse('', step.text)
        this.#expect(i, 'parse', null)
      }
      writer.execute(step.name ?? '', step.parameters)
      this.#expect(i, 'bind', step.name)
      this.#expect(i, 'execute', step.name)
    })
    writer.sync()
  }

  row(bytes: Buffer, start: number, end: number, lent: boolean): void {
    const step = this.#expected[this.#done]?.step
    const answer = step === undefined ? undefined : this.#answers[step]
    this.#bytes += end - start - ROW_OVERHEAD
    if (this.#bytes > this.#most) return
    const message = bytes.subarray(start, end)
    // memory that is used again may be returned with any of its fields
    const isShared = message.readInt16BE(HEADER) > 1
    answer?.rows.push(fieldsOf(isShared || lent ? Buffer.from(message) : message))
  }

  refuses(bytes: number): boolean {
    if (this.#bytes + bytes - ROW_OVERHEAD <= this.#most) return false
    this.#bytes += bytes - ROW_OVERHEAD
    return true
  }

  completed(kind: number, bytes: Buffer, start: number, end: number): void {
    const done = this.#expected[this.#done]
    this.#done += 1
    const answer = done && this.#answers[done.step]
    if (kind === kinds.commandComplete && answer) answer.tag = bytes.toString('latin1', start + HEADER, end - 1)
  }

  settle(error: Error | null): void {
    if (error) this.#fail(error, false)
    else if (this.#bytes > this.#most) this.#reject(new AnswerTooLarge(this.#bytes))
    else this.#resolve(this.#answers)
  }

  lose(reason: Error, isStated: boolean, isSent: boolean): void {
    if (isSent && !isStated) {
      // it may have done everything
      const at = { step: this.#steps.length, isStepBegun: true, isBegun: true, isLost: true }
      this.#reject(new BatchFailed(reason, at))
    } else this.#fail(reason, true)
  }

  #fail(cause: Error, isLost: boolean): void {
    const at = this.#expected[this.#done]
    const firstBound = this.#expected.findIndex(
      ({ step, part }) => part === 'bind' && this.#steps[step]?.kind === 'statement',
    )
    if (at?.name != null) this.#names.failed(at.name, at.part === 'parse', isLostStatement(cause))
    // the server has not read those
    for (const { part, name } of this.#expected.slice(this.#done + 1))
      if (name !== null && (part === 'parse' || part === 'close')) this.#names.failed(name, true, false)
    this.#reject(
      new BatchFailed(cause, {
        step: at?.step ?? this.#steps.length,
        isStepBegun: at?.part === 'execute',
        isBegun: firstBound >= 0 && this.#done > firstBound,
        isLost,
      }),
    )
  }

  #prepare(writer: MessageWriter): void {
    const known = new Set<string>()
    const first = this.#steps.find(({ kind }) => kind === 'statement')?.name
    this.#steps.forEach(({ name, text, kind }, i) => {
      if (name === null || known.has(name)) return
      known.add(name)
      const { parse, closes } = this.#names.use(name)
      for (const old of closes) {
        writer.closeStatement(old)
        this.#expect(i, 'close', old)
      }
      if (parse) {
        writer.parse(name, text)
        this.#expect(i, 'parse', name)
      } else if (kind === 'statement' && name !== first) {
        writer.describeStatement(name)
        this.#expect(i, 'look-up', name)
      }
    })
  }

  #expect(step: number, part: Expected['part'], name: string | null): void {
    this.#expected.push({ step, part, name })
  }
}

/** Header, number of fields, length of one field. */
const ROW_OVERHEAD = HEADER + 2 + 4
