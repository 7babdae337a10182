import { address, findObject, type MetadataDocument, type ObjectAddress } from './document.ts'
import type { Json } from './json.ts'
import { isRecord } from './shape.ts'

/** All custom types, which are one object. */
export const customTypesAddress: ObjectAddress = address('custom_types', '')

/** What a refusal for want of one type names. There is no object at it: it is a part of that of all types. */
export const customTypeAddress = (name: string): ObjectAddress => address('custom_types', name)

/** Whether a document declares the type of such an address. */
export function declaresCustomType(document: MetadataDocument, { type, own }: ObjectAddress): boolean {
  if (type !== 'custom_types' || own === '') return false
  return customTypeNames(findObject(document, customTypesAddress)?.value).includes(own)
}

/** The names of all types in the value of that object. */
export const customTypeNames = (value: Json | undefined): readonly string[] =>
  Object.values(isRecord(value) ? value : {}).flatMap((list) =>
    Array.isArray(list)
      ? (list as readonly Json[]).flatMap((one) => (isRecord(one) && typeof one.name === 'string' ? [one.name] : []))
      : [],
  )
