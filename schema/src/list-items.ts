import type { MetadataObject } from './document.ts'
import type { Json } from './json.ts'
import { Refused } from './refused.ts'
import { isRecord } from './shape.ts'

type Path = readonly (string | number)[]

export interface Item {
  readonly json: Json
  /** What it was read as before, where its JSON is known to be the same: that is left unread. */
  readonly object?: MetadataObject
  /** Where it stands in its list; null: it is no list's. A path of its own is made when something is wrong with it. */
  readonly at: Path | number | null
}

export const pathOf = ({ at }: Item, list: Path): Path =>
  at === null ? list : typeof at === 'number' ? [...list, at] : at

/** The objects of a list of metadata, with where they stand, each read when its turn comes. Throws Refused. */
export function* itemsOf(given: Json, path: Path, recall?: (at: number) => MetadataObject | undefined) {
  if (!Array.isArray(given)) throw new Refused(path, 'expected list')
  for (let at = 0; at < given.length; at++) {
    const object = recall?.(at)
    yield (object ? { json: null, at, object } : { json: given[at] as Json, at }) satisfies Item
  }
}

/** Of a list whose members hold several objects each. Throws Refused. */
export const groupedItemsOf = (given: Json, path: Path): readonly Item[] =>
  [...itemsOf(given, path)].flatMap((item) => ungroup(item.json, [...path, item.at]))

/** `[{type_name, relationships: […]}]` contains relationships of several types. */
function ungroup(json: Json, path: Path): readonly Item[] {
  if (!isRecord(json)) throw new Refused(path, 'expected object')
  const { type_name = null, relationships } = json
  if (relationships === undefined) throw new Refused(path, 'key "relationships" not found')
  if (!Array.isArray(relationships)) throw new Refused([...path, 'relationships'], 'expected list')
  return relationships.map((one: Json, i: number) => {
    const at = [...path, 'relationships', i]
    if (!isRecord(one)) throw new Refused(at, 'expected object')
    return { json: { type_name, ...one }, at }
  })
}
