import type { Json } from '@svc/schema'
import type { ChangedBy, Draft } from '../changes/index.ts'

/** The outcome of a command: the draft after it, its answer, and which operation changed what. */
export interface Outcome {
  readonly draft: Draft
  readonly answer: Json
  readonly touched: readonly ChangedBy[]
}
