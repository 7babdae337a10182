import type { Person, Variant } from './oracle.ts'

/** When what was served: an answer is right if it is that of a round and a variant of its time. */
export interface Clock {
  /** The round that is committed, and the one that is being made. */
  committed: number
  begun: number
  /** What answers to requests that begin now may rest on. */
  variants: ReadonlySet<Variant>
  /** All of them since the request began, by the requests that are under way. */
  readonly seen: Set<Set<Variant>>
  /** The database is away, or was a moment ago. */
  away: boolean
}

export interface AskedRead {
  readonly person: Person
  readonly selection: number
  readonly least: number
}

export interface Payload {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: unknown
}

export interface Live {
  readonly asked: AskedRead
  last: string
  round: number
}

export interface Streamed {
  readonly person: Person
  readonly ids: number[]
}
