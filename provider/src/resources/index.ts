/**
 * resources: the catalogue of what can be declared, one file a kind. Begin at select-permission.ts (a kind) and
 * define-resource.ts (what one consists of). Imports only schema; a kind returns operations and sends nothing.
 */
export type { Attribute, Attributes, AttributeType } from './attribute.ts'
export { InvalidValue, type JsonSpelling, withEffectiveDefault } from './attribute-json.ts'
export { attributesOf } from './attributes-of.ts'
export {
  catalogue,
  kindNamed,
  kindOfType,
  kindsOfType,
  partKindsOf,
  rankOf,
  recordNamed,
  records,
} from './catalogue.ts'
export { dataSources } from './data-sources.ts'
export type { FoundRecord, RecordKind } from './define-record.ts'
export type {
  CommonKind,
  Field,
  Part,
  Reference,
  ResourceKind,
} from './define-resource.ts'
export { forDoubles, holdsLongNumber, withDigitsAsTexts } from './exact-numbers.ts'
export { FORCE_DESTROY } from './force-destroy.ts'
export { addressOf, identityOf, importFormat, importId, parseImportId } from './identity.ts'
export { type ObjectData, objectData } from './object-data.ts'
export {
  attributePath,
  declaredValue,
  placeOf,
  storedValue,
  valuesOf,
} from './object-value.ts'
export type { Operation } from './operation.ts'
export { previewChecks, providerConfig } from './provider-config.ts'
export { hasUnknown, isValues, type Path, unknown, type Value, type Values } from './value.ts'
export { innermost, mapObjects, partsOf, typeInside, type ValuePart, valueAt } from './value-parts.ts'
