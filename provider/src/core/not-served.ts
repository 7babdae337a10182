import {
  childrenOf,
  kindOfSource,
  type MetadataDocument,
  type MetadataObject,
  nameStyle,
  type ObjectType,
  objectTypes,
} from '@svc/schema'

/** Kinds of object that are only stored and exported. */
const notServed: ReadonlySet<ObjectType> = new Set(['backend_configs'])

/** Returns how many objects of each kind a document declares that no engine of this version serves yet. */
export function notServedYet(document: MetadataDocument): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  const walk = (node: MetadataDocument | MetadataObject) => {
    for (const type of objectTypes)
      for (const object of childrenOf(node, type).values()) {
        const foreign = type === 'source' && nameStyle(kindOfSource(object.value)) === 'agent'
        if (foreign) count(`${String(object.value.kind)} source`)
        else if (notServed.has(type)) count(type.replaceAll('_', ' '))
        if (!foreign) walk(object)
      }
  }
  walk(document)
  return counts
}
