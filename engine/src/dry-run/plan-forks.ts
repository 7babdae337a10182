import { PlanFork } from './plan-fork.ts'

/** How many plans are cached, for how long one that no client requests, and how many members one may have. */
export const forkLimits = { plans: 64, idleSeconds: 900, members: 100_000 }

/** The forks of the plans that are being made, the least recently used first. */
export class PlanForks {
  readonly #forks = new Map<string, { readonly fork: PlanFork; readonly expiry: NodeJS.Timeout }>()

  /** The plan's fork, made when it is not there (any more): its `members` report it. */
  take(id: string): PlanFork {
    const fork = this.#forks.get(id)?.fork ?? new PlanFork(id)
    this.drop(id)
    const expiry = setTimeout(() => this.drop(id), forkLimits.idleSeconds * 1000)
    expiry.unref()
    this.#forks.set(id, { fork, expiry })
    const [oldest] = this.#forks.keys()
    if (this.#forks.size > forkLimits.plans && oldest !== undefined) this.drop(oldest)
    return fork
  }

  drop(id: string): void {
    clearTimeout(this.#forks.get(id)?.expiry)
    this.#forks.delete(id)
  }

  close(): void {
    for (const id of [...this.#forks.keys()]) this.drop(id)
  }
}
