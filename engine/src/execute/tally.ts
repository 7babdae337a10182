import type { AskedParts } from '../graphql/index.ts'
import type { GraphqlRequest } from './graphql-request.ts'

/** Counts how often an operation of a role is executed (docs/usage.md). */
export interface Tally {
  add(): void
  /** Adds what it requests in addition to what was known. */
  learn(asked: AskedParts): void
}

/** An operation that was planned. */
export interface PlannedOperation {
  readonly request: Pick<GraphqlRequest, 'query'>
  readonly role: string
  /** Its own, whatever the request calls it. */
  readonly operationName: string | null
  readonly type: 'query' | 'mutation' | 'subscription'
  readonly asked: AskedParts
}

/** Returns what counts an operation; null: nothing does. It is called once for each plan. */
export type TallyOf = (operation: PlannedOperation) => Tally | null
