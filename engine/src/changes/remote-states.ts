import { childrenOf, equalJson, type MetadataDocument, objectValue } from '@svc/schema'
import { type RemoteReader, type RemoteState, type RemoteStates, unasked } from '../remote-schemas/index.ts'
import { within } from '../within.ts'

/**
 * Returns the states that a document's remote schemas need: new ones and those of another definition are read.
 * `milliseconds`: after which a server that has not answered counts as unavailable, so that it is read again later.
 */
export async function followRemotes(
  remotes: RemoteReader,
  states: RemoteStates,
  to: MetadataDocument,
  milliseconds?: number,
): Promise<RemoteStates> {
  const wanted = [...childrenOf(to, 'remote_schema').values()].map((object) => {
    const { name, definition } = objectValue(object, 'remote_schema')
    const known = states.get(name)
    // of a document that was read again, the same definition is another object
    if (known && equalJson(known.definition, definition)) return known
    const prepared = remotes.prepare(name, definition, known)
    return milliseconds === undefined ? prepared : within(milliseconds, prepared, unasked(name, definition))
  })
  const now = await Promise.all(wanted)
  const isSame = now.length === states.size && now.every((state) => states.get(state.name) === state)
  return isSame ? states : byName(now)
}

/** Returns the states with these remote schemas read again. */
export async function reloadRemotes(
  remotes: RemoteReader,
  states: RemoteStates,
  names: readonly string[],
): Promise<RemoteStates> {
  const asked = [...states.values()].map((state) => (names.includes(state.name) ? remotes.refresh(state) : state))
  const now = await Promise.all(asked)
  return now.every((state) => states.get(state.name) === state) ? states : byName(now)
}

const byName = (states: readonly RemoteState[]): RemoteStates => new Map(states.map((state) => [state.name, state]))
