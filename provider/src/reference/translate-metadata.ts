import { isRecord, type Json, type JsonObject, readMetadata, recordOf } from '@svc/schema'

export interface Translated {
  readonly metadata: JsonObject
  /** Said in another way now. */
  readonly translated: readonly string[]
  /** Keys that this engine does not know. */
  readonly leftOut: readonly string[]
}

type Path = readonly (string | number)[]

/**
 * Without the keys that an apply would refuse: those with a counterpart are said in its words, the rest are left out.
 * What is no metadata at all is left to a caller that reads it.
 */
export function translateMetadata(json: JsonObject): Translated {
  const translated: string[] = []
  const withCounterparts = translateTransforms(json, [], translated) as JsonObject
  const read = readMetadata(withCounterparts, undefined, { findUnknown: true })
  if (!read.ok) return { metadata: withCounterparts, translated, leftOut: [] }
  const unknown = [...read.ignored, ...read.unknown.map(({ path }) => path)]
  return {
    metadata: unknown.reduce<JsonObject>((left, path) => without(left, path) as JsonObject, withCounterparts),
    translated,
    leftOut: unknown.map((path) => path.join('.')),
  }
}

/** `content_type` of a request's transform was a key of its own before transforms could write headers. */
function translateTransforms(json: Json, at: Path, translated: string[]): Json {
  if (Array.isArray(json)) return json.map((item: Json, i) => translateTransforms(item, [...at, i], translated))
  if (!isRecord(json)) return json
  const isTransform = at.at(-1) === 'request_transform' && json.content_type !== undefined
  const own = isTransform ? withContentType(json, at, translated) : json
  return Object.fromEntries(
    Object.entries(own).map(([key, part]) => [key, translateTransforms(part, [...at, key], translated)]),
  )
}

function withContentType(transform: JsonObject, at: Path, translated: string[]): JsonObject {
  const { content_type, ...others } = transform
  const place = [...at, 'content_type'].join('.')
  const type = String(content_type)
  if (type === 'application/json') {
    translated.push(`${place}: ${type} is what is sent anyway`)
    return others
  }
  const headers = recordOf(others.request_headers)
  const added = recordOf(headers.add_headers)
  const isThere = Object.keys(added).some((name) => name.toLowerCase() === 'content-type')
  const { body } = others
  translated.push(`${place}: ${type} is the header content-type of request_headers now`)
  return {
    ...others,
    request_headers: { ...headers, add_headers: isThere ? added : { ...added, 'content-type': type } },
    ...(body === undefined ? {} : { body }),
  }
}

function without(json: Json, [key, ...rest]: Path): Json {
  if (Array.isArray(json)) return json.map((item: Json, i) => (i === key ? without(item, rest) : item))
  if (!isRecord(json) || key === undefined) return json
  const { [String(key)]: part, ...others } = json
  if (rest.length === 0) return others
  return part === undefined ? json : { ...json, [key]: without(part, rest) }
}
