import { setTimeout as pause, setImmediate as soon } from 'node:timers/promises'
import { addressText, type ObjectAddress } from '@svc/schema'
import type { PlanFork, Verdict } from '../client/index.ts'
import type { Diagnostic } from './provider.ts'
import type { ToolCalls } from './tool-calls.ts'

type Needs = Extract<Verdict, { readonly kind: 'pending' }>['needs']

interface WaitingObject {
  readonly name: string
  readonly address: ObjectAddress
  readonly change: 'make' | 'delete' | 'reload'
  /** Without: nothing. */
  readonly needs?: Needs
  /** What is said of it when nothing more comes; `isCertain`: the tool could have sent more, and has not. */
  readonly report: (isCertain: boolean) => readonly Diagnostic[]
  /** Whether it waits no more, where the plan's fork does not say. */
  readonly isThrough?: () => boolean
}

/** A call that is not answered while what its object waits for may still come. */
interface Delayed {
  readonly one: WaitingObject
  readonly answer: (explained: readonly Diagnostic[]) => void
}

/** Where so many wait at once, no call is delayed. */
const few = 3

/** How many calls are delayed at once where each of them is to be reported at its own place. */
const mostDelayedStrictly = 8

/** How long nothing has to come, in milliseconds, before the plan of a CI is refused for it: other providers may be slow. */
const strictQuiet = 5000

const tickMilliseconds = 20

/**
 * What a plan's fork could not do when it was requested, and what of it a later wave of the plan has made possible. A
 * plan has no announced end: what waits is reported when nothing more arrives. Without delaying calls a plan would
 * warn of nothing that it cannot do: a reference that leads nowhere, two objects that need each other, a drop of what is used.
 *
 * A delayed call occupies one of the tool's slots that the waves which it waits for need. Where much waits at once, and
 * where as many are delayed as the tool opens at once, none is delayed: then the apply reports what is left. `strict`: more are
 * delayed, what is not delayed is reported with what is, and nothing counts as missing before a longer quiet.
 */
export class WaitingObjects {
  readonly #fork: PlanFork
  readonly #calls: ToolCalls
  readonly #strict: boolean
  readonly #all = new Map<string, WaitingObject>()
  #delayed: readonly Delayed[] = []
  #isWatching = false
  /** Answered only to see whether the tool then goes on. */
  #probes: readonly WaitingObject[] = []
  /** How many calls had come when one was answered because all slots may have been occupied. */
  #freedAt = Number.POSITIVE_INFINITY

  constructor(fork: PlanFork, calls: ToolCalls, strict: boolean) {
    this.#fork = fork
    this.#calls = calls
    this.#strict = strict
  }

  /** What is to be said of it, or with it, when nothing more comes. */
  waited(one: WaitingObject): Promise<readonly Diagnostic[]> {
    this.#all.set(keyOf(one), one)
    if (!this.#mayDelay(one)) {
      if (this.#strict && one.change !== 'reload') this.#probes = [...this.#probes, one]
      return Promise.resolve(this.#undelayed(one))
    }
    return this.#delay(one)
  }

  #delay(one: WaitingObject): Promise<readonly Diagnostic[]> {
    return new Promise((answer) => {
      this.#delayed = [...this.#delayed, { one, answer }]
      if (this.#isFull) this.#answerDelayed(this.#delayed.slice(0, 1))
      void this.#watch()
    })
  }

  /** Whether all that waited got through. */
  get isThrough(): boolean {
    return [...this.#all.values()].every((one) => this.#isThrough(one))
  }

  /** Resolves when nothing more comes, or at once where a delayed call keeps the tool from sending more. */
  quiet(): Promise<unknown> {
    const address: ObjectAddress = { type: 'metrics_config', own: '', parent: null }
    return this.#delay({ name: '', address, change: 'reload', report: () => [], isThrough: () => false })
  }

  /** Answers the delayed calls that succeeded with what the engine answered meanwhile. */
  release(): void {
    this.#answerDelayed(this.#delayed.filter(({ one }) => this.#isThrough(one)))
  }

  /** Whether what an object needs needs the object. */
  needsItself(address: ObjectAddress): boolean {
    const own = addressText(address)
    const seen = new Set<string>()
    const open = [own]
    for (let text = open.pop(); text !== undefined; text = open.pop())
      for (const { address: needed } of this.#all.get(`make ${text}`)?.needs ?? []) {
        const next = needed ? addressText(needed) : ''
        if (next === own) return true
        if (!needed || seen.has(next) || this.#fork.isMade(needed)) continue
        seen.add(next)
        open.push(next)
      }
    return false
  }

  #mayDelay({ change }: WaitingObject): boolean {
    if (!this.#strict) return this.#count(change) <= few
    return this.#delayed.length < Math.max(1, Math.min(mostDelayedStrictly, this.#calls.mostOpen - 1))
  }

  /** Whether this is planned and waits itself, so that it is not what is missing. */
  isWaiting(address: ObjectAddress): boolean {
    return this.#all.has(`make ${addressText(address)}`)
  }

  /** Whether as many are delayed as the tool ever had open. */
  get #mayBeFull(): boolean {
    return this.#delayed.length >= this.#calls.mostOpen
  }

  /** The same where the tool had the occasion to open more, or went on as soon as it had a slot. */
  get #isFull(): boolean {
    return this.#mayBeFull && (this.#calls.isKnown || this.#calls.seen > this.#freedAt)
  }

  /**
   * Counts moments in which nothing came. Not time: while this process or the machine stands still none is counted, and
   * what arrived meanwhile is seen before the next.
   */
  async #watch(): Promise<void> {
    if (this.#isWatching) return
    this.#isWatching = true
    for (let quiet = 0, seen = -1; this.#delayed.length > 0; quiet += tickMilliseconds) {
      await pause(tickMilliseconds)
      await soon()
      if (seen !== this.#calls.seen || this.#fork.isAsking) quiet = 0
      seen = this.#calls.seen
      if (quiet < this.#quietLimit) continue
      this.#endQuiet()
      quiet = 0
    }
    this.#isWatching = false
  }

  /** Where all slots may be occupied the tool cannot go on: waiting longer would only make it wait. */
  get #quietLimit(): number {
    const { longestQuiet } = this.#calls
    return this.#strict && !this.#mayBeFull ? Math.max(longestQuiet, strictQuiet) : longestQuiet
  }

  /**
   * What needs itself is reported, or all; but first one of several is answered where the tool may have no slot left.
   */
  #endQuiet(): void {
    const circular = this.#delayed.filter(({ one }) => one.change === 'make' && this.needsItself(one.address))
    const [first, ...others] = this.#delayed
    const mayBeFull = this.#mayBeFull
    if (mayBeFull) this.#freedAt = this.#calls.seen
    if (circular.length > 0) this.#report(circular)
    else if (first && mayBeFull && others.length > 0) {
      if (first.one.change !== 'reload') this.#probes = [...this.#probes, first.one]
      this.#answerDelayed([first])
    } else this.#report(this.#delayed)
  }

  /** With what was answered before and is left as well. */
  #report(some: readonly Delayed[]): void {
    const isCertain = !this.#mayBeFull
    const left = this.#probes.filter((one) => this.#isLeft(one)).flatMap((one) => reportElsewhere(one, isCertain))
    this.#probes = []
    this.#delayed = this.#delayed.filter((delayed) => !some.includes(delayed))
    for (const [i, { one, answer }] of some.entries())
      answer([...(this.#isLeft(one) ? one.report(isCertain) : []), ...(i === 0 ? left : [])])
  }

  #answerDelayed(some: readonly Delayed[]): void {
    this.#delayed = this.#delayed.filter((delayed) => !some.includes(delayed))
    for (const { one, answer } of some) answer(this.#undelayed(one))
  }

  /** What is said of one that is not delayed: an apply would not report what was only to be read. */
  #undelayed(one: WaitingObject): readonly Diagnostic[] {
    return one.change === 'reload' && !this.#isThrough(one) ? one.report(false) : []
  }

  #isLeft(one: WaitingObject): boolean {
    return !this.#isThrough(one) && (this.#strict || one.change === 'reload' || this.#count(one.change) <= few)
  }

  #count(change: WaitingObject['change']): number {
    return [...this.#all.values()].filter((one) => one.change === change && !this.#isThrough(one)).length
  }

  #isThrough({ address, change, isThrough }: WaitingObject): boolean {
    if (isThrough) return isThrough()
    return change === 'delete' ? this.#fork.isDeleted(address) : this.#fork.isMade(address)
  }
}

const keyOf = ({ address, change }: WaitingObject): string => `${change} ${addressText(address)}`

const reportElsewhere = ({ name, report }: WaitingObject, isCertain: boolean): readonly Diagnostic[] =>
  report(isCertain).map((explained) => ({ ...explained, summary: `${name}: ${explained.summary}`, path: [] }))
