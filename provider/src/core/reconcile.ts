import type { JsonObject } from '@svc/schema'
import { type CommonKind, type JsonSpelling, placeOf, type Value, type Values } from '../resources/index.ts'
import { equalValues, liveForm, meantForm, normalForm } from './normal-form.ts'
import { withId } from './plan-values.ts'
import { writtenOnly } from './write-only.ts'

/**
 * Returns a state as the live object is now: the state's own spelling where both mean the same, what is live where they
 * do not. A stub with nothing but an identity has everything from the live object.
 */
export function reconcile(kind: CommonKind, state: Values, live: JsonObject, spelling: JsonSpelling): Values {
  const place = placeOf(kind, state, spelling)
  const now = liveForm(kind, live, place, state, spelling)
  // spelled as the engine does, which most are: nothing has to be compared by meaning
  if (kind.fields.every(({ name }) => equalValues(now[name], state[name]))) return withId(kind, state)
  const before = normalForm(kind, state, spelling)
  const meant = meantForm(kind, live, place, state, spelling)
  const stub = isStub(kind, state)
  const hidden = stub ? none : hiddenNames(kind, state)
  const values = Object.fromEntries<Value>(
    kind.fields.map(({ name, attribute }) => {
      const stated = state[name] ?? null
      if (hidden.has(name)) return [name, stated]
      const filled = stated !== null || (!stub && attribute.default === undefined)
      return [name, filled && equalValues(before[name], meant[name]) ? stated : (now[name] ?? null)]
    }),
  )
  return withId(kind, values)
}

const none: ReadonlySet<string> = new Set()

const hiddenNames = (kind: CommonKind, state: Values): ReadonlySet<string> =>
  new Set(writtenOnly(kind, state).flatMap(({ siblings }) => siblings.map(({ name }) => name)))

/** Whether a state says only which object it is, as after an import. */
export function isStub(kind: CommonKind, state: Values): boolean {
  const identifying = new Set(kind.identityPaths.map(([head]) => head))
  return kind.fields.every(({ name }) => identifying.has(name) || (state[name] ?? null) === null)
}
