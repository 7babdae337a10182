import { addressText, findObject, type ObjectAddress } from '@svc/schema'
import { computedFieldReadKey, type ReadKey, relationshipReadKey, tableReadKey } from '../graph.ts'
import type { Dependent, Model } from '../model.ts'
import { tableIdOf } from '../table-id.ts'
import { dependentText } from './dependent-text.ts'

/**
 * What depends on any of some tables, relationships and computed fields, directly or over one of those that does, and is neither one
 * of them nor below one (spec 01 §6). Sorted by text. What is inconsistent already depends on nothing.
 */
export function dependentsOf(model: Model, objects: readonly ObjectAddress[]): readonly Dependent[] {
  const direct = objects.flatMap((object) => readersOf(model, object))
  const inside = objects.map((object) => addressText(object))
  const isInside = (key: string) => inside.some((above) => key === above || key.startsWith(`${above}/`))
  return listed(
    model,
    [...closure(model, direct)].filter(([key]) => !isInside(key)).map(([, found]) => found),
  )
}

function readersOf(model: Model, at: ObjectAddress): readonly ObjectAddress[] {
  const read = readKeyOf(model, at)
  return read === null ? [] : [...(model.graph.readers.get(read)?.values() ?? [])]
}

function readKeyOf(model: Model, at: ObjectAddress): ReadKey | null {
  if (at.type === 'table') return tableReadKey(tableIdOf(at))
  if (!isField(at)) return null
  const name = findObject(model.input.document, at)?.value.name
  if (typeof name !== 'string') return null
  return at.type === 'computed_field'
    ? computedFieldReadKey(tableIdOf(at), name)
    : relationshipReadKey(tableIdOf(at), name)
}

/** With what uses the relationships and computed fields among them. */
function closure(model: Model, direct: readonly ObjectAddress[]): ReadonlyMap<string, ObjectAddress> {
  const found = new Map<string, ObjectAddress>()
  const pending = [...direct]
  for (let at = pending.pop(); at; at = pending.pop()) {
    const key = addressText(at)
    if (found.has(key) || model.faults.has(key)) continue
    found.set(key, at)
    if (isField(at)) pending.push(...readersOf(model, at))
  }
  return found
}

const isField = ({ type }: ObjectAddress): boolean =>
  type === 'object_relation' || type === 'array_relation' || type === 'computed_field'

function listed(model: Model, addresses: readonly ObjectAddress[]): readonly Dependent[] {
  return addresses
    .map((at) => ({ address: at, text: dependentText(model.input.document, at) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
}
