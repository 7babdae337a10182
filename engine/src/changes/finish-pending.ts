import { equalJson } from '@svc/schema'
import { Path } from '../errors.ts'
import type { Author, EarlyPart, EarlySourceChange, PendingSourceChange } from '../metadata/index.ts'
import type { ReadySource, SourceState } from '../sources/index.ts'
import { snapshotOf } from './early-effects.ts'
import { planAgain, type SourcePlan } from './effects/plan-effects.ts'
import { placeOf } from './effects/run-effects.ts'
import type { MetadataSnapshot } from './effects/transition.ts'
import { runAlone, undoEffects } from './effects-alone.ts'
import { type Outcome, outcomeOnceOver } from './outcome-of.ts'
import type { ServedMetadata } from './served-metadata.ts'

/**
 * Finishes versions that were stored before transactions on sources committed (run_sql, event triggers), where the
 * engine that was to finish them was killed: if a transaction was rolled back, the version is reverted, unless a later
 * one was stored, and so is what its other transactions have committed. It also reverts what a request has changed in
 * databases and never stored. What is of a source that cannot be reached remains for later.
 */
export async function finishPending(served: ServedMetadata): Promise<void> {
  for (const pending of await served.store.sourceChanges.pending()) await finishOne(served, pending)
  for (const change of await served.store.sourceChanges.abandonedEarly()) await finishEarly(served, change)
}

async function finishOne(served: ServedMetadata, pending: PendingSourceChange): Promise<void> {
  const outcomes = new Map<string, Outcome | null>()
  for (const one of pending.transactions) outcomes.set(one.source, await outcomeOnceOver(served, one))
  const found = [...outcomes.values()]
  if (found.includes(null) || found.includes('in progress')) return
  const committed = [...outcomes].flatMap(([source, outcome]) => (outcome === 'committed' ? source : []))
  if (found.includes('aborted')) await served.exclusively(() => undo(served, pending, new Set(committed)))
  await served.store.sourceChanges.forget(pending)
}

async function undo(
  served: ServedMetadata,
  pending: PendingSourceChange,
  committed: ReadonlySet<string>,
): Promise<void> {
  const { resourceVersion } = await served.catchUp()
  if (resourceVersion !== pending.resourceVersion) return
  const draft = served.draft()
  const document = await served.store.withoutChange(draft.document, pending)
  if (!document) return
  await undoEffects(served, draft, { ...draft, document }, committed)
  const author: Author = {
    role: 'admin',
    actor: `engine: a source rolled back what request ${pending.requestId} changed`,
    owner: null,
    userAgent: null,
    requestId: pending.requestId,
    sessionVariables: {},
  }
  const stored = await served.commit({
    draft: { ...draft, document },
    touched: [],
    type: 'roll_back',
    author,
    takesBack: true,
  })
  if (stored !== null) served.serve({ ...draft, document }, stored)
}

/**
 * Reverts what a killed engine had changed in databases for a request that was never stored: they are made what
 * metadata says. Triggers that metadata does not know are dropped, of those that the request has made; those that it
 * dropped are there again. What cannot be reached, or is refused, remains for later.
 */
async function finishEarly(served: ServedMetadata, { key, parts }: EarlySourceChange): Promise<void> {
  const made: MadePart[] = []
  for (const part of parts) {
    const state = await stateOf(served, part)
    const outcome = await outcomeOnceOver(served, part, state)
    if (outcome === null || outcome === 'in progress') return
    if (outcome !== 'aborted') made.push({ part, state })
  }
  if (await served.exclusively(() => recreateEffects(served, made)))
    await served.store.sourceChanges.forget({ requestId: key, resourceVersion: 0 })
}

interface MadePart {
  readonly part: EarlyPart
  /** Undefined: of a source that there is no more. */
  readonly state: SourceState | undefined
}

/** The source that a part was made in: one that metadata has by another name, or never got, is known by its configuration. */
async function stateOf(served: ServedMetadata, { source, definition }: EarlyPart): Promise<SourceState | undefined> {
  const { states } = snapshotOf(served)
  if (!definition) return states.get(source)
  const { kind, configuration } = definition
  const known = [...states.values()].find((state) => equalJson(state.configuration, configuration))
  return known ?? served.sources.prepare(source, kind, configuration)
}

/** All sources of a database together: a name that one does not have may be another's. */
async function recreateEffects(served: ServedMetadata, made: readonly MadePart[]): Promise<boolean> {
  const { resourceVersion } = await served.catchUp()
  const snapshot = snapshotOf(served)
  const byDatabase = new Map<string, SourcePlan[]>()
  const concerned = new Set<string>()
  const add = async (source: ReadySource, of: MetadataSnapshot) => {
    const objects = made.flatMap(({ part, state }) => (isSameSource(state, source) ? part.objects : []))
    const plan = planAgain(served.effects, of, source, objects)
    if (!plan) return
    const { database } = await placeOf(source, Path.root)
    byDatabase.set(database, [...(byDatabase.get(database) ?? []), plan])
    if (objects.length > 0) concerned.add(database)
  }
  const known = [...snapshot.states.values()]
  for (const state of known) if (state.status === 'ready') await add(state, snapshot)
  // metadata has nothing of those
  for (const { state } of made)
    if (state?.status === 'ready' && !known.some((one) => isSameSource(one, state))) await add(state, nothing)
  let isDone = true
  // a version stored meanwhile may have made one of the triggers its own
  const isNewest = async () => (await served.store.readVersion()) === resourceVersion
  for (const database of concerned)
    isDone = (await runAlone(served, byDatabase.get(database) ?? [], isNewest)) && isDone
  return isDone
}

const isSameSource = (a: SourceState | undefined, b: SourceState): boolean =>
  a !== undefined && equalJson(a.configuration, b.configuration)

const nothing: MetadataSnapshot = { document: { children: {} }, states: new Map() }
