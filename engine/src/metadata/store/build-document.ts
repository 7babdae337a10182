import {
  type Children,
  childTypesOf,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  type ObjectType,
} from '@svc/schema'
import { Map as ImmutableMap } from 'immutable'
import { splitAddress } from './parse-address.ts'

/** A row of svc_catalog.metadata_object. */
export interface ObjectRow {
  readonly address: string
  readonly type: ObjectType
  readonly value: JsonObject
}

interface Sibling {
  readonly own: string
  readonly row: ObjectRow
}

/** Rows in any order -> the document, bottom-up: no object is made twice. A row without its parent is left out. */
export function buildDocument(rows: readonly ObjectRow[]): MetadataDocument {
  const byParent = new Map<string, Sibling[]>()
  for (const row of rows) {
    const { parent, own } = splitAddress(row.address, row.type)
    const siblings = byParent.get(parent)
    if (siblings) siblings.push({ own, row })
    else byParent.set(parent, [{ own, row }])
  }
  return { children: childrenAt('', null, byParent) }
}

const none: Children = {}

function childrenAt(
  parent: string,
  parentType: ObjectType | null,
  byParent: ReadonlyMap<string, readonly Sibling[]>,
): Children {
  const siblings = byParent.get(parent)
  if (!siblings) return none
  const children: { [T in ObjectType]?: ImmutableMap<string, MetadataObject> } = {}
  for (const type of childTypesOf(parentType)) {
    const ofType = siblings.filter(({ row }) => row.type === type)
    if (ofType.length === 0) continue
    children[type] = ImmutableMap<string, MetadataObject>().withMutations((map) => {
      for (const { own, row } of ofType)
        map.set(own, { type, value: row.value, children: childrenAt(row.address, type, byParent) })
    })
  }
  return children
}
