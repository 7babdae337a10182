import type { TableId } from '../../object-ids.ts'

/** Something that is wrong with a computed field. */
export interface Problem {
  readonly text: string
  readonly at?: readonly string[]
  /** A table that would have to be tracked. */
  readonly needs?: TableId
}

export type Say = (...problems: readonly Problem[]) => void
