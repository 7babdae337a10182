import type { NameStyle } from './backend-kind.ts'
import { type Item, pathOf } from './list-items.ts'
import { type ObjectType, objectSchemas } from './object-kinds.ts'
import { sourceSchema } from './objects/source.ts'
import { ownPart } from './own-part.ts'
import { isRecord } from './shape.ts'
import { type UnknownKey, unknownKeys } from './unknown-keys.ts'

type Path = readonly (string | number)[]

/** Below an object's own value; those of a source itself are left out, those of a table refused. */
export function unknownInside(type: ObjectType, item: Item, list: Path, style: NameStyle): readonly UnknownKey[] {
  const { json } = item
  if (!isRecord(json)) return []
  const schema = type === 'source' ? sourceSchema(json) : objectSchemas(style)[type]
  const found = unknownKeys(schema, ownPart(type, json))
  if (found.length === 0) return found
  const at = pathOf(item, list)
  return found
    .filter(({ path }) => path.length > 1 || (type !== 'source' && type !== 'table'))
    .map(({ path, known }) => ({ path: [...at, ...path], known }))
}
