import { childrenOf, type JsonObject, type MetadataDocument } from '@svc/schema'
import type { RemoteSchemas, RemoteState, RemoteStates } from '../remote-schemas/index.ts'

/** The states that a document's remote schemas ask for: new ones and those of another definition are read. */
export async function followRemotes(
  remotes: RemoteSchemas,
  states: RemoteStates,
  to: MetadataDocument,
): Promise<RemoteStates> {
  const wanted = [...childrenOf(to, 'remote_schema').values()].map(({ value }) => {
    const name = String(value.name)
    const definition = value.definition as JsonObject
    const known = states.get(name)
    return known?.definition === definition ? known : remotes.prepare(name, definition, known)
  })
  const now = await Promise.all(wanted)
  const isSame = now.length === states.size && now.every((state) => states.get(state.name) === state)
  return isSame ? states : byName(now)
}

/** The states with these remote schemas asked again. */
export async function reloadRemotes(
  remotes: RemoteSchemas,
  states: RemoteStates,
  names: readonly string[],
): Promise<RemoteStates> {
  const asked = [...states.values()].map((state) => (names.includes(state.name) ? remotes.refresh(state) : state))
  const now = await Promise.all(asked)
  return now.every((state) => states.get(state.name) === state) ? states : byName(now)
}

const byName = (states: readonly RemoteState[]): RemoteStates => new Map(states.map((state) => [state.name, state]))
