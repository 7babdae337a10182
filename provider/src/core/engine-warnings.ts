import { isRecord, type Json } from '@svc/schema'
import { warningOf } from './diagnostic.ts'
import type { Diagnostic } from './provider.ts'

/** Returns the engine's warnings in its answer to operations that it would accept. */
export function engineWarnings(result: Json): readonly Diagnostic[] {
  if (Array.isArray(result)) return result.flatMap((one: Json) => engineWarnings(one))
  const warnings = isRecord(result) && Array.isArray(result.warnings) ? result.warnings : []
  return warnings.filter(isRecord).map(({ message }) => warningOf(String(message)))
}
