import { isRecord, type Json } from '@svc/schema'
import type { ChangedBy, Draft } from '../changes/index.ts'
import type { Warning } from '../metadata/index.ts'

/** The outcome of a command: the draft after it, its answer, and which operation changed what. */
export interface Outcome {
  readonly draft: Draft
  readonly answer: Json
  readonly touched: readonly ChangedBy[]
}

/** Warnings of what follows from an operation join its own; an answer that is no object has no place for them. */
export function withWarnings(answer: Json, warnings: readonly Warning[]): Json {
  if (warnings.length === 0 || !isRecord(answer)) return answer
  const own = Array.isArray(answer.warnings) ? (answer.warnings as readonly Json[]) : []
  return { ...answer, warnings: [...own, ...warnings.map((warning) => ({ ...warning }))] }
}
