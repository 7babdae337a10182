import { type Draft, Mutex, type ServedState } from '../changes/index.ts'
import type { Command } from '../requests/index.ts'
import type { Waiting } from './waiting.ts'

/** What a plan's dry runs have made so far: a draft that is never stored, and the members it came from. */
export class PlanFork {
  readonly id: string
  readonly #lock = new Mutex()
  /** The served state it goes out from; on another one its members are tried again. */
  base: ServedState | null = null
  draft: Draft | null = null
  members: readonly Command[] = []
  /** Members that wait for other members. */
  waiting: readonly Waiting[] = []
  #count = 0

  constructor(id: string) {
    this.id = id
  }

  get size(): number {
    return this.#count
  }

  /** One request of a plan after the other. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#lock.run(work)
  }

  add(command: Command): void {
    this.members = [...this.members, command]
    this.#count += membersOf(command)
  }
}

export const membersOf = (command: Command): number => (command.kind === 'bulk' ? command.members.length : 1)
