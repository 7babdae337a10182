import { childTypesOf, type MetadataDocument, type MetadataObject, type ObjectType } from '@svc/schema'

const served: ReadonlySet<ObjectType> = new Set([
  'source',
  'table',
  'object_relation',
  'array_relation',
  'computed_field',
  'select_permission',
  'function',
  'function_permission',
] as const)

/** How many objects a document holds of each kind that is kept, exported and compared, but not served. */
export function unserved(document: MetadataDocument): ReadonlyMap<ObjectType, number> {
  const counts = new Map<ObjectType, number>()
  count(document, null, counts)
  return counts
}

function count(
  node: MetadataDocument | MetadataObject,
  type: ObjectType | null,
  counts: Map<ObjectType, number>,
): void {
  for (const child of childTypesOf(type)) {
    const objects = node.children[child]
    if (!objects || objects.isEmpty()) continue
    if (!served.has(child)) counts.set(child, (counts.get(child) ?? 0) + objects.size)
    for (const object of objects.values()) count(object, child, counts)
  }
}
