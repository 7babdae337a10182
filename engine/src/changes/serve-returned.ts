/** What sources and remote schemas say by themselves, served without a change of metadata. */
import { equalJson } from '@svc/schema'
import type { ReadyRemote } from '../remote-schemas/index.ts'
import { declaredIn, type ReadySource } from '../sources/index.ts'
import { withCurrentModelInStretches } from './draft.ts'
import { reloadRemotes } from './remote-states.ts'
import type { ServedMetadata } from './served-metadata.ts'
import { restoreEffects } from './store-change.ts'

/** Serves a source that was unavailable and can be reached again. */
export async function serveRecovered(served: ServedMetadata, state: ReadySource): Promise<void> {
  await served.exclusively(async () => {
    const draft = served.draft()
    const known = draft.states.get(state.name)
    // metadata has moved on to another configuration meanwhile
    if (known?.status !== 'unavailable' || !equalJson(known.configuration, state.configuration)) return
    // so may the marks of its enum tables, the functions it names and its native queries
    const marked = await served.sources.mark(state, new Set(known.enums.keys()))
    const named = await served.sources.name(marked, known.functions)
    const declared = await served.sources.declare(named, declaredIn(known.queries))
    const states = new Map(draft.states).set(state.name, declared)
    await restoreEffects(served, { document: draft.document, states }, [state.name])
    served.serve(await withCurrentModelInStretches({ ...draft, states }), served.current.resourceVersion)
  })
}

/** Serves a remote schema that answers again. */
export async function serveAnswering(served: ServedMetadata, state: ReadyRemote): Promise<void> {
  await served.exclusively(async () => {
    const draft = served.draft()
    const known = draft.remotes.get(state.name)
    // metadata has moved on to another definition meanwhile
    if (known?.status !== 'unavailable' || known.definition !== state.definition) return
    served.serve({ ...draft, remotes: new Map(draft.remotes).set(state.name, state) }, served.current.resourceVersion)
  })
}

/** Reads remote schemas again, while other work goes on. */
export async function serveReloadedRemotes(served: ServedMetadata, names: readonly string[] | 'all'): Promise<void> {
  const started = performance.now()
  const { remotes: before } = served.draft()
  const asked = names === 'all' ? [...before.keys()] : names
  const now = await reloadRemotes(served.remoteSchemas, before, asked)
  await served.exclusively(async () => {
    const draft = served.draft()
    const remotes = new Map(draft.remotes)
    for (const name of asked) {
      const state = now.get(name)
      // metadata may have moved on to another definition meanwhile
      if (state && remotes.get(name)?.definition === state.definition) remotes.set(name, state)
    }
    served.serve({ ...draft, remotes }, served.current.resourceVersion)
  })
  const milliseconds = performance.now() - started
  served.observer.report({ kind: 'remote-schemas-reloaded', remoteSchemas: names, milliseconds })
}
