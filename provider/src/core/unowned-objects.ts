import { addressText, type JsonObject, keyedObject, objectName } from '@svc/schema'
import { ClientError } from '../client/index.ts'
import { addressOf, identityOf, type ResourceKind, type Values } from '../resources/index.ts'
import { warningOf } from './diagnostic.ts'
import { findObject } from './document-objects.ts'
import type { EngineSession } from './engine-session.ts'
import type { Diagnostic } from './provider.ts'
import { withIdentityDefaults } from './read-resource.ts'

/**
 * What a run declares and no one owns becomes its stack's with the run's first write: an import writes nothing, nor does taking over
 * what is equal, and it would have no owner until its first change (docs/ownership.md).
 */
export class UnownedObjects {
  #found = new Map<string, Declared>()

  /** A state of this run has it, or is to have what was there before. */
  see(kind: ResourceKind, values: Values): void {
    // one that several resources share is owned as a whole
    if (!kind.part && typeof values.id === 'string') this.#found.set(`${kind.kind} ${values.id}`, { kind, values })
  }

  /** Called after a write, which stays where this is refused: that is a warning. */
  async claim(session: EngineSession): Promise<readonly Diagnostic[]> {
    const found = [...this.#found.values()]
    const { settings, writer, snapshot } = session
    const { owner } = settings.connection
    this.#found.clear()
    // a draft is of one version, and this makes another
    if (owner === undefined || settings.draft !== undefined || found.length === 0) return []
    try {
      const objects = await unowned(session, found)
      if (objects.length === 0) return []
      await writer.send({ type: 'set_object_owners', args: { owner, from: null, objects } })
      snapshot.outdate()
      return []
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      if (error.problem === 'older-engine') return []
      return [warningOf(`what no one owns is not owned by "${owner}" now`, error.message)]
    }
  }
}

interface Declared {
  readonly kind: ResourceKind
  readonly values: Values
}

async function unowned(session: EngineSession, found: readonly Declared[]): Promise<readonly JsonObject[]> {
  const [{ document }, owners] = [await session.snapshot.read(), await session.owners()]
  return found.flatMap(({ kind: declared, values: given }) => {
    const kind = session.sourceKinds.variant(declared, given)
    const values = withIdentityDefaults(kind, given)
    if (!identityOf(kind, values)) return []
    const address = addressOf(kind, values, session.spelling)
    if (owners.has(addressText(address)) || !findObject(document, address)) return []
    const { type, name, key } = objectName(keyedObject(document, address))
    return [{ type, name, key }]
  })
}
