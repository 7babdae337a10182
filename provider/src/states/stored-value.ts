import { isRecord, type Json, parseExactly, recordOf } from '@svc/schema'
import { SECRET, SIGNATURE } from '../pulumi/index.ts'
import type { Attributes, AttributeType, Path, Value, Values } from '../resources/index.ts'

/** How a tool writes values into its states. */
export interface StoredSpelling {
  /** `is_enum` -> `isEnum`. For attributes only, never for keys of maps or JSON. */
  readonly attribute: (name: string) => string
  /** Whether JSON is stored as its text. */
  readonly jsonAsText: boolean
}

export interface Stored {
  /** By the catalogue's names; JSON as it is. Null where nothing is stored, or nothing that can be read. */
  readonly values: Values
  /** Where a secret is stored that only the tool can decrypt. */
  readonly encrypted: readonly Path[]
}

/** The attributes of a stored resource. */
export function readStored(attributes: Attributes, stored: Json, spelling: StoredSpelling): Stored {
  const encrypted: Path[] = []
  const read = (type: AttributeType, json: Json | undefined, path: Path): Value => {
    if (json === undefined || json === null) return null
    if (isRecord(json) && json[SIGNATURE] === SECRET) {
      if (typeof json.plaintext === 'string') return read(type, parse(json.plaintext), path)
      encrypted.push(path)
      return null
    }
    switch (type.kind) {
      case 'string':
      case 'boolean':
      case 'integer':
      case 'number':
        return json as Value
      case 'json':
        return isJsonText(json, type.isText ?? false, spelling) ? (parse(json) as Value) : readJson(json, path)
      case 'list':
      case 'set':
        return Array.isArray(json) ? json.map((item: Json, i) => read(type.of, item, [...path, i])) : null
      case 'map':
        return isRecord(json)
          ? Object.fromEntries(Object.entries(json).map(([key, item]) => [key, read(type.of, item, [...path, key])]))
          : null
      case 'object':
        return isRecord(json) ? readObject(type.attributes, json, path) : null
    }
  }
  const readObject = (of: Attributes, json: Readonly<Record<string, Json>>, path: Path): Values =>
    Object.fromEntries(
      Object.entries(of).map(([name, { type }]) => [name, read(type, json[spelling.attribute(name)], [...path, name])]),
    )
  /** A secret may be marked anywhere in JSON. */
  const readJson = (json: Json, path: Path): Value => {
    if (Array.isArray(json)) return json.map((item: Json, i) => readJson(item, [...path, i]))
    if (!isRecord(json)) return json as Value
    if (json[SIGNATURE] !== SECRET)
      return Object.fromEntries(Object.entries(json).map(([key, part]) => [key, readJson(part, [...path, key])]))
    if (typeof json.plaintext === 'string') return readJson(parse(json.plaintext), path)
    encrypted.push(path)
    return null
  }
  return { values: readObject(attributes, recordOf(stored), []), encrypted }
}

/** Also where values are stored as they are, one with longer numbers than a double's is stored as its text. */
const isJsonText = (json: Json, isText: boolean, { jsonAsText }: StoredSpelling): json is string =>
  typeof json === 'string' && (jsonAsText || (!isText && /^\s*[[{]/.test(json)))

function parse(text: string): Json {
  try {
    return parseExactly(text) as Json
  } catch {
    return text
  }
}
