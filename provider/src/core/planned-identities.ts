import type { CommonKind } from '../resources/index.ts'
import type { PlanRequest, PlanResult } from './provider.ts'

/**
 * Which identities a plan makes, keeps and deletes. One that is deleted under one address and made under another is a
 * renamed resource; one that is made while a state has it is made again.
 */
export class PlannedIdentities {
  readonly #isOwned: (key: string) => boolean
  readonly #remaining = new Set<string>()
  readonly #made = new Set<string>()
  readonly #deleted = new Set<string>()
  /** Of these, what the apply will delete. */
  readonly #released = new Set<string>()

  /** `isOwned`: whether a state of this run has it. */
  constructor(isOwned: (key: string) => boolean) {
    this.#isOwned = isOwned
  }

  /** Notes a planned change, before it is checked. Returns whether what is to be made is there as its own. */
  note(kind: CommonKind, { prior, former }: PlanRequest, { planned }: PlanResult): boolean {
    const before = keyOf(kind, prior?.id)
    const now = keyOf(kind, planned?.id)
    if (before !== null && planned === null) this.#deleted.add(before)
    if (before !== null && before === now) this.#remaining.add(before)
    if (prior !== null || now === null) return false
    const isSecondHalf = former !== undefined && keyOf(kind, former) === now
    this.#made.add(now)
    return isSecondHalf || (this.#isOwned(now) && !this.#remaining.has(now))
  }

  /**
   * The same once it is checked, since more has arrived meanwhile. `renamed`: what goes and comes, to be reported.
   * `clash`: what remains although a plan that is answered already released it.
   */
  reconsider(
    kind: CommonKind,
    { prior }: PlanRequest,
    { planned }: PlanResult,
    isAnew: boolean,
  ): { readonly anew: boolean; readonly renamed: string | null; readonly clash: string | null } {
    const before = keyOf(kind, prior?.id)
    const now = keyOf(kind, planned?.id)
    if (before !== null && planned === null) {
      const remains = this.#made.has(before) || this.#remaining.has(before)
      if (!remains) this.#released.add(before)
      return { anew: remains, renamed: remains ? before : null, clash: null }
    }
    const clash = before !== null && before === now && this.#released.has(before) ? before : null
    const renamed = prior === null && now !== null && this.#deleted.has(now) ? now : null
    return { anew: isAnew, renamed, clash }
  }
}

const keyOf = ({ kind }: CommonKind, id: unknown): string | null => (typeof id === 'string' ? `${kind} ${id}` : null)
