import {
  address,
  addressText,
  findObject,
  type MetadataDocument,
  type ObjectAddress,
  ownKey,
  putObject,
  removeObject,
  setValue,
} from '@svc/schema'
import { relationshipReadKey } from '../graph.ts'
import type { Model } from '../model.ts'
import { modelLookup } from '../model-lookup.ts'
import { tableIdOf } from '../table-id.ts'
import type { NewNames } from './rewrite-expression.ts'
import { rewritePermission } from './rewrite-permission.ts'

export interface Renamed {
  readonly document: MetadataDocument
  /** Every object that is another one now; the old address of what was renamed among them. */
  readonly touched: readonly ObjectAddress[]
}

/**
 * rename_relationship (reference/metadata-operations#relationships): the model's document with the new name, in every
 * permission that uses it too.
 */
export function renameRelationship(model: Model, relationship: ObjectAddress, newName: string): Renamed {
  const { document } = model.input
  const object = findObject(document, relationship)
  if (!object) return { document, touched: [] }
  const id = tableIdOf(relationship)
  const oldName = String(object.value.name)
  const moved = address(relationship.type, ownKey(relationship.type, { name: newName }), relationship.parent)
  const renamed = putObject(removeObject(document, relationship), moved, {
    ...object,
    value: { ...object.value, name: newName },
  })
  const names: NewNames = {
    field: (table, name) => (table === id && name === oldName ? newName : name),
    table: (name) => name,
  }
  const readers = [...(model.graph.readers.get(relationshipReadKey(id, oldName))?.values() ?? [])]
  const rewritten = readers.reduce((rest, at) => {
    const value = findObject(rest, at)?.value
    return value ? setValue(rest, at, rewritePermission(value, tableIdOf(at), names, modelLookup(model))) : rest
  }, renamed)
  return { document: rewritten, touched: [relationship, moved, ...readers].sort(byText) }
}

const byText = (a: ObjectAddress, b: ObjectAddress) => (addressText(a) < addressText(b) ? -1 : 1)
