import { FatalError } from '../config/index.ts'
import type { ErrorReport, Observer } from '../observe/index.ts'
import type { FromWorker } from './messages.ts'
import type { Topic } from './peers.ts'
import { restartDelay, SOUND_MILLISECONDS } from './restart-delay.ts'
import { type WorkerEnd, WorkerProcess } from './worker-process.ts'

/** Answers of several processes to one question, until all have come or the time is over. */
class PendingAnswers<T> {
  readonly #answers: unknown[] = []
  readonly #missing: Set<T>
  readonly #timer: NodeJS.Timeout
  readonly #done: (answers: readonly unknown[]) => void

  constructor(asked: Iterable<T>, milliseconds: number, done: (answers: readonly unknown[]) => void) {
    this.#missing = new Set(asked)
    this.#done = done
    this.#timer = setTimeout(() => this.#end(), milliseconds)
  }

  /** Undefined is no answer. */
  answer(from: T, answer: unknown): void {
    if (!this.#missing.delete(from)) return
    if (answer !== undefined) this.#answers.push(answer)
    if (this.#missing.size === 0) this.#end()
  }

  #end(): void {
    clearTimeout(this.#timer)
    this.#missing.clear()
    this.#done(this.#answers)
  }
}

export interface PoolOptions {
  readonly count: number
  /** To listen on; 0 takes a free one, which then all listen on. */
  readonly port: number
  /** Of the database that this process has started for its workers. */
  readonly embeddedUrl: string | null
  /** Counts a request of a key, whichever worker it came to. */
  readonly admit: (key: string, perMinute: number) => boolean
  /** Figures of ended workers that still count, with those of one more. */
  readonly keepFigures: (kept: unknown, ended: unknown) => Promise<unknown>
  /** Milliseconds that workers get to end in order. */
  readonly grace: number
  readonly observer: Observer
}

/** Milliseconds that workers have to answer each other's questions. */
const ANSWER_MILLISECONDS = 5000

interface Slot {
  process: WorkerProcess | null
  serving: boolean
  /** Ends before it had lived a minute, one after the other. */
  endsInARow: number
  figures: unknown
  restart: NodeJS.Timeout | null
}

/** The workers of one parent: started, replaced when they end, stopped together. */
export class WorkerPool {
  readonly #options: PoolOptions
  readonly #slots: readonly Slot[]
  readonly #pending = new Map<number, { readonly topic: Topic; readonly answers: PendingAnswers<Slot> }>()
  readonly failed: Promise<string>
  #fail: (reason: string) => void = () => {}
  #url = ''
  #port: number
  #lastQuestion = 0
  #keptFigures: Promise<unknown> = Promise.resolve(null)
  #closing: Promise<void> | null = null

  private constructor(options: PoolOptions) {
    this.#options = options
    this.#port = options.port
    this.#slots = Array.from({ length: options.count }, () => ({
      process: null,
      serving: false,
      endsInARow: 0,
      figures: undefined,
      restart: null,
    }))
    this.failed = new Promise((resolve) => {
      this.#fail = resolve
    })
  }

  /**
   * Resolves when the first worker serves and each of the others serves or has failed once; one that has failed is started
   * again. The first one starts alone, so that a new catalogue is made once and what keeps all of them from starting is
   * found once. Throws FatalError with the first worker's reason; none is left running then.
   */
  static async start(options: PoolOptions): Promise<WorkerPool> {
    const pool = new WorkerPool(options)
    const [first, ...others] = pool.#slots
    try {
      if (first) await pool.#startFirst(first)
    } catch (error) {
      pool.kill()
      await pool.close(null)
      throw error
    }
    await Promise.all(others.map((slot) => pool.#startAgain(slot)))
    return pool
  }

  get url(): string {
    return this.#url
  }

  /**
   * Waits until all workers have answered what they have begun; those that take too long are killed. A second call
   * waits for the first.
   */
  close(signal: NodeJS.Signals | null): Promise<void> {
    this.#closing ??= this.#stopAll(signal)
    return this.#closing
  }

  /** Ends all workers at once. */
  kill(): void {
    for (const { process: worker } of this.#slots) worker?.kill()
  }

  async #stopAll(signal: NodeJS.Signals | null): Promise<void> {
    const ends = this.#slots.map(({ process: worker, restart }) => {
      if (restart) clearTimeout(restart)
      worker?.send({ kind: 'stop', signal })
      return worker?.ended
    })
    const timer = setTimeout(() => this.kill(), this.#options.grace)
    await Promise.all(ends)
    clearTimeout(timer)
  }

  async #startFirst(slot: Slot): Promise<void> {
    const failure = await this.#launch(slot)
    if (failure) throw new FatalError(failure.message, failure.error ? { cause: errorOf(failure.error) } : undefined)
  }

  /** Resolves with null when it serves, else with the reason why it ended before. */
  #launch(slot: Slot): Promise<{ readonly message: string; readonly error: ErrorReport | null } | null> {
    const { count, embeddedUrl, observer } = this.#options
    const number = this.#slots.indexOf(slot) + 1
    let reason: { readonly message: string; readonly error: ErrorReport | null } | null = null
    return new Promise((resolve) => {
      const task = { worker: number, of: count, port: this.#portToAsk(), embeddedUrl }
      const worker = new WorkerProcess(task, (message) => {
        switch (message.kind) {
          case 'serving':
            this.#url ||= message.url
            slot.serving = true
            resolve(null)
            return
          case 'failed':
            reason = { message: message.message, error: message.error }
            return
          case 'waiting':
            return
          case 'count':
          case 'ask':
          case 'answer':
            this.#carry(slot, message)
        }
      })
      slot.process = worker
      void worker.ended.then((end) => {
        const served = slot.serving
        this.#gone(slot, worker)
        if (served) observer.report({ kind: 'worker-ended', worker: number, pid: worker.pid, ...end })
        reason ??= { message: `worker ${number} ended before it served (${endText(end)})`, error: null }
        if (served) this.#replace(slot, worker)
        else resolve(reason)
      })
    })
  }

  /** Node has workers that request the same port, 0 included, listen together; where none is left, it is taken again. */
  #portToAsk(): number {
    const isAlone = this.#slots.every(({ process: worker }) => worker === null)
    if (isAlone && this.#url !== '') this.#port = Number(new URL(this.#url).port)
    return this.#port
  }

  #gone(slot: Slot, worker: WorkerProcess): void {
    if (slot.process !== worker) return
    slot.process = null
    slot.serving = false
    for (const { answers } of this.#pending.values()) answers.answer(slot, undefined)
    const { figures } = slot
    slot.figures = undefined
    if (figures !== undefined)
      this.#keptFigures = this.#keptFigures.then((kept) => this.#options.keepFigures(kept, figures))
  }

  #replace(slot: Slot, ended: WorkerProcess | null): void {
    if (this.#closing) return
    const lived = ended ? performance.now() - ended.started : 0
    slot.endsInARow = lived >= SOUND_MILLISECONDS ? 1 : slot.endsInARow + 1
    slot.restart = setTimeout(() => {
      slot.restart = null
      void this.#startAgain(slot)
    }, restartDelay(slot.endsInARow))
  }

  /** Where no other serves or is starting, the parent cannot go on: the process that started it learns the reason. */
  async #startAgain(slot: Slot): Promise<void> {
    const failure = await this.#launch(slot)
    if (!failure || this.#closing) return
    this.#options.observer.report({
      kind: 'worker-failed',
      worker: this.#slots.indexOf(slot) + 1,
      message: failure.message,
      error: failure.error,
    })
    if (this.#slots.some(({ process: worker }) => worker !== null)) this.#replace(slot, null)
    else this.#fail(failure.message)
  }

  #carry(from: Slot, message: Extract<FromWorker, { kind: 'count' | 'ask' | 'answer' }>): void {
    switch (message.kind) {
      case 'count': {
        const { id, key, perMinute } = message
        from.process?.send({ kind: 'counted', id, admitted: this.#options.admit(key, perMinute) })
        return
      }
      case 'ask':
        this.#ask(from, message)
        return
      case 'answer': {
        const pending = this.#pending.get(message.id)
        // counters of a worker that ends must not be lost from the sum
        if (pending?.topic === 'figures' && message.answer !== undefined) from.figures = message.answer
        pending?.answers.answer(from, message.answer)
      }
    }
  }

  #ask(from: Slot, { id, topic, payload }: Extract<FromWorker, { kind: 'ask' }>): void {
    this.#lastQuestion += 1
    const question = this.#lastQuestion
    const asker = from.process
    const asked = this.#slots.filter(({ serving }) => serving)
    for (const { process: worker } of asked) worker?.send({ kind: 'question', id: question, topic, payload })
    const done = async (answers: readonly unknown[]) => {
      this.#pending.delete(question)
      const kept = topic === 'figures' ? await this.#keptFigures : null
      asker?.send({ kind: 'answered', id, answers: kept === null ? answers : [...answers, kept] })
    }
    if (asked.length === 0) {
      void done([])
      return
    }
    this.#pending.set(question, {
      topic,
      answers: new PendingAnswers(asked, ANSWER_MILLISECONDS, (all) => void done(all)),
    })
  }
}

/** With the stack of the worker. */
const errorOf = ({ message, code, stack }: ErrorReport): Error =>
  Object.assign(new Error(message), { ...(code !== null && { code }), ...(stack !== null && { stack }) })

const endText = ({ code, signal }: WorkerEnd) => signal ?? `exit code ${code}`
