import { addressText, type MetadataDocument, type MetadataObject, type ObjectAddress } from '@svc/schema'
import { type Arrival, type Decision, needsOf, type Write } from '../client/index.ts'
import { type JsonSpelling, type Operation, type Reference, rankOf, type Values } from '../resources/index.ts'
import { containedIn, namesOf } from './contained-objects.ts'
import { findObject, setValue, withoutObject } from './document-objects.ts'
import { type Move, moveOf } from './move-object.ts'
import { equalMeaning } from './normal-form.ts'
import { changedSince, meansTheSame, stepTo } from './object-steps.ts'
import type { Diagnostic, Tool } from './provider.ts'
import { isNeeded, isThere, referencesOf, tablesNeeded } from './references.ts'
import type { RunMemory } from './run-memory.ts'
import { placeIn } from './walk-objects.ts'
import type { WantedObject } from './wanted-object.ts'
import {
  refuseChanged,
  refuseContaining,
  refuseExisting,
  refuseImpossible,
  staysForOther,
  type WriteRules,
} from './write-refusals.ts'

/**
 * Makes a resource's object. An existing one is adopted or refused. `takesOver`: it is the resource's own,
 * made again under its identity, and becomes what is wanted without being deleted in between.
 */
export function createWrite(
  wanted: WantedObject,
  rules: WriteRules,
  memory: RunMemory,
  takesOver: boolean,
): Write<Diagnostic> {
  const arrivals = arrivalsOf(wanted, rules.spelling)
  const writer = {}
  const decide = (document: MetadataDocument, doubt: boolean): Decision<Diagnostic> => {
    const live = findObject(document, wanted.address)
    if (!live) return send(wanted, undefined)
    const isOwn = takesOver || (memory.isMoved(wanted.address) && !memory.isOwned(wanted.address))
    if (isOwn) return sendAnew(document, wanted, live)
    const mine = (doubt || rules.adoptExisting) && meansTheSame(wanted, live, rules.spelling)
    return mine ? done : { kind: 'refused', refusal: refuseExisting(wanted, live, rules) }
  }
  return {
    rank: 1 + rankOf(wanted.kind.type),
    decide: claiming(wanted.address, memory, writer, decide),
    waitsFor(document, error) {
      if (error) memory.release(wanted.address, writer)
      return arrivals(document, error)
    },
    wasDone: () => memory.own(wanted.address),
  }
}

/**
 * Changes a resource's object. One that other clients changed since `prior` is not changed; one that no longer exists
 * is made again.
 */
export function updateWrite(
  wanted: WantedObject,
  prior: Values,
  { spelling }: WriteRules,
  memory: RunMemory,
): Write<Diagnostic> {
  return {
    rank: 1 + rankOf(wanted.kind.type),
    decide(document) {
      const live = findObject(document, wanted.address)
      if (!live || stepTo(wanted, live).kind === 'none') return send(wanted, live)
      const changed = changedSince(wanted.kind, prior, live, wanted.place, spelling)
      return changed.length === 0 ? send(wanted, live) : { kind: 'refused', refusal: refuseChanged(wanted, changed) }
    },
    waitsFor: arrivalsOf(wanted, spelling),
    wasDone: () => memory.own(wanted.address),
  }
}

export interface DeleteRules {
  readonly memory: RunMemory
  /** Whether the objects inside it may be deleted too. */
  readonly force: boolean
  readonly tool: Pick<Tool, 'renamed' | 'typeName'>
}

/**
 * Removes a resource's object; one that is already deleted, with its table, counts as removed. One that this run has
 * made or adopted belongs to another resource and remains; objects inside it that are not deleted themselves need
 * consent.
 */
export function deleteWrite(declared: WantedObject, { memory, force, tool }: DeleteRules): Write<Diagnostic> {
  const { kind } = declared
  let gone = declared
  return {
    rank: -1 - rankOf(kind.type),
    decide(document) {
      const found = whereItIs(document, declared, memory)
      // where it has gone it may have become another resource's, which is no news
      gone = found !== declared && memory.isOwned(found.address) ? declared : found
      const { address, place } = gone
      const live = findObject(document, address)
      if (!live) return done
      if (memory.isOwned(address)) return { kind: 'refused', refusal: staysForOther(gone, tool.renamed) }
      const contained = force ? [] : containedIn(document, address)
      if (contained.length > 0)
        return {
          kind: 'refused',
          refusal: refuseContaining(gone, namesOf(document, contained, tool.typeName), tool.renamed),
        }
      const outcome = (before: MetadataDocument) => withoutObject(before, address)
      return { kind: 'send', operations: kind.delete(live.value, place), overwrites: false, outcome }
    },
    wasDone: () => memory.forget(gone.address),
    waitsFor(document, error) {
      const { address } = whereItIs(document, declared, memory)
      if (error) return holdsOn.has(error.code) ? [changeOf(document)] : []
      const isFree = (later: MetadataDocument) => memory.isOwned(address) || containedIn(later, address).length === 0
      return force || isFree(document) ? [] : [isFree]
    },
  }
}

/** A decision that leaves no doubt, for what goes out together with it, whose the object will be. */
const claiming =
  (address: ObjectAddress, memory: RunMemory, writer: object, decide: Write<Diagnostic>['decide']) =>
  (document: MetadataDocument, doubt: boolean): Decision<Diagnostic> => {
    memory.release(address, writer)
    const decision = decide(document, doubt)
    if (decision.kind !== 'refused') memory.claim(address, writer)
    return decision
  }

/** Returns a resource's object, where it has moved with its parent if it is no longer where the resource had it. */
function whereItIs(document: MetadataDocument, had: WantedObject, memory: RunMemory): WantedObject {
  if (findObject(document, had.address)) return had
  const carried = memory.carried(had)
  return carried && findObject(document, carried.address) ? { ...had, ...carried } : had
}

/**
 * Changes the identity of a resource's object, with what is in it. `names`: what names it is changed too. Where it has
 * moved there already, with what it is in, only its value is changed.
 */
export function moveWrite(
  had: WantedObject,
  wanted: WantedObject,
  { rules, memory, names }: { readonly rules: WriteRules; readonly memory: RunMemory; readonly names: boolean },
): Write<Diagnostic> {
  const arrivals = arrivalsOf(wanted, rules.spelling)
  let moved: Move | null = null
  const writer = {}
  const decide = (document: MetadataDocument, doubt: boolean): Decision<Diagnostic> => {
    moved = null
    const old = whereItIs(document, had, memory)
    const there = findObject(document, wanted.address)
    const isElsewhere = addressText(old.address) !== addressText(wanted.address)
    const live = isElsewhere && !memory.isOthers(old.address, writer) ? findObject(document, old.address) : undefined
    const cameAlong = memory.isMoved(wanted.address)
    if (!live) {
      const isMine = there && (cameAlong || doubt || meansTheSame(wanted, there, rules.spelling))
      if (there && !isMine) return { kind: 'refused', refusal: refuseExisting(wanted, there, rules) }
      return send(wanted, there)
    }
    const changed = changedSince(old.kind, old.values, live, old.place, rules.spelling)
    const changedHere = old === had ? changed : changed.filter((name) => !old.kind.parents.includes(name))
    if (changedHere.length > 0) return { kind: 'refused', refusal: refuseChanged(old, changedHere) }
    if (there && cameAlong && old !== had) return become(wanted, there, old, live)
    if (there) return { kind: 'refused', refusal: refuseExisting(wanted, there, rules) }
    const move = moveOf(document, live, old, wanted, names)
    if (!move) return { kind: 'refused', refusal: refuseImpossible(wanted) }
    moved = move
    memory.send(old.address, wanted.address, placeIn(move.object, wanted.place))
    const { operations, outcome, rewrites } = move
    return { kind: 'send', operations, overwrites: false, outcome, rewrites }
  }
  return {
    rank: 1 + rankOf(wanted.kind.type),
    decide: claiming(wanted.address, memory, writer, decide),
    // what the old name stands in the way of is tried with the names changed, not waited for
    waitsFor(document, error) {
      if (error) memory.release(wanted.address, writer)
      return error && !names ? [] : arrivals(document, error)
    },
    wasDone() {
      if (moved) memory.move(wanted.address, moved.object)
      memory.own(wanted.address)
    },
  }
}

/** What came along under the wanted identity becomes the resource's; what came along as the resource's own goes. */
function become(
  wanted: WantedObject,
  there: MetadataObject,
  old: WantedObject,
  live: MetadataObject,
): Decision<Diagnostic> {
  const becomes = send(wanted, there)
  const leaves = old.kind.delete(live.value, old.place)
  const without = (before: MetadataDocument) => withoutObject(before, old.address)
  switch (becomes.kind) {
    case 'refused':
      return becomes
    case 'done':
      return { kind: 'send', operations: leaves, overwrites: false, outcome: without }
    case 'send':
      return {
        ...becomes,
        operations: [...leaves, ...becomes.operations],
        outcome: (before) => becomes.outcome(without(before)),
      }
  }
}

/**
 * Returns the operations that make an object as if it were made now, without removing the objects inside it. Null: no
 * operation can.
 */
export function anewOperations(
  document: MetadataDocument,
  wanted: WantedObject,
  live: MetadataObject,
): readonly Operation[] | null {
  const value = wanted.valueOver({})
  const { kind, place } = wanted
  if (equalMeaning(kind, live.value, value)) return []
  const anew = { ...wanted, valueOver: () => value }
  return kind.update(live.value, value, place) ?? moveOf(document, live, wanted, anew, false)?.operations ?? null
}

/** Returns an object as it would be if it were made now, with the objects inside it. */
function sendAnew(document: MetadataDocument, wanted: WantedObject, live: MetadataObject): Decision<Diagnostic> {
  const value = wanted.valueOver({})
  const { address } = wanted
  const operations = anewOperations(document, wanted, live)
  if (!operations) return { kind: 'refused', refusal: refuseImpossible(wanted) }
  if (operations.length === 0) return done
  const outcome = (before: MetadataDocument) =>
    findObject(before, address) ? setValue(before, address, value) : before
  return { kind: 'send', operations, overwrites: true, outcome }
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
