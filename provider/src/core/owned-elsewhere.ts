import { addressText, findObject, keyedObject, objectName } from '@svc/schema'
import { addressOf, identityOf, type ResourceKind, type Values } from '../resources/index.ts'
import { errorOf } from './diagnostic.ts'
import type { EngineSession } from './engine-session.ts'
import type { Diagnostic } from './provider.ts'
import { withIdentityDefaults } from './read-resource.ts'

/**
 * Returns what is wrong with making or importing an object that another stack owns; nothing for a run without an owner. `found`
 * is called for one that is there and has no owner. Throws ClientError.
 */
export async function ownedElsewhere(
  session: EngineSession,
  kind: ResourceKind,
  given: Values,
  found = () => {},
): Promise<readonly Diagnostic[]> {
  const { owner } = session.settings.connection
  const values = withIdentityDefaults(kind, given)
  if (owner === undefined || !identityOf(kind, values)) return []
  const { document } = await session.snapshot.read()
  const address = addressOf(kind, values, session.spelling)
  if (!findObject(document, address)) return []
  const its = (await session.owners()).get(addressText(address))
  if (its === undefined) found()
  if (its === undefined || its === owner) return []
  const { name } = objectName(keyedObject(document, address))
  return [
    errorOf(
      `${name} is owned by "${its}"`,
      [
        `This run writes for "${owner}", and two stacks cannot own one object.`,
        `Take it out of the other state, and hand it over with set_object_owners (docs/ownership.md).`,
      ].join('\n'),
    ),
  ]
}
