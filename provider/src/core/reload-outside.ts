import { type Json, keyedObject, objectName, recordOf, recordsIn } from '@svc/schema'
import type { Write, Written } from '../client/index.ts'
import { rankOf } from '../resources/index.ts'
import { type InconsistentObject, inconsistentObjects } from './apply-plan.ts'
import { errorAt } from './diagnostic.ts'
import { findObject } from './document-objects.ts'
import type { EngineSession } from './engine-session.ts'
import type { Diagnostic } from './provider.ts'
import type { WantedObject } from './wanted-object.ts'

/**
 * Makes the engine read another server again (a remote schema). One that cannot be read now is left as it was read
 * before: the engine would serve nothing of it any more. What does not fit its answer is inconsistent until it is
 * changed. Throws ClientError.
 */
export async function reloadOutside(session: EngineSession, subject: WantedObject): Promise<Written<Diagnostic>> {
  const { kind, address } = subject
  const { document, catalogId, resourceVersion } = await session.snapshot.read()
  const live = findObject(document, address)
  if (!kind.outside || !live) return { kind: 'done', at: { catalogId, resourceVersion } }
  const { attribute, reload } = kind.outside
  const operation = reload(live.value)
  const { body } = await session.reader.send({ ...operation, dry_run: true })
  const own = objectName(keyedObject(document, address)).name
  const away = brokenIn(body).find(({ name }) => name === own)
  if (away) {
    const detail = `${away.reason}\nThe engine goes on with what it read before.`
    return { kind: 'refused', refusal: errorAt(kind.attributes, [attribute], 'its server cannot be read now', detail) }
  }
  const write: Write<Diagnostic> = {
    rank: 1 + rankOf(kind.type),
    decide: () => ({ kind: 'send', operations: [operation], overwrites: false, outcome: (before) => before }),
    waitsFor: () => [],
  }
  return session.writes.submit(write)
}

/** What is not consistent afterwards, by a dry run of reading it again. */
function brokenIn(body: Json): readonly InconsistentObject[] {
  const [result] = recordsIn(recordOf(body).results)
  return inconsistentObjects(recordOf(result?.result).inconsistent_objects)
}
