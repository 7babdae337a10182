import { findObject, type ObjectType, sourceAddress } from '@svc/schema'
import type { EarlyPart } from '../../metadata/index.ts'
import type { ReadySource } from '../../sources/index.ts'
import type { PlannedEffects, SourceEffects } from './effect-handler.ts'
import {
  creationsIn,
  type MetadataSnapshot,
  type PlacedObject,
  type Transition,
  transitionsBetween,
} from './transition.ts'

/** What is to be run on one source. */
export interface SourcePlan {
  readonly source: ReadySource
  readonly effects: readonly PlannedEffects[]
  /** Metadata has nothing of the source any more, or not even the source. */
  readonly isEmptied: boolean
}

/** Of an object that was not there before, of a kind whose names are unique in a database. */
export interface NewName {
  readonly source: ReadySource
  readonly type: ObjectType
  readonly name: string
  readonly refusal: (name: string) => string
}

export interface EffectPlan {
  /** Commit together with the catalogue, or nothing does. */
  readonly required: readonly SourcePlan[]
  /** Of sources that metadata drops: what is left in them is cleaned up afterwards, if they can be reached. */
  readonly cleanups: readonly SourcePlan[]
  /** Sources that cannot be reached, where something would have to be cleaned up. */
  readonly unreachable: readonly string[]
  readonly names: readonly NewName[]
}

/** The effects of a change, by the handlers that are registered. */
export function planEffects(
  handlers: readonly SourceEffects[],
  before: MetadataSnapshot,
  after: MetadataSnapshot,
): EffectPlan {
  const required: SourcePlan[] = []
  const cleanups: SourcePlan[] = []
  const unreachable: string[] = []
  const names: NewName[] = []
  for (const [name, transitions] of transitionsBetween(before, after, typesOf(handlers))) {
    const effects = effectsOn(name, transitions, handlers)
    if (effects.length === 0) continue
    const now = after.states.get(name)
    const old = before.states.get(name)
    // nothing that metadata says has an effect on such a database
    if (now?.status === 'ready' && !now.connection.openTransaction) continue
    if (now?.status === 'ready') names.push(...newNames(now, transitions, handlers))
    if (now?.status === 'ready') required.push({ source: now, effects, isEmptied: isEmptied(after, name) })
    else if (!now && old?.status === 'ready') cleanups.push({ source: old, effects, isEmptied: true })
    // what is new there is requested again when the source recovers; one that is not served never had anything
    else if (old?.backend !== null && transitions.some(({ old }) => old !== null)) unreachable.push(name)
  }
  return { required, cleanups, unreachable, names }
}

function newNames(
  source: ReadySource,
  transitions: readonly Transition[],
  handlers: readonly SourceEffects[],
): readonly NewName[] {
  return transitions.flatMap(({ type, old, new: now }) => {
    const refusal = handlers.find(({ types }) => types.includes(type))?.nameTaken
    return refusal && now && !old ? [{ source, type, name: String(now.object.value.name), refusal }] : []
  })
}

/** The effects that make a source what metadata says, whatever has become of it meanwhile. */
export const planCreations = (
  handlers: readonly SourceEffects[],
  snapshot: MetadataSnapshot,
  source: ReadySource,
): SourcePlan | null => planAgain(handlers, snapshot, source, [])

/** Plans creations where the database may have objects that metadata has not: those of `doubtful` are removed. */
export function planAgain(
  handlers: readonly SourceEffects[],
  snapshot: MetadataSnapshot,
  source: ReadySource,
  doubtful: EarlyPart['objects'],
): SourcePlan | null {
  const types = typesOf(handlers)
  const creations = creationsIn(snapshot, source.name, types)
  const known = new Set(creations.map(({ type, new: now }) => keyOf(type, now)))
  const gone = doubtful.flatMap(({ type, name }) => {
    const isOurs = [...types].find((one) => one === type)
    const transition = isOurs && goneFrom(source.name, isOurs, name)
    return transition && !known.has(keyOf(transition.type, transition.old)) ? [transition] : []
  })
  const effects = effectsOn(source.name, [...gone, ...creations], handlers)
  return effects.length === 0 ? null : { source, effects, isEmptied: isEmptied(snapshot, source.name) }
}

const keyOf = (type: ObjectType, placed: PlacedObject | null): string =>
  JSON.stringify([type, placed?.object.value.name])

/** Of an object of which nothing else is known. */
const goneFrom = (source: string, type: ObjectType, name: string): Transition => ({
  type,
  old: {
    source,
    address: { type, own: name, parent: null },
    object: { type, value: { name }, children: {} },
    table: null,
  },
  new: null,
})

/** Returns the objects that the plans of a change are about, by source. */
export function objectsIn(
  handlers: readonly SourceEffects[],
  before: MetadataSnapshot,
  after: MetadataSnapshot,
): ReadonlyMap<string, EarlyPart['objects']> {
  const found = new Map<string, EarlyPart['objects']>()
  for (const [name, transitions] of transitionsBetween(before, after, typesOf(handlers)))
    found.set(
      name,
      transitions.map(({ type, old, new: now }) => ({ type, name: String((now ?? old)?.object.value.name) })),
    )
  return found
}

function isEmptied({ document }: MetadataSnapshot, source: string): boolean {
  const found = findObject(document, sourceAddress(source))
  return !found || Object.keys(found.children).length === 0
}

const typesOf = (handlers: readonly SourceEffects[]): ReadonlySet<ObjectType> =>
  new Set(handlers.flatMap(({ types }) => types))

const effectsOn = (
  source: string,
  transitions: readonly Transition[],
  handlers: readonly SourceEffects[],
): readonly PlannedEffects[] =>
  handlers.map((handler) => handler.plan(source, transitions)).filter((planned) => planned !== null)
