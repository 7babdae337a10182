import { type Json, recordOf, recordsIn } from '@svc/schema'
import { warningOf } from './diagnostic.ts'
import type { Diagnostic } from './provider.ts'

/** Returns the engine's warnings in its answer to operations that it would accept. */
export function engineWarnings(result: Json): readonly Diagnostic[] {
  if (Array.isArray(result)) return result.flatMap((one: Json) => engineWarnings(one))
  return recordsIn(recordOf(result).warnings).map(({ message }) => warningOf(String(message)))
}
