import {
  childTypesOf,
  isRecord,
  type Json,
  type JsonObject,
  type KeyedObject,
  objectKinds,
  objectName,
} from '@svc/schema'

type Path = readonly (string | number)[]

/** Where the objects of metadata stand in its JSON, by their names in lists of inconsistent objects. */
export function objectPaths(json: JsonObject): ReadonlyMap<string, Path> {
  const paths = new Map<string, Path>()
  collect(json, null, [], paths)
  return paths
}

function collect(node: JsonObject, above: KeyedObject | null, path: Path, paths: Map<string, Path>): void {
  for (const type of childTypesOf(above?.type ?? null)) {
    const { list, key } = objectKinds[type]
    const found = node[list]
    const items: readonly (readonly [Json, Path])[] = Array.isArray(found)
      ? found.map((item: Json, at) => [item, [...path, list, at]] as const)
      : [[found ?? null, [...path, list]]]
    for (const [item, at] of items) {
      if (!isRecord(item)) continue
      const object: KeyedObject = { type, key: key(item), parent: above }
      paths.set(objectName(object).name, at)
      collect(item, object, at, paths)
    }
  }
}
