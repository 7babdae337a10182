import { childrenOf, equalJson, type JsonObject, type MetadataDocument } from '@svc/schema'
import type { DatabaseLook } from '../metadata/index.ts'
import type { SourceState, Sources } from '../sources/index.ts'
import type { SourceStates } from './draft.ts'

/** The states with those tables read again. Unavailable and unknown sources stay as they are. */
export function look(sources: Sources, states: SourceStates, looks: readonly DatabaseLook[]): Promise<SourceStates> {
  const bySource = new Map<string, JsonObject[]>()
  for (const { source, tables } of looks) bySource.set(source, [...(bySource.get(source) ?? []), ...tables])
  const news = [...bySource].map(async ([source, tables]) => {
    const state = states.get(source)
    if (state?.status !== 'ready') return null
    const names = tables.map(({ schema, name }) => ({ schema: String(schema), name: String(name) }))
    return sources.refresh(state, names)
  })
  return replaced(states, news)
}

/** The states with everything of these sources read again; unavailable ones are tried once more. */
export function reload(sources: Sources, states: SourceStates, names: readonly string[]): Promise<SourceStates> {
  const news = names.map(async (name) => {
    const state = states.get(name)
    return state ? sources.refresh(state) : null
  })
  return replaced(states, news)
}

/** The states that a document's sources ask for: new ones and those of another configuration are connected. */
export function follow(sources: Sources, states: SourceStates, document: MetadataDocument): Promise<SourceStates> {
  const wanted = new Map<string, { readonly kind: string; readonly configuration: JsonObject }>()
  for (const { value } of childrenOf(document, 'source').values())
    wanted.set(String(value.name), {
      kind: String(value.kind ?? 'postgres'),
      configuration: (value.configuration ?? {}) as JsonObject,
    })
  const kept = new Map(
    [...states].filter(([name, state]) => equalJson(wanted.get(name)?.configuration, state.configuration)),
  )
  const missing = [...wanted].filter(([name]) => !kept.has(name))
  if (missing.length === 0 && kept.size === states.size) return Promise.resolve(states)
  const news = missing.map(([name, { kind, configuration }]) => sources.prepare(name, kind, configuration))
  return replaced(kept, news)
}

async function replaced(states: SourceStates, news: readonly Promise<SourceState | null>[]): Promise<SourceStates> {
  const changed = (await Promise.all(news)).filter((state) => state !== null && states.get(state.name) !== state)
  if (changed.length === 0) return states
  const next = new Map(states)
  for (const state of changed) if (state) next.set(state.name, state)
  return next
}
