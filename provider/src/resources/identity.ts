import { address, type JsonObject, type ObjectAddress, type ObjectType, objectKinds, ownKey } from '@svc/schema'
import type { JsonSpelling } from './attribute-json.ts'
import type { ResourceKind } from './define-resource.ts'
import { declaredValue, placeOf } from './object-value.ts'
import { isValues, unknown, type Value, type Values } from './value.ts'

/** The texts of an object's identity, in order; null where one is not known yet or missing. Defaults must be filled in. */
export function identityOf({ identityPaths }: ResourceKind, values: Values): readonly string[] | null {
  const texts = identityPaths.map((path) => path.reduce<Value | undefined>(step, values))
  return texts.every((text) => typeof text === 'string' && text !== '') ? (texts as string[]) : null
}

const step = (value: Value | undefined, key: string): Value | undefined =>
  isValues(value) ? value[key] : value === unknown ? unknown : undefined

/** `default/public/album/user`. A `/` or `%` in a name, and what no terminal shows, is percent-encoded. */
export const importId = (identity: readonly string[]): string =>
  identity.map((text) => text.replace(/[%/]|\p{Cc}/gu, encodeURIComponent)).join('/')

/** `<source>/<schema>/<name>/<role>` */
export const importFormat = ({ identityPaths }: ResourceKind): string =>
  identityPaths.map((path) => `<${path.length > 1 && path.at(-1) === 'name' ? path.at(-2) : path.at(-1)}>`).join('/')

export type ParsedId = { readonly ok: true; readonly values: Values } | { readonly ok: false; readonly message: string }

/** The identity an import id names, all other attributes null. */
export function parseImportId(kind: ResourceKind, id: string): ParsedId {
  const expected = `expected ${importFormat(kind)}, such as ${importId(kind.example)}`
  const parts = id.split('/')
  if (parts.length !== kind.identityPaths.length)
    return { ok: false, message: `${expected}; "${id}" has ${parts.length} part${parts.length === 1 ? '' : 's'}` }
  const texts: string[] = []
  for (const part of parts) {
    const text = decode(part)
    if (text === null) return { ok: false, message: `${expected}; "${part}" is not percent-encoded text` }
    if (text === '') return { ok: false, message: `${expected}; a part of "${id}" is empty` }
    texts.push(text)
  }
  const empty: Values = Object.fromEntries(kind.fields.map(({ name }) => [name, null]))
  return { ok: true, values: kind.identityPaths.reduce((values, path, i) => set(values, path, texts[i] ?? ''), empty) }
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

function set(values: Values, [head = '', ...rest]: readonly string[], text: string): Values {
  if (rest.length === 0) return { ...values, [head]: text }
  const inner = values[head]
  return { ...values, [head]: set(isValues(inner) ? inner : {}, rest, text) }
}

/** Where the object lies in a document. Its identity must be known. Throws InvalidValue. */
export function addressOf(kind: ResourceKind, values: Values, spelling: JsonSpelling): ObjectAddress {
  const identifying = new Set(kind.identityPaths.map(([head]) => head))
  const only = Object.fromEntries(Object.entries(values).filter(([name]) => identifying.has(name)))
  const key = objectKinds[kind.type].key(declaredValue(kind, only, spelling))
  return address(kind.type, ownKey(kind.type, key), parentAddress(kind.type, placeOf(kind, values, spelling)))
}

function parentAddress(type: ObjectType, place: JsonObject): ObjectAddress | null {
  const { parent } = objectKinds[type]
  return parent && address(parent, ownKey(parent, { [parent]: place[parent] ?? null }), parentAddress(parent, place))
}
