import { findObject, type MetadataDocument, type MetadataObject, removeObject, setValue } from '@svc/schema'
import { type Arrival, type Decision, needsOf, type Write } from '../client/index.ts'
import { identityOf, importId, type JsonSpelling, type Reference, rankOf, type Values } from '../resources/index.ts'
import { errorAt, errorOf } from './diagnostic.ts'
import { changedSince, shownDifferences, stepTo } from './object-steps.ts'
import type { Diagnostic } from './provider.ts'
import { isNeeded, isThere, referencesOf, tablesNeeded } from './references.ts'
import { renderDifference } from './render-changes.ts'
import type { WantedObject } from './wanted-object.ts'

export interface WriteRules {
  readonly adoptExisting: boolean
  readonly spelling: JsonSpelling
}

/** Makes a resource's object. One that is there already is taken over or refused. */
export function createWrite(wanted: WantedObject, rules: WriteRules): Write<Diagnostic> {
  return {
    rank: 1 + rankOf(wanted.kind.type),
    decide(document, doubt) {
      const live = findObject(document, wanted.address)
      if (!live) return send(wanted, undefined)
      const mine = stepTo(wanted, live).kind === 'none' && (doubt || rules.adoptExisting)
      return mine ? done : { kind: 'refused', refusal: refuseExisting(wanted, live, rules) }
    },
    waitsFor: arrivalsOf(wanted, rules.spelling),
  }
}

/** Changes a resource's object. One that others changed since `prior` is left alone; one that is gone is made again. */
export function updateWrite(wanted: WantedObject, prior: Values, { spelling }: WriteRules): Write<Diagnostic> {
  return {
    rank: 1 + rankOf(wanted.kind.type),
    decide(document) {
      const live = findObject(document, wanted.address)
      if (!live || stepTo(wanted, live).kind === 'none') return send(wanted, live)
      const changed = changedSince(wanted.kind, prior, live, wanted.place, spelling)
      return changed.length === 0 ? send(wanted, live) : { kind: 'refused', refusal: refuseChanged(wanted, changed) }
    },
    waitsFor: arrivalsOf(wanted, spelling),
  }
}

/** Removes a resource's object; gone already, with the table it lay in, is as good. */
export function deleteWrite(gone: WantedObject): Write<Diagnostic> {
  const { kind, address, place } = gone
  return {
    rank: -1 - rankOf(kind.type),
    decide(document) {
      const live = findObject(document, address)
      if (!live) return done
      const outcome = (before: MetadataDocument) =>
        findObject(before, address) ? removeObject(before, address) : before
      return { kind: 'send', operations: kind.delete(live.value, place), overwrites: false, outcome }
    },
    waitsFor: (document, error) => (error && holdsOn.has(error.code) ? [changeOf(document)] : []),
  }
}

const done = { kind: 'done' } as const

/** Something else still uses it, which may be on its way out. */
const holdsOn: ReadonlySet<string> = new Set(['dependency-error', 'unexpected'])

function send(wanted: WantedObject, live: MetadataObject | undefined): Decision<Diagnostic> {
  const step = stepTo(wanted, live)
  switch (step.kind) {
    case 'none':
      return done
    case 'operations': {
      const { operations, value } = step
      const { address } = wanted
      const outcome = (document: MetadataDocument) =>
        address.parent && !findObject(document, address.parent) ? document : setValue(document, address, value)
      return { kind: 'send', operations, overwrites: live !== undefined, outcome }
    }
    case 'impossible':
      return { kind: 'refused', refusal: refuseImpossible(wanted) }
  }
}

function arrivalsOf(wanted: WantedObject, spelling: JsonSpelling): Write<Diagnostic>['waitsFor'] {
  return (document, error) => {
    const references = referencesOf(wanted.kind, wanted.values, wanted.valueOver({}), spelling)
    if (!error) {
      // that it is a relationship is only guessed by its spelling, and a role may inherit its permissions: the engine's
      // refusal says so
      const certain = references.filter(({ to }) => to !== 'relationship' && to !== 'select-permission')
      return certain.filter((reference) => !isThere(document, reference)).map(arrivalOf)
    }
    const missing = references.filter((reference) => !isThere(document, reference))
    const needs = needsOf(error)
    const untracked = tablesNeeded(needs).filter((table) => !findObject(document, table.address))
    return [
      ...missing.map(arrivalOf),
      ...untracked.map(
        (table): Arrival =>
          (later) =>
            findObject(later, table.address) !== undefined,
      ),
      ...(references.some((reference) => isNeeded(reference, needs)) ? [changeOf(document)] : []),
    ]
  }
}

const arrivalOf =
  (reference: Reference): Arrival =>
  (document) =>
    isThere(document, reference)

const changeOf =
  (before: MetadataDocument): Arrival =>
  (document) =>
    document !== before

export const refuseImpossible = ({ kind }: WantedObject): Diagnostic =>
  errorOf(`the engine has no operation that makes this change of a ${kind.kind}`)

/** What stands in the way of making an object, and how to take it over. */
export function refuseExisting(
  wanted: WantedObject,
  live: MetadataObject,
  { spelling, adoptExisting }: WriteRules,
): Diagnostic {
  const { kind, values } = wanted
  const id = importId(identityOf(kind, values) ?? [])
  const differing = shownDifferences(wanted, live, spelling)
  const lines = differing.map((difference) =>
    difference.old === difference.new ? `${difference.path.join('.')}: a secret differs` : renderDifference(difference),
  )
  if (lines.length === 0)
    return errorOf(
      `${kind.kind} ${id} exists already`,
      `It is equal. Import it by the id "${id}", or set adopt_existing.`,
    )
  return errorOf(
    `${kind.kind} ${id} exists already and differs`,
    [
      `Existing and wanted:`,
      ...lines,
      `${adoptExisting ? 'What differs is not taken over. ' : ''}Import it by the id "${id}".`,
    ].join('\n'),
  )
}

const refuseChanged = ({ kind, values }: WantedObject, names: readonly string[]): Diagnostic =>
  errorAt(
    kind.attributes,
    names.slice(0, 1),
    'somebody else has changed it since the plan was made',
    `${kind.kind} ${importId(identityOf(kind, values) ?? [])} differs from what the plan went out from in ${names.join(', ')}. Nothing was changed: plan again.`,
  )
