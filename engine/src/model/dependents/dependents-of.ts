import { addressText, type ObjectAddress } from '@svc/schema'
import type { DependentObject } from '../../metadata/index.ts'
import type { Model } from '../model.ts'
import { readKeysOf } from '../parts/parts.ts'
import { dependent } from './dependent.ts'

/**
 * What depends on any of some objects, directly or over one of those that does, and is neither one of them nor below
 * one (reference/metadata-document#dependencies); what hangs below a dependent goes with it and is not listed. Sorted
 * by text. What is inconsistent already depends on nothing. Of which kind they are does not matter: an object that read
 * another depends on it.
 */
export function dependentsOf(model: Model, objects: readonly ObjectAddress[]): readonly DependentObject[] {
  const direct = objects.flatMap((object) => readersOf(model, object))
  const inside = new Set(objects.map((object) => addressText(object)))
  const found = closure(model, direct)
  return listed(
    model,
    [...found.values()].filter((at) => !isBelow(at, found) && !inside.has(addressText(at)) && !isBelow(at, inside)),
  )
}

function readersOf(model: Model, at: ObjectAddress): readonly ObjectAddress[] {
  return readKeysOf(model.input.document, at).flatMap((read) => [...(model.graph.readers.get(read)?.values() ?? [])])
}

function isBelow({ parent }: ObjectAddress, keys: { has(key: string): boolean }): boolean {
  return parent !== null && (keys.has(addressText(parent)) || isBelow(parent, keys))
}

/** Returns dependents with all that depends on them in turn. */
function closure(model: Model, direct: readonly ObjectAddress[]): ReadonlyMap<string, ObjectAddress> {
  const found = new Map<string, ObjectAddress>()
  const pending = [...direct]
  for (let at = pending.pop(); at; at = pending.pop()) {
    const key = addressText(at)
    if (found.has(key) || model.faults.has(key)) continue
    found.set(key, at)
    pending.push(...readersOf(model, at))
  }
  return found
}

function listed(model: Model, addresses: readonly ObjectAddress[]): readonly DependentObject[] {
  return addresses
    .map((at) => dependent(model.input.document, at))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
}
