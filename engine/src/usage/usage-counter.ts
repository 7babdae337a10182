import type { PlannedOperation, Tally, TallyOf } from '../execute/index.ts'
import type { AskedParts } from '../graphql/index.ts'
import { isUnanswered, type UsageKey, type UsageLog, type UsagePart } from '../metadata/index.ts'
import { errorReport, type Observer } from '../observe/index.ts'
import { documentHash } from './document-hash.ts'

/** Between one read what was counted and the next: what a killed process loses at most. */
const flushMilliseconds = 10_000
const pruneMilliseconds = 3_600_000

/** Parts of one operation that are remembered. */
const mostParts = 5_000

/** Texts of an index of the catalogue. */
const longestText = 400

interface UsageCounterOptions {
  readonly log: UsageLog
  readonly observer: Observer
  /** Operations that are counted by themselves. */
  readonly operations: number
}

/** Counts executions of operations, and adds them up in the catalogue every ten seconds (docs/usage.md). */
export class UsageCounter {
  readonly #options: UsageCounterOptions
  readonly #tallies = new Map<string, OperationTally>()
  /** Those that were executed, or have new parts, since they were stored. */
  readonly #changed = new Set<OperationTally>()
  readonly #timer: NodeJS.Timeout
  #pruned = Number.NEGATIVE_INFINITY
  #flushing: Promise<void> = Promise.resolve()
  #isFailing = false

  constructor(options: UsageCounterOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.flush(), flushMilliseconds).unref()
  }

  /** Null of what requests nothing but introspection. */
  readonly tallyOf: TallyOf = ({ request, role, operationName, type, asked }) => {
    const parts = partsOf(asked)
    if (parts.length === 0) return null
    const tally = this.#tally({ request, role: cut(role), operationName, type })
    tally.learnParts(parts)
    return tally
  }

  /** Stores what was counted until now. Never rejects: what could not be stored is reported, and remains counted. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#flush())
    return this.#flushing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  #tally({ request, role, operationName, type }: Omit<PlannedOperation, 'asked'>): OperationTally {
    const own: UsageKey = { hash: documentHash(request.query), name: cut(operationName ?? ''), role, type }
    const known = this.#tallies.get(JSON.stringify(own))
    if (known) return known
    // a client that sends another text each time must not fill the memory
    const isFull = this.#changed.size >= this.#options.operations
    return isFull ? this.#make({ hash: '', name: '', role, type: '' }) : this.#make(own)
  }

  #make(key: UsageKey): OperationTally {
    const text = JSON.stringify(key)
    const known = this.#tallies.get(text)
    if (known) return known
    if (this.#tallies.size >= 2 * this.#options.operations) this.#forget()
    const made = new OperationTally(key, this.#changed)
    this.#tallies.set(text, made)
    return made
  }

  /** Removes counters without news; a cached plan may still count with one. */
  #forget(): void {
    for (const [text, tally] of this.#tallies) if (!this.#changed.has(tally)) this.#tallies.delete(text)
  }

  async #flush(): Promise<void> {
    const { log, observer } = this.#options
    const changed = [...this.#changed]
    this.#changed.clear()
    const taken = changed.map((tally) => ({ tally, count: tally.take() }))
    const requests = taken.reduce((sum, { count }) => sum + count, 0)
    let isSent = false
    try {
      await this.#register(changed)
      const counts = taken.flatMap(({ tally, count }) =>
        count > 0 && tally.id !== null ? [{ operation: tally.id, count }] : [],
      )
      if (counts.length > 0) {
        isSent = true
        const found = await log.add(counts)
        isSent = false
        this.#keep(taken.filter(({ tally }) => tally.id === null || !found.has(tally.id)))
      }
      this.#isFailing = false
    } catch (error) {
      // whether a statement was done that was not answered is unknown: a loss is logged, nothing is counted twice
      const isLost = isSent && isUnanswered(error)
      this.#keep(isLost ? [] : taken)
      if (isLost || !this.#isFailing)
        observer.report({ kind: 'usage-not-stored', requests, isLost, error: errorReport(error) })
      this.#isFailing = true
    }
    if (performance.now() - this.#pruned < pruneMilliseconds) return
    this.#pruned = performance.now()
    await log.prune().catch(() => {})
  }

  /** Assigns operations the ids that they have in the catalogue, and returns what they request. */
  async #register(changed: readonly OperationTally[]): Promise<void> {
    const { log } = this.#options
    const fresh = changed.filter(({ id }) => id === null)
    if (fresh.length > 0) {
      const ids = await log.register(fresh.map(({ key }) => key))
      for (const [i, tally] of fresh.entries()) tally.id = ids[i] ?? null
    }
    const parts = changed.map((tally) => ({ tally, parts: tally.newParts() }))
    await log.addParts(
      parts.flatMap(({ tally, parts: own }) => own.map((part) => ({ ...part, operation: tally.id ?? '' }))),
    )
    for (const { tally, parts: own } of parts) tally.stored(own.length)
  }

  /** They are stored with the next attempt; operations that are gone from the catalogue are made again then. */
  #keep(taken: readonly { readonly tally: OperationTally; readonly count: number }[]): void {
    for (const { tally, count } of taken) {
      if (count === 0 && tally.newParts().length === 0) continue
      tally.giveBack(count)
      this.#changed.add(tally)
    }
  }
}

/** The counts of one operation that are not stored yet. */
class OperationTally implements Tally {
  readonly key: UsageKey
  readonly #changed: Set<OperationTally>
  #parts = new Map<string, UsagePart>()
  #stored = 0
  #count = 0
  /** Of the catalogue; null: not known. */
  id: string | null = null

  constructor(key: UsageKey, changed: Set<OperationTally>) {
    this.key = key
    this.#changed = changed
  }

  add(): void {
    if (this.#count === 0) this.#changed.add(this)
    this.#count += 1
  }

  take(): number {
    const count = this.#count
    this.#count = 0
    return count
  }

  /** The catalogue knows the operation no more, or never did. */
  giveBack(count: number): void {
    this.#count += count
    this.id = null
    this.#stored = 0
  }

  learn(asked: AskedParts): void {
    this.learnParts(partsOf(asked))
  }

  learnParts(parts: readonly UsagePart[]): void {
    const before = this.#parts.size
    for (const part of parts) {
      if (this.#parts.size >= mostParts) break
      this.#parts.set(`${part.kind} ${part.of} ${part.name}`, part)
    }
    if (this.#parts.size > before) this.#changed.add(this)
  }

  newParts(): readonly UsagePart[] {
    return this.#stored === this.#parts.size ? [] : [...this.#parts.values()].slice(this.#stored)
  }

  stored(count: number): void {
    this.#stored += count
  }
}

function partsOf(asked: AskedParts): readonly UsagePart[] {
  const parts: UsagePart[] = []
  for (const part of asked.parts()) {
    if (part.kind !== 'member') parts.push({ kind: part.kind, of: cut(part.table), name: '' })
    else parts.push({ kind: 'member', of: cut(part.of), name: cut(part.name) })
    if (parts.length === mostParts) break
  }
  return parts
}

const cut = (text: string): string => text.slice(0, longestText)
