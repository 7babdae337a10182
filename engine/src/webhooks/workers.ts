/** A queue that delivers events: what waits of it can be dropped at once. */
type Owner = object

interface Waiting {
  readonly owner: Owner
  readonly receiver: Receiver
  /** False: it was dropped. */
  readonly begin: (may: boolean) => void
}

/** Whom deliveries go to: of one trigger, say. */
interface Receiver {
  readonly name: string
  active: number
  /** Deliveries at a time. */
  most: number
}

/**
 * At most so many deliveries at a time, over all sources. A receiver that is not known yet gets an eighth of them, and one
 * more with each delivery that succeeds or fails at once; a receiver that keeps them without an answer gets ever fewer. The
 * last eighth is left to receivers that have less than an eighth: one that answered until now and falls silent keeps no one
 * waiting until its time is out. So webhooks that never answer leave the others their places, and one that answers has all
 * others after a few round trips.
 */
export class Workers {
  readonly #most: number
  readonly #atFirst: number
  /** For receivers that have few. None where there are fewer than eight in all. */
  readonly #reserved: number
  #active = 0
  readonly #receivers = new Map<string, Receiver>()
  /** First come, first served, as far as their receivers may have more. */
  readonly #waiting = new Set<Waiting>()
  readonly #waitingForAny = new Map<Owner, () => void>()

  constructor(most: number) {
    this.#most = most
    this.#atFirst = Math.max(1, Math.floor(most / 8))
    this.#reserved = Math.floor(most / 8)
  }

  get active(): number {
    return this.#active
  }

  /** Resolves when there is one for that receiver, which `done` returns; with false, where its owner leaves before. */
  take(name: string, owner: Owner): Promise<boolean> {
    const receiver = this.#receiver(name)
    if (this.#mayBegin(receiver)) {
      this.#begin(receiver)
      return Promise.resolve(true)
    }
    return new Promise((resolve) => this.#waiting.add({ owner, receiver, begin: resolve }))
  }

  /** `milliseconds`: for which it was taken. */
  done(name: string, milliseconds: number, hasSucceeded: boolean): void {
    const receiver = this.#receiver(name)
    this.#active -= 1
    receiver.active -= 1
    if (hasSucceeded || milliseconds < AT_ONCE) receiver.most = Math.min(this.#most, receiver.most + 1)
    else receiver.most = Math.max(1, Math.floor(receiver.most / 2))
    this.#next()
    this.#forget(receiver)
  }

  /**
   * Resolves when there is a worker that no waiting delivery may have and that any may use, or its owner is woken or
   * leaves.
   */
  async any(owner: Owner): Promise<void> {
    if (!this.#hasAny) await new Promise<void>((resolve) => this.#waitingForAny.set(owner, resolve))
  }

  /** Drops what waits of that owner. */
  leave(owner: Owner): void {
    for (const waiting of this.#waiting) {
      if (waiting.owner !== owner) continue
      this.#waiting.delete(waiting)
      waiting.begin(false)
    }
    this.wake(owner)
  }

  /** Its owner does not wait for any more. */
  wake(owner: Owner): void {
    this.#waitingForAny.get(owner)?.()
    this.#waitingForAny.delete(owner)
  }

  get #hasAny(): boolean {
    return this.#active < this.#most - this.#reserved
  }

  #mayBegin({ active, most }: Receiver): boolean {
    const free = this.#most - this.#active
    return free > 0 && active < most && (active < this.#atFirst || free > this.#reserved)
  }

  #begin(receiver: Receiver): void {
    this.#active += 1
    receiver.active += 1
  }

  #next(): void {
    for (const waiting of this.#waiting) {
      if (this.#active >= this.#most) return
      const { receiver, begin } = waiting
      if (!this.#mayBegin(receiver)) continue
      this.#waiting.delete(waiting)
      this.#begin(receiver)
      begin(true)
    }
    if (!this.#hasAny) return
    for (const wake of this.#waitingForAny.values()) wake()
    this.#waitingForAny.clear()
  }

  #receiver(name: string): Receiver {
    const known = this.#receivers.get(name)
    if (known) return known
    const made: Receiver = { name, active: 0, most: this.#atFirst }
    this.#receivers.set(name, made)
    return made
  }

  /** One-off events have webhooks without number. */
  #forget({ name, active }: Receiver): void {
    if (active > 0 || this.#receivers.size <= MOST_KNOWN) return
    for (const { receiver } of this.#waiting) if (receiver.name === name) return
    this.#receivers.delete(name)
  }
}

/** Milliseconds: a delivery that fails sooner delays no one. */
const AT_ONCE = 1000
const MOST_KNOWN = 10_000
