import {
  findObject,
  isRecord,
  type Json,
  type JsonObject,
  type MetadataDocument,
  objectTypes,
  setValue,
} from '@svc/schema'
import { type AttributeType, type Field, kindsOfType } from '../resources/index.ts'
import { type Difference, differences } from './differences.ts'
import { walkObjects } from './walk-objects.ts'

/** What is shown in place of a secret. */
export const redacted = '***'

/**
 * Returns an object's value as it may be printed or stored: what its declaration calls sensitive is `***`, names of
 * variables remain. What no declaration mentions is hidden by its key: passwords, values of headers, passwords of
 * addresses.
 */
export function redactValue(type: string, value: JsonObject): JsonObject {
  const known = objectTypes.find((one) => one === type)
  return redactFields(known ? kindsOfType(known).flatMap(({ fields }) => fields) : [], value)
}

/** Returns the same for a value with these fields. */
export function redactFields(fields: readonly Field[], value: JsonObject): JsonObject {
  const declared = fields.reduce<Json>((json, field) => (field.at ? redactField(json, field, field.at) : json), value)
  const redacted = redactByKey(declared, '')
  return isRecord(redacted) ? redacted : value
}

/** Returns the same for a value in the log of changes; null for none. */
export const redactLogged = (type: string, value: Json): Json => (isRecord(value) ? redactValue(type, value) : value)

/** Returns a document without its secrets. */
export function redactDocument(document: MetadataDocument): MetadataDocument {
  let after = document
  for (const { object, at } of walkObjects(document)) {
    const value = redactValue(at.type, object.value)
    if (findObject(after, at) && differences(object.value, value).length > 0) after = setValue(after, at, value)
  }
  return after
}

/**
 * Returns differences of two values of one object without secrets. Where both sides are shown alike a secret differs.
 */
export const redactDifferences = (type: string, found: readonly Difference[]): readonly Difference[] =>
  found.map(({ path, old, new: now }) => ({ path, old: redactAt(type, path, old), new: redactAt(type, path, now) }))

/** A part of an object's value, by its path in it. */
function redactAt(type: string, path: readonly string[], json: Json | undefined): Json | undefined {
  if (json === undefined) return undefined
  const whole = path.reduceRight<Json>((below, key) => ({ [key]: below }), json)
  if (!isRecord(whole)) return json
  return path.reduce<Json | undefined>(
    (part, key) => (isRecord(part) ? part[key] : undefined),
    redactValue(type, whole),
  )
}

function redactField(json: Json, field: Field, [head, ...rest]: readonly string[]): Json {
  if (head === undefined) {
    const { type, sensitive } = field.attribute
    return sensitive ? hide(json, type) : redactBelow(json, type)
  }
  const below = isRecord(json) && Object.hasOwn(json, head) ? json[head] : undefined
  return below === undefined ? json : { ...(json as JsonObject), [head]: redactField(below, field, rest) }
}

/** Of a text only a text: `database_url` may stand next to `from_env`, which is the name of a variable. */
function hide(json: Json, type: AttributeType): Json {
  return type.kind === 'string' && typeof json !== 'string' ? json : hideTexts(json)
}

function hideTexts(json: Json): Json {
  if (typeof json === 'string') return redacted
  if (Array.isArray(json)) return json.map(hideTexts)
  if (!isRecord(json)) return json
  return mapValues(json, (value, key) => (/from_env$/.test(key) ? value : hideTexts(value)))
}

function redactBelow(json: Json, type: AttributeType): Json {
  if (Array.isArray(json) && (type.kind === 'list' || type.kind === 'set'))
    return json.map((item: Json) => redactBelow(item, type.of))
  if (!isRecord(json)) return json
  if (type.kind === 'map') return mapValues(json, (value) => redactBelow(value, type.of))
  if (type.kind !== 'object') return json
  return mapValues(json, (value, key) => {
    const attribute = Object.hasOwn(type.attributes, key) ? type.attributes[key] : undefined
    if (!attribute) return value
    return attribute.sensitive ? hide(value, attribute.type) : redactBelow(value, attribute.type)
  })
}

function redactByKey(json: Json, key: string): Json {
  if (typeof json === 'string')
    return /^(password|secret|admin_secret|private_key)$/.test(key) ? redacted : hidePasswords(json)
  if (Array.isArray(json))
    return json.map((item: Json) =>
      /headers$/.test(key) && isRecord(item) && typeof item.value === 'string'
        ? { ...item, value: redacted }
        : redactByKey(item, ''),
    )
  if (!isRecord(json)) return json
  return mapValues(json, (value, name) => (key === 'add_headers' ? hideTexts(value) : redactByKey(value, name)))
}

/**
 * Returns a text without the passwords of addresses in it: before the host, a stray `@` among them, in the query, and
 * in the connection strings of SQL Server.
 */
export const hidePasswords = (text: string): string =>
  text
    .replace(/(\w:\/\/[^:/@\s"]*):[^@\s"]*@(?:[^/?#@\s"]*@)*/g, `$1:${redacted}@`)
    .replace(/(;\s*password|\bpwd)(\s*=\s*)(?:\{(?:[^}]|\}\})*\}|[^;\s"']+)/gi, `$1$2${redacted}`)
    .replace(/\w:\/\/[^\s"]+/g, (address) => address.replace(/([?&](?:ssl)?password=)[^&#]+/g, `$1${redacted}`))

/** Whether a text has the password of an address in it, rather than the name of a variable in its place. */
export function holdsPassword(text: string): boolean {
  const literal = text.replaceAll(/\{\{[^{}]*\}\}/g, '').replaceAll(/(:\/\/[^:/@\s"]*):@/g, '$1@')
  return hidePasswords(literal) !== literal
}

const mapValues = (json: JsonObject, change: (value: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(json).map(([key, value]) => [key, change(value, key)]))
