/** What a backend makes of IR, and what is needed to run it. */
import type { QualifiedName, RootQuery, StreamQuery, Value } from '../ir/index.ts'

export interface CompileOptions {
  readonly stringifyNumericTypes: boolean
  /** How often a statement may reach other tables, at most: validation-failed beyond. Absent: 1,000. */
  readonly mostJoins?: number
  /** What writes have behind the text of each statement: tags of their queries. */
  readonly tag?: string
}

/**
 * The side effects that a statement may have. `none`: nothing, so it may be sent again, measured, and pipelined
 * together with the statements of other requests. `unknown`: volatile functions and native queries. `writes`: changes
 * rows. Those two run on a connection of their own and are sent again only where they provably never began. `rows`:
 * changes few rows, and runs nothing of a user's for it; such transactions may be pipelined too, and be sent again
 * where the server has said that it rolled them back.
 */
export type Effects = 'none' | 'unknown' | 'writes' | 'rows'

/** One statement that returns one row with one text column, the JSON of the root field, or no row for null. */
export interface CompiledQuery {
  readonly text: string
  readonly slots: readonly Value[]
  readonly effects: Effects
  /**
   * The shape of the answer, where the connection makes it of rows and the database makes no JSON. Only its backend
   * knows more.
   */
  readonly shape?: object
  /**
   * Of a write: nothing that runs for it reads the session, as long as these tables are as they were read. Absent:
   * something may.
   */
  readonly restsOn?: RestsOn
  /** The SQL with every slot inlined as a cast literal, for explain. `show` returns the bound text. */
  inlined(show: (slot: Value) => string | null): string
}

export interface RestsOn {
  /** The parameter for the time when the tables were found so: the statement fails where they may have changed since. */
  readonly parameter: number
  /** What writing or reading rows of each of them runs nothing of a user's. */
  readonly tables: readonly { readonly table: QualifiedName; readonly rows: 'inserted' | 'changed' | 'read' }[]
}

/** What is needed to run a query: thousands are cached, so without the query that it was made of. */
export type Statement = Omit<CompiledQuery, 'inlined'>

/** A root field of a subscription. */
export type MultiplexedRoot =
  | { readonly kind: 'query'; readonly query: RootQuery }
  | { readonly kind: 'stream'; readonly query: StreamQuery }

/**
 * One statement that runs the same query for many members, each with values of its own
 * (reference/subscriptions#live-queries). It returns a row for each member: its number, then the JSON of each root
 * field, NULL for null, and behind that of a stream the text of the cursor that its batch ends with.
 */
export interface MultiplexedQuery {
  readonly text: string
  readonly effects: Effects
  /** What each member brings. */
  readonly slots: readonly Value[]
  /** What all have in common. */
  readonly shared: readonly Value[]
  /** What the statement is run with: the texts of the members' slots, and those of `shared`. Members are numbered from 0. */
  parameters(
    members: readonly (readonly (string | null)[])[],
    shared: readonly (string | null)[],
  ): readonly (string | null)[]
  /** The SQL with all of it inlined, for explain. */
  inlined(members: readonly (readonly (string | null)[])[], shared: readonly (string | null)[]): string
}

/** A statement and the texts of its slots. */
export interface BoundStatement {
  readonly plan: Statement
  readonly parameters: readonly (string | null)[]
}
