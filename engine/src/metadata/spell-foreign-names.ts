import {
  findObject,
  type JsonObject,
  type MetadataDocument,
  nameStyle,
  type ObjectType,
  resolveForeignNames,
  sourceAddress,
} from '@svc/schema'
import { kindOfSource } from './operation.ts'

/**
 * An object's value with the names of tables of other sources in the spelling of these, as reading a document has them
 * (reference/metadata-document#objects).
 */
export function spellForeignNames(document: MetadataDocument, type: ObjectType, value: JsonObject): JsonObject {
  return resolveForeignNames(type, value, (source) => {
    const found = findObject(document, sourceAddress(source))
    return nameStyle(found ? kindOfSource(found) : 'postgres')
  })
}
