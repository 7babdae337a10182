/**
 * resources: the catalogue of what can be declared, one file a kind. Begin at define-resource.ts. A kind gives back
 * operations and sends nothing.
 */
export type { Attribute, Attributes, AttributeType } from './attribute.ts'
export { hasUnknown, isValues, type Path, type Unknown, unknown, type Value, type Values } from './value.ts'
