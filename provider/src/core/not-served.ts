import { childrenOf, type MetadataDocument, type MetadataObject, type ObjectType, objectTypes } from '@svc/schema'

/** Kinds of object that are served; the others are kept and exported, and serving them comes later. */
const served: ReadonlySet<ObjectType> = new Set([
  'source',
  'table',
  'object_relation',
  'array_relation',
  'computed_field',
  'insert_permission',
  'select_permission',
  'update_permission',
  'delete_permission',
  'event_trigger',
  'function',
  'function_permission',
  'inherited_role',
  'remote_schema',
  'remote_schema_permission',
  'query_collection',
  'allowlist',
  'action',
  'action_permission',
  'custom_types',
  'cron_trigger',
  'rest_endpoint',
  'native_query',
  'logical_model',
  'logical_model_select_permission',
])

/** How many objects of each kind a document declares that no engine of this version serves yet. */
export function notServedYet(document: MetadataDocument): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  const walk = (node: MetadataDocument | MetadataObject) => {
    for (const type of objectTypes)
      for (const object of childrenOf(node, type).values()) {
        const foreign = type === 'source' && object.value.kind !== 'postgres'
        if (foreign) count(`${String(object.value.kind)} source`)
        else if (!served.has(type)) count(type.replaceAll('_', ' '))
        if (!foreign) walk(object)
      }
  }
  walk(document)
  return counts
}
