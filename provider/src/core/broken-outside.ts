import { isRecord, type Json, keyedObject, type MetadataDocument, objectName } from '@svc/schema'
import type { PlanFork } from '../client/index.ts'
import { type InconsistentObject, inconsistentObjects } from './apply-plan.ts'
import { warningOf } from './diagnostic.ts'
import type { Diagnostic } from './provider.ts'
import type { WaitingObjects } from './waiting-objects.ts'
import { walkObjects } from './walk-objects.ts'
import type { WantedObject } from './wanted-object.ts'

/** Returns errors for what does not fit the other server any more, unless this plan changes it in a later wave. */
export function brokenOutside(
  object: WantedObject,
  document: MetadataDocument,
  broken: readonly InconsistentObject[],
  fork: PlanFork,
  waiting: WaitingObjects,
): readonly Diagnostic[] | Promise<readonly Diagnostic[]> {
  const own = objectName(keyedObject(document, object.address)).name
  const away = broken.find(({ name }) => name === own)
  if (away) return [warningOf(`${object.title()}: its server cannot be read now`, away.reason)]
  const byName = new Map([...walkObjects(document)].map(({ at }) => [objectName(keyedObject(document, at)).name, at]))
  const left = () =>
    broken.filter(({ name }) => {
      const at = byName.get(name)
      return !at || !(fork.isMade(at) || fork.isDeleted(at))
    })
  if (broken.length === 0) return []
  return waiting.waited({
    name: object.title(),
    address: object.address,
    change: 'reload',
    isThrough: () => left().length === 0,
    report: () => [
      warningOf(
        `${object.title()}: its server has changed, and what uses it does not fit any more`,
        left()
          .map(({ name, reason }) => `${name}: ${reason}`)
          .join('\n'),
      ),
    ],
  })
}

/** Returns what would be inconsistent once the engine has read the other server again, and is not now. */
export function newlyBroken(result: Json, known: readonly InconsistentObject[]): readonly InconsistentObject[] {
  const names = new Set(known.map(({ name }) => name))
  const all = isRecord(result) ? inconsistentObjects(result.inconsistent_objects) : []
  return all.filter(({ name }) => !names.has(name))
}
