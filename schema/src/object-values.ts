import type { MetadataObject } from './document.ts'
import type { ObjectType, ObjectValues } from './object-kinds.ts'

/**
 * An object's value with the type of its kind. Documents contain nothing that the schema of its kind did not make
 * (read-metadata.ts, operations), so the tree's JSON gets its type back here and nowhere else. Throws when the object is
 * of another kind.
 */
export function objectValue<T extends ObjectType>(object: MetadataObject, type: T): ObjectValues[T] {
  if (object.type !== type) throw new Error(`a ${object.type} is no ${type}`)
  return object.value as unknown as ObjectValues[T]
}
