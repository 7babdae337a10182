import { addressText, type ObjectAddress } from '@svc/schema'
import type { PlanFork, Verdict } from '../client/index.ts'

type Needs = Extract<Verdict, { readonly kind: 'pending' }>['needs']

interface WaitingObject {
  readonly address: ObjectAddress
  readonly change: 'make' | 'delete'
  readonly needs: Needs
}

/** Where so many wait at once nobody is held up for it. */
const few = 3

/** What a plan's fork could not do when it was asked for, and what of it a later wave of the plan has made possible. */
export class WaitingObjects {
  readonly #fork: PlanFork
  readonly #all = new Map<string, WaitingObject>()

  constructor(fork: PlanFork) {
    this.#fork = fork
  }

  /**
   * Whether it still waits when nothing more comes for a moment. Where much waits at once the waves are many, and waiting
   * for them would take the tool's slots from the very waves: then the apply tells what is left.
   */
  async isLeft(one: WaitingObject): Promise<boolean> {
    this.#all.set(keyOf(one), one)
    if (this.#count(one.change) > few) return false
    await this.#fork.quiet()
    return !this.#isThrough(one) && this.#count(one.change) <= few
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

  #count(change: WaitingObject['change']): number {
    return [...this.#all.values()].filter((one) => one.change === change && !this.#isThrough(one)).length
  }

  #isThrough({ address, change }: WaitingObject): boolean {
    return change === 'delete' ? this.#fork.isDeleted(address) : this.#fork.isMade(address)
  }
}

const keyOf = ({ address, change }: WaitingObject): string => `${change} ${addressText(address)}`
