import type { Json, JsonObject } from '@svc/schema'

/** A small generator of numbers in [0, 1) that gives the same ones for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const sortedLists = new Set([
  'sources',
  'tables',
  'functions',
  'object_relationships',
  'array_relationships',
  'computed_fields',
  'remote_relationships',
  'insert_permissions',
  'select_permissions',
  'update_permissions',
  'delete_permissions',
  'event_triggers',
  'remote_schemas',
  'query_collections',
  'actions',
  'cron_triggers',
])

/** The same metadata as another author would have written it: keys and lists in another order, other spellings. */
export function respell(metadata: JsonObject, seed: number): Json {
  const random = randomOf(seed)
  const maybe = () => random() < 0.5
  const shuffled = <T>(items: readonly T[]): readonly T[] =>
    items
      .map((item) => ({ item, by: random() }))
      .sort((a, b) => a.by - b.by)
      .map(({ item }) => item)

  const name = (value: Json): Json => {
    const { name: own, schema } = value as JsonObject
    if (own === undefined || schema === undefined || Object.keys(value as JsonObject).length !== 2) return value
    if (schema === 'public' && maybe()) return maybe() ? String(own) : { name: own }
    return { schema, name: own }
  }

  const walk = (json: Json, key: string): Json => {
    if (Array.isArray(json)) {
      const items = json.map((item: Json) => walk(item, ''))
      return sortedLists.has(key) ? shuffled(items) : items
    }
    if (typeof json !== 'object' || json === null) return json
    if (['table', 'remote_table', '_table', 'function'].includes(key)) return name(json)
    const entries = Object.entries(json).map(([own, value]): readonly [string, Json] => [
      rename(own, key),
      walk(value, own),
    ])
    return Object.fromEntries(shuffled([...entries, ...defaultsFor(key, json as JsonObject)]))
  }

  const rename = (own: string, parent: string): string => {
    if (!maybe()) return own
    if (['_or', '_and', '_not', '_exists'].includes(own)) return own.replace('_', '$')
    if (parent === 'configuration' && own === 'custom_name') return 'identifier'
    return own
  }

  const defaultsFor = (key: string, json: JsonObject): readonly (readonly [string, Json])[] => {
    if (!maybe()) return []
    if (key === '' && (json.using !== undefined || json.permission !== undefined) && json.comment === undefined)
      return [['comment', null]]
    return []
  }

  return walk(metadata, 'root')
}
