import {
  findObject,
  type JsonObject,
  kindOfSource,
  type MetadataDocument,
  nameStyle,
  type ObjectType,
  resolveForeignNames,
  sourceAddress,
} from '@svc/schema'

/**
 * An object's value with the names of tables of other sources in the spelling of these, as reading a document has them
 * (reference/metadata-document#objects).
 */
export function spellForeignNames(document: MetadataDocument, type: ObjectType, value: JsonObject): JsonObject {
  return resolveForeignNames(type, value, (source) => {
    return nameStyle(kindOfSource(findObject(document, sourceAddress(source))?.value))
  })
}
