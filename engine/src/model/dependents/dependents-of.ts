import {
  address,
  addressText,
  childrenOf,
  findObject,
  type JsonObject,
  type ObjectAddress,
  tableAddress,
} from '@svc/schema'
import { computedFieldReadKey, type ReadKey, relationshipReadKey, tableReadKey } from '../graph.ts'
import type { Dependent, Model } from '../model.ts'
import { permissionTypes } from '../resolve/resolve-permission.ts'
import { tableIdOf } from '../table-id.ts'
import { dependentText } from './dependent-text.ts'
import { usesOf } from './uses-of.ts'

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

/** What depends on a column of a tracked table, the table's own relationships and permissions included. */
export const dependentsOfColumn = (model: Model, source: string, table: JsonObject, column: string) =>
  dependentsOfPart(model, tableAddress(source, table), 'column', column)

/** What depends on a foreign key: relationships made of it, and what uses those. */
export const dependentsOfConstraint = (model: Model, source: string, table: JsonObject, constraint: string) =>
  dependentsOfPart(model, tableAddress(source, table), 'constraint', constraint)

/** Columns are not indexed by reader: few objects can name one, and asking them again costs microseconds each. */
function dependentsOfPart(
  model: Model,
  table: ObjectAddress,
  kind: 'column' | 'constraint',
  name: string,
): readonly Dependent[] {
  const id = tableIdOf(table)
  const standsOnIt = (at: ObjectAddress) =>
    usesOf(model, at).some((use) => use.kind === kind && use.table === id && use.name === name)
  const candidates = [...objectsBelow(model, table), ...readersOf(model, table)]
  return listed(model, [...closure(model, candidates.filter(standsOnIt)).values()])
}

function objectsBelow(model: Model, table: ObjectAddress): readonly ObjectAddress[] {
  const object = findObject(model.input.document, table)
  if (!object) return []
  return (['object_relation', 'array_relation', 'computed_field', ...permissionTypes] as const).flatMap((type) =>
    [...childrenOf(object, type).keys()].map((own) => address(type, own, table)),
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
