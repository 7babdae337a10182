import { address, type JsonObject, type ObjectAddress, objectKinds, ownKey, parentAddress } from '@svc/schema'
import type { Attribute } from './attribute.ts'
import type { JsonSpelling } from './attribute-json.ts'
import type { CommonKind, ResourceKind } from './define-resource.ts'
import { declaredValue, placeOf } from './object-value.ts'
import { isValues, unknown, type Value, type Values } from './value.ts'

/** The texts of an object's identity, in order; null where one is not known yet or missing. Defaults must be filled in. */
export function identityOf(kind: CommonKind, values: Values): readonly string[] | null {
  const { identityPaths, name } = kind
  if (identityPaths.length === 0) return [name] // there is one of it
  const texts = identityPaths.map((path) => path.reduce<Value | undefined>(step, values))
  const given = texts.map((text, i) => (text === null && i > 0 && i >= required(kind) ? '' : text))
  return given.every((text, i) => typeof text === 'string' && (text !== '' || i >= required(kind)))
    ? (given as string[])
    : null
}

/** How many texts there always are: after these come attributes that need not be set. */
const required = ({ identityPaths, attributes }: CommonKind): number => {
  const first = identityPaths.findIndex(([head = ''], i) => i > 0 && isLeftOut(attributes[head]))
  return first < 0 ? identityPaths.length : first
}

/** Whether an object may be without it. */
const isLeftOut = (attribute: Attribute | undefined): boolean =>
  attribute?.presence === 'optional' && attribute.default === undefined && attribute.providerDefault === undefined

const step = (value: Value | undefined, key: string): Value | undefined =>
  isValues(value) ? value[key] : value === unknown ? unknown : undefined

/** `default/public/album/user`. A `/` or `%` in a name, and what no terminal shows, is percent-encoded. */
export const importId = (identity: readonly string[]): string =>
  identity
    .map((text) => text.replace(/[%/]|\p{Cc}/gu, encodeURIComponent))
    .join('/')
    .replace(/\/+$/, '')

/** `<source>/<schema>/<name>/<role>` */
export function importFormat(kind: CommonKind): string {
  const { identityPaths, name } = kind
  if (identityPaths.length === 0) return name
  const steps = identityPaths.map(
    (path) => `<${path.length > 1 && path.at(-1) === 'name' ? path.at(-2) : path.at(-1)}>`,
  )
  const always = required(kind)
  return (
    steps.slice(0, always).join('/') +
    steps
      .slice(always)
      .map((step) => `[/${step}]`)
      .join('')
  )
}

export type ParsedId = { readonly ok: true; readonly values: Values } | { readonly ok: false; readonly message: string }

/** The identity an import id names, all other attributes null. */
export function parseImportId(kind: CommonKind, id: string): ParsedId {
  if (kind.identityPaths.length === 0)
    return id === kind.name
      ? { ok: true, values: withoutAny(kind) }
      : { ok: false, message: `expected ${kind.name}: there is one of it` }
  const expected = `expected ${importFormat(kind)}, such as ${importId(kind.example)}`
  const parts = id.split('/')
  if (parts.length > kind.identityPaths.length || parts.length < required(kind))
    return { ok: false, message: `${expected}; "${id}" has ${parts.length} part${parts.length === 1 ? '' : 's'}` }
  const texts: string[] = []
  for (const part of parts) {
    const text = decode(part)
    if (text === null) return { ok: false, message: `${expected}; "${part}" is not percent-encoded text` }
    if (text === '') return { ok: false, message: `${expected}; a part of "${id}" is empty` }
    texts.push(text)
  }
  return {
    ok: true,
    values: kind.identityPaths.reduce((values, path, i) => {
      const text = texts[i]
      return text === undefined ? values : set(values, path, text)
    }, withoutAny(kind)),
  }
}

const withoutAny = ({ fields }: CommonKind): Values => Object.fromEntries(fields.map(({ name }) => [name, null]))

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

/**
 * Returns the address of the object, or of a part of one, in a document. Its identity must be known. Throws
 * InvalidValue.
 */
export function addressOf(kind: ResourceKind, values: Values, spelling: JsonSpelling): ObjectAddress {
  const value = identifyingValue(kind, values, spelling)
  if (kind.part) return address(kind.type, kind.part.key(value))
  const key = objectKinds[kind.type].key(value)
  return address(kind.type, ownKey(kind.type, key), parentAddress(kind.type, placeOf(kind, values, spelling)))
}

function identifyingValue(kind: ResourceKind, values: Values, spelling: JsonSpelling): JsonObject {
  const identifying = new Set(kind.identityPaths.map(([head]) => head))
  const only = Object.fromEntries(Object.entries(values).filter(([name]) => identifying.has(name)))
  return declaredValue(kind, only, spelling)
}
