import { address, type ObjectAddress, type ObjectType, objectKinds } from '@svc/schema'

/** The inverse of `addressText`. Own keys contain no `/` but between their parts, whose number depends on the kind. */
export function parseAddress(text: string): ObjectAddress {
  const steps = text.split('/')
  let at: ObjectAddress | null = null
  for (let i = 0; i < steps.length; ) {
    const step = steps[i] ?? ''
    const colon = step.indexOf(':')
    const type = step.slice(0, colon)
    if (!isObjectType(type)) throw new Error(`no address: ${text}`)
    const parts = Math.max(1, keyParts[type])
    at = address(type, [step.slice(colon + 1), ...steps.slice(i + 1, i + parts)].join('/'), at)
    i += parts
  }
  if (!at) throw new Error('an empty address')
  return at
}

const isObjectType = (text: string): text is ObjectType => Object.hasOwn(objectKinds, text)

const keyParts = Object.fromEntries(
  Object.entries(objectKinds).map(([type, kind]) => [type, Object.keys(kind.key({})).length]),
) as Readonly<Record<ObjectType, number>>

/** Parent's text and own key of an address text, without the objects in between: a big document has many. */
export function splitAddress(text: string, type: ObjectType): { readonly parent: string; readonly own: string } {
  let cut = text.lastIndexOf('/')
  for (let parts = keyParts[type]; parts > 1; parts--) cut = text.lastIndexOf('/', cut - 1)
  return { parent: text.slice(0, Math.max(cut, 0)), own: text.slice(cut + 1 + type.length + 1) }
}
