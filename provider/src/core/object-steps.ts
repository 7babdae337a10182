import type { JsonObject, MetadataObject } from '@svc/schema'
import type { JsonSpelling, Operation, ResourceKind, Value, Values } from '../resources/index.ts'
import { type Difference, differences } from './differences.ts'
import { equalMeaning, equalValues, meantForm, normalForm } from './normal-form.ts'
import type { WantedObject } from './wanted-object.ts'
import { writtenOnly } from './write-only.ts'

/** What makes an object that is there, or is not, the wanted one. */
export type Step =
  | { readonly kind: 'none' }
  | { readonly kind: 'operations'; readonly operations: readonly Operation[]; readonly value: JsonObject }
  /** No operation can say it. */
  | { readonly kind: 'impossible'; readonly value: JsonObject }

/** Returns the step from the existing object, or none, to the wanted one. */
export function stepTo(wanted: WantedObject, live: MetadataObject | undefined): Step {
  const { kind, place } = wanted
  const value = wanted.valueOver(live?.value ?? {})
  if (live && equalMeaning(kind, live.value, value)) return { kind: 'none' }
  const operations = live ? kind.update(live.value, value, place) : kind.create(value, place)
  return operations ? { kind: 'operations', operations, value } : { kind: 'impossible', value }
}

/**
 * Returns the attributes in which an existing object differs from what a state says of it; that is: what other clients
 * changed since then. What a state does not store differs in nothing.
 */
export function changedSince(
  kind: ResourceKind,
  state: Values,
  live: MetadataObject,
  place: JsonObject,
  spelling: JsonSpelling,
): readonly string[] {
  const before = normalForm(kind, state, spelling)
  const now = meantForm(kind, live.value, place, state, spelling)
  const hidden = new Set(writtenOnly(kind, state).flatMap(({ siblings }) => siblings.map(({ name }) => name)))
  return kind.fields
    .map(({ name }) => name)
    .filter((name) => !hidden.has(name) && !equalValues(before[name], now[name]))
}

/** Whether an existing object is the wanted one, though it may be spelled otherwise. */
export function meansTheSame(wanted: WantedObject, live: MetadataObject, spelling: JsonSpelling): boolean {
  if (stepTo(wanted, live).kind === 'none') return true
  const { kind, values, place } = wanted
  // what no attribute speaks of is as it is there; what a state does not store cannot be compared by attributes
  if (kind.fields.some(({ name, attribute }) => attribute.writeOnly && (values[name] ?? null) !== null)) return false
  const now = meantForm(kind, live.value, place, values, spelling)
  const then = meantForm(kind, wanted.valueOver(live.value), place, values, spelling)
  return kind.fields.every(({ name }) => equalValues(now[name], then[name]))
}

/** Returns how the existing object differs from the wanted one, attribute by attribute; secrets only by their name. */
export function shownDifferences(
  wanted: WantedObject,
  live: MetadataObject,
  spelling: JsonSpelling,
): readonly Difference[] {
  const { kind, values, place } = wanted
  const now = meantForm(kind, live.value, place, values, spelling)
  const then = meantForm(kind, wanted.valueOver(live.value), place, values, spelling)
  return kind.fields.flatMap(({ name, attribute }) => {
    const old: Value = now[name] ?? null
    const next: Value = then[name] ?? null
    if (equalValues(old, next)) return []
    if (attribute.sensitive) return [{ path: [name], old: null, new: null }]
    return differences(shownJson(old), shownJson(next), [name])
  })
}

const shownJson = (value: Value) => value as Parameters<typeof differences>[0]
