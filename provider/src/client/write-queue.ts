import { setTimeout as pause, setImmediate as soon } from 'node:timers/promises'
import { ClientError } from './client-error.ts'
import type { LiveMetadata } from './live-metadata.ts'
import { longestTimer } from './longest-timer.ts'
import type { Answer, Envelope, MetadataClient } from './metadata-client.ts'
import type { MetadataSnapshot } from './metadata-snapshot.ts'
import { type QueueTimes, usualTimes } from './queue-times.ts'
import type { QueuedWrite } from './queued-write.ts'
import { refusedMember } from './refused-member.ts'
import type { Arrival, Write, Written } from './write.ts'
import { bulkOf, isNotDrafted, type Member, readAnswer } from './write-batch.ts'

/** Of the time that the engine took for an answer, what may be spent on waiting for what could go along. */
const refillShare = 1 / 2

/**
 * Sends writes together: at once while none is out, and whatever arrives meanwhile as one bulk that keeps going, each
 * write an atomic step of its own. One whose object another client has changed is computed again from the new state.
 *
 * A write that needs what is not there yet waits, but only while another one runs that is not itself waiting, and not
 * for long: otherwise all slots of a tool fill with writes that wait for one without a slot.
 */
export class WriteQueue<Refusal> {
  readonly #client: MetadataClient
  readonly #snapshot: MetadataSnapshot
  readonly #times: QueueTimes
  readonly #draft: string | undefined
  readonly #entries = new Set<QueuedWrite<Refusal>>()
  #running = false
  #grace: NodeJS.Timeout | null = null
  #stopped = false
  #most = 0
  /** Until when what a tool starts in the slots that the last answer freed is waited for. */
  #refillsUntil = 0
  #endRefill = () => {}

  /** `draft`: the hash of the draft that all writes must match. */
  constructor(client: MetadataClient, snapshot: MetadataSnapshot, times: Partial<QueueTimes> = {}, draft?: string) {
    this.#client = client
    this.#draft = draft
    this.#snapshot = snapshot
    this.#times = { ...usualTimes, ...times }
  }

  /** Resolves when the write is settled; a limit ends only what was not sent yet. Rejects for mistakes of our own. */
  async submit(write: Write<Refusal>, limitMilliseconds?: number): Promise<Written<Refusal>> {
    if (this.#stopped) return { kind: 'broken', error: interrupted() }
    return new Promise((resolve, reject) => {
      const entry: QueuedWrite<Refusal> = {
        write,
        resolve,
        reject,
        state: 'ready',
        doubt: false,
        last: false,
        retries: 0,
        outrunSince: null,
        arrivals: [],
        waitTimer: null,
        limitTimer:
          limitMilliseconds === undefined || limitMilliseconds > longestTimer
            ? null
            : setTimeout(() => this.#expire(entry), limitMilliseconds),
      }
      this.#entries.add(entry)
      this.#most = Math.max(this.#most, this.#entries.size)
      if (this.#entries.size === this.#most) this.#endRefill()
      void this.#run()
    })
  }

  /** What was sent is waited for, all else ends. */
  stop(): void {
    this.#stopped = true
    this.#endRefill()
    for (const entry of this.#entries)
      if (entry.state !== 'out') this.#settle(entry, { kind: 'broken', error: interrupted() })
  }

  async #run(): Promise<void> {
    this.#stopGrace()
    if (this.#running) return
    this.#running = true
    try {
      await soon() // what arrives in the same breath goes along
      while (this.#inState('ready').length > 0) {
        await this.#refill()
        const batch = this.#take()
        // writes that waited may have been stopped meanwhile
        if (batch.length > 0) await this.#write(batch)
      }
    } finally {
      this.#running = false
      this.#startGrace()
    }
  }

  /**
   * A tool starts what is next only after an answer: without a moment for it the first of ten would be sent alone, the
   * nine others with the next request, and so on. Ends as soon as all slots are taken that the tool ever used at once.
   */
  async #refill(): Promise<void> {
    const left = this.#refillsUntil - performance.now()
    if (left <= 0 || this.#entries.size >= this.#most || this.#stopped) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left)
      this.#endRefill = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#endRefill = () => {}
  }

  #take(): readonly QueuedWrite<Refusal>[] {
    const batch = this.#inState('ready').sort((a, b) => a.write.rank - b.write.rank)
    for (const entry of batch) entry.state = 'out'
    return batch
  }

  #inState(state: QueuedWrite<Refusal>['state']): QueuedWrite<Refusal>[] {
    return [...this.#entries].filter((entry) => entry.state === state)
  }

  /** Reads, computes, sends; all of it again while other engines are faster or this one is unavailable. */
  async #write(batch: readonly QueuedWrite<Refusal>[]): Promise<void> {
    const begin = Date.now()
    let away = 0
    const within = (since: number, milliseconds: number) => Date.now() - since < milliseconds && !this.#stopped
    let entries = batch
    let sent = false
    let absences = 0
    for (;;) {
      let members: readonly Member<QueuedWrite<Refusal>>[] = []
      try {
        const live = await (sent ? this.#snapshot.catchUp() : this.#snapshot.read())
        members = this.#decide(entries, live)
        if (members.length === 0) return
        entries = members.map(({ entry }) => entry)
        sent = true
        return this.#note(members, live, await this.#send(bulkOf(members, live, this.#draft)))
      } catch (error) {
        if (!(error instanceof ClientError)) return this.#abandon(entries, error)
        if (this.#endRefused(members, error)) {
          entries = entries.filter(({ state }) => state === 'out')
          continue
        }
        const outrun = error.problem === 'conflict' && within(begin, this.#times.contention)
        if (absences === 0) away = Date.now()
        const absent = error.problem === 'unreachable' && sent && within(away, this.#times.retryFor)
        if (!outrun && !absent) return this.#settleAll(entries, { kind: 'broken', error })
        if (absent) {
          for (const entry of entries) entry.doubt = true
          await pause(Math.min(100 * 2 ** absences++, 2000))
        }
      }
    }
  }

  /** Ends the one write that made the engine refuse the whole bulk, so that the rest can be sent without it. */
  #endRefused(members: readonly Member<QueuedWrite<Refusal>>[], refusal: ClientError): boolean {
    const refused = refusedMember(refusal, members.length)
    const member = refused && members[refused.index]
    if (!member) return false
    const { operations } = member.sending
    this.#settle(member.entry, { kind: 'failed', error: refused.error, waited: false, operations })
    return true
  }

  async #send(bulk: Envelope): Promise<Answer> {
    const begin = performance.now()
    const answer = await this.#client.send(bulk)
    const end = performance.now()
    this.#refillsUntil = end + Math.min((end - begin) * refillShare, this.#times.refill)
    return answer
  }

  /** What each write sends to this document and those before it in the batch; the rest are settled or wait. */
  #decide(entries: readonly QueuedWrite<Refusal>[], live: LiveMetadata): readonly Member<QueuedWrite<Refusal>>[] {
    const members: Member<QueuedWrite<Refusal>>[] = []
    let after = live.document
    for (const entry of entries) {
      const arrivals = entry.last ? [] : entry.write.waitsFor(after, null)
      if (arrivals.length > 0) {
        this.#wait(entry, arrivals)
        continue
      }
      const decision = entry.write.decide(after, entry.doubt)
      // what only those before it in the batch will have done is read again once they have
      if (
        decision.kind === 'done' &&
        members.length > 0 &&
        entry.write.decide(live.document, entry.doubt).kind !== 'done'
      ) {
        entry.state = 'ready'
        continue
      }
      if (decision.kind === 'refused') this.#settle(entry, decision)
      else if (decision.kind === 'done' || decision.operations.length === 0)
        this.#settle(entry, { kind: 'done', at: versionOf(live) })
      else {
        members.push({ entry, sending: decision })
        after = decision.outcome(after)
      }
    }
    return members
  }

  #note(members: readonly Member<QueuedWrite<Refusal>>[], live: LiveMetadata, answer: Answer): void {
    const { done, failed, document } = readAnswer(members, live.document, answer)
    const { resourceVersion } = answer
    const next = live.resourceVersion + (done.length > 0 ? 1 : 0)
    // another version has another client's changes in it
    const isOnlyWriter = resourceVersion === next && failed.every(({ error }) => error.code !== 'conflict')
    const isKnown = isOnlyWriter && done.every(({ sending }) => !sending.rewrites)
    if (isKnown) this.#snapshot.advance(live, document, next)
    else this.#snapshot.outdate()
    this.#settleAll(
      done.map(({ entry }) => entry),
      { kind: 'done', at: versionOf({ ...live, resourceVersion: resourceVersion ?? next }) },
    )
    for (const { member, error } of failed) {
      const { entry, sending } = member
      if (isNotDrafted(error)) {
        this.#settle(entry, { kind: 'failed', error, waited: false, operations: sending.operations })
        continue
      }
      if (error.code === 'conflict' || (!isOnlyWriter && entry.retries++ < mostRetries)) {
        this.#sendAgain(entry)
        continue
      }
      const arrivals = entry.write.waitsFor(document, error)
      if (arrivals.length > 0 && !entry.last) this.#wait(entry, arrivals)
      else {
        const waited = arrivals.length > 0
        this.#settle(entry, { kind: 'failed', error, waited, operations: sending.operations })
      }
    }
    for (const entry of this.#inState('waiting'))
      if (entry.arrivals.every((arrived) => arrived(document))) entry.state = 'ready'
  }

  /** Lets a write be computed again from what other clients have made of the metadata. */
  #sendAgain(entry: QueuedWrite<Refusal>): void {
    entry.outrunSince ??= Date.now()
    if (this.#stopped) this.#settle(entry, { kind: 'broken', error: interrupted() })
    else if (Date.now() - entry.outrunSince > this.#times.contention)
      this.#settle(entry, {
        kind: 'broken',
        error: new ClientError('conflict', 'another client changes it all the time'),
      })
    else entry.state = 'ready'
  }

  #wait(entry: QueuedWrite<Refusal>, arrivals: readonly Arrival[]): void {
    entry.state = 'waiting'
    entry.arrivals = arrivals
    entry.waitTimer ??= setTimeout(() => this.#endWait(entry), this.#times.wait)
  }

  /** One last try: its answer is the error that is reported. */
  #endWait(entry: QueuedWrite<Refusal>): void {
    entry.last = true
    if (entry.state !== 'waiting') return
    entry.state = 'ready'
    void this.#run()
  }

  /**
   * While all that is left waits, the one that has waited longest frees its slot: what comes next in it may be
   * what the rest wait for.
   */
  #startGrace(): void {
    this.#stopGrace()
    const waiting = this.#inState('waiting')
    const [longest] = waiting
    const { grace, fullGrace } = this.#times
    if (longest) this.#grace = setTimeout(() => this.#endWait(longest), waiting.length < this.#most ? grace : fullGrace)
  }

  #stopGrace(): void {
    clearTimeout(this.#grace ?? undefined)
    this.#grace = null
  }

  #expire(entry: QueuedWrite<Refusal>): void {
    if (entry.state === 'out') return // sent is sent: its answer says what is there
    this.#settle(entry, { kind: 'broken', error: new ClientError('unreachable', 'its time is over; it was not sent') })
  }

  #settleAll(entries: readonly QueuedWrite<Refusal>[], written: Written<Refusal>): void {
    for (const entry of entries) this.#settle(entry, written)
  }

  #settle(entry: QueuedWrite<Refusal>, written: Written<Refusal>): void {
    this.#forget(entry)
    if (written.kind === 'done') entry.write.wasDone?.()
    entry.resolve(written)
  }

  #abandon(entries: readonly QueuedWrite<Refusal>[], mistake: unknown): void {
    for (const entry of entries) {
      this.#forget(entry)
      entry.reject(mistake)
    }
  }

  #forget(entry: QueuedWrite<Refusal>): void {
    entry.state = 'settled'
    clearTimeout(entry.waitTimer ?? undefined)
    clearTimeout(entry.limitTimer ?? undefined)
    this.#entries.delete(entry)
  }
}

/** How often a write is tried again whose refusal may be due to other writes. */
const mostRetries = 2

const versionOf = ({ catalogId, resourceVersion }: LiveMetadata) => ({ catalogId, resourceVersion })

const interrupted = () => new ClientError('interrupted', 'interrupted')
