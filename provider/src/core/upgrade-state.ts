import { isRecord, type Json } from '@svc/schema'
import { type CommonKind, isValues, type Values } from '../resources/index.ts'
import { errorOf } from './diagnostic.ts'
import type { StateResult } from './provider.ts'

/** A state that an older version of the kind has written, as this one writes it. */
export function upgradeState(kind: CommonKind, version: number, state: unknown): StateResult {
  if (version > kind.version)
    return { state: null, diagnostics: [errorOf(`the state of this ${kind.kind} was written by a newer provider`)] }
  if (!isValues(state as Values))
    return { state: null, diagnostics: [errorOf(`the state of this ${kind.kind} is no object`)] }
  const steps = kind.upgrades?.slice(version) ?? []
  const now = steps.reduce<Json>((json, step) => (isRecord(json) ? step(json) : json), state as Json)
  return { state: now as Values, diagnostics: [] }
}
