import type { RemoteSchema } from '@svc/schema'
import type { RemoteSchemas } from './remote-schemas.ts'
import type { RemoteState } from './remote-state.ts'

/** Reads the schemas of other servers for a change. */
export type RemoteReader = Pick<RemoteSchemas, 'prepare' | 'refresh'>

/** Thrown where an answer of another server is needed that is not there: it is requested, and the work done again. */
export class RemoteAwaited extends Error {}

/**
 * Reads remote schemas for work that other requests wait for: what would have to be fetched is noted and thrown,
 * fetched while nothing waits, and found when the work is done again. A server that hangs delays only the request that
 * named it.
 */
export class AwaitedRemotes implements RemoteReader {
  readonly #remotes: RemoteSchemas
  readonly #known = new Map<string, RemoteState>()
  readonly #wanted = new Map<string, () => Promise<RemoteState>>()

  constructor(remotes: RemoteSchemas) {
    this.#remotes = remotes
  }

  prepare(name: string, definition: RemoteSchema['definition'], known?: RemoteState): Promise<RemoteState> {
    if (!this.#remotes.asks(definition, known)) return this.#remotes.prepare(name, definition, known)
    const key = JSON.stringify(['new', name, definition])
    const state = this.#find(key, () => this.#remotes.prepare(name, definition))
    // found by its definition as it is in the document
    return state.then((found) => ({ ...found, definition }))
  }

  refresh(state: RemoteState): Promise<RemoteState> {
    const { name, definition } = state
    return this.#find(JSON.stringify(['again', name, definition]), () => this.#remotes.refresh(state))
  }

  /** Requests what was missing. */
  async ask(): Promise<void> {
    const wanted = [...this.#wanted]
    this.#wanted.clear()
    await Promise.all(wanted.map(async ([key, ask]) => this.#known.set(key, await ask())))
  }

  async #find(key: string, ask: () => Promise<RemoteState>): Promise<RemoteState> {
    const known = this.#known.get(key)
    if (known) return known
    this.#wanted.set(key, ask)
    throw new RemoteAwaited()
  }
}
