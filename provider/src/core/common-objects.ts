import {
  childrenOf,
  hashedTypes,
  hashOfText,
  isRecord,
  type Json,
  type JsonObject,
  type MetadataDocument,
  objectKinds,
  ownKey,
  ownKeyOf,
  recordsIn,
} from '@svc/schema'
import { mayHoldForeignVariable } from './session-variables.ts'

/** The tables and functions of a project by what an engine knows them by. */
export interface HashedObjects {
  readonly hashOf: ReadonlyMap<Json, string>
  readonly byHash: ReadonlyMap<string, JsonObject>
}

/** What a project and an engine have, each without the tables and functions that are equal in both. */
export interface WithoutCommon {
  readonly wanted: JsonObject
  readonly live: Json
  readonly common: readonly CommonObject[]
}

interface CommonObject {
  readonly source: string
  readonly type: (typeof hashedTypes)[number]
  readonly json: JsonObject
}

/**
 * Returns the hashes of a project's objects: none where sources share a name, nor of objects that have to be read even
 * if the engine has them.
 */
export function hashObjects(wanted: JsonObject): HashedObjects {
  const hashOf = new Map<Json, string>()
  const byHash = new Map<string, JsonObject>()
  const sources = recordsIn(wanted.sources)
  if (new Set(sources.map(({ name }) => name)).size < sources.length) return { hashOf, byHash }
  for (const source of sources)
    for (const type of hashedTypes)
      for (const json of itemsOf(source, type)) {
        const text = JSON.stringify(json)
        if (mayHoldForeignVariable(text)) continue
        const hash = hashOfText(text)
        hashOf.set(json, hash)
        byHash.set(hash, json)
      }
  return { hashOf, byHash }
}

/** Splits off the objects that both have. `live`: an export by an engine that was sent the hashes. */
export function withoutCommon(wanted: JsonObject, live: Json, hashed: HashedObjects): WithoutCommon {
  if (!isRecord(live)) return { wanted, live, common: [] }
  const common: CommonObject[] = []
  const declared = new Map(recordsIn(wanted.sources).map((source) => [source.name, source]))
  const liveSources = mapItems(live, (source, type, items) => {
    const own = declared.get(source.name)
    const there = new Set(own && itemsOf(own, type).map((json) => hashed.hashOf.get(json)))
    return items.flatMap((json) => {
      const known = isRecord(json) && typeof json.known === 'string' ? json.known : undefined
      const whole = known === undefined ? undefined : hashed.byHash.get(known)
      if (!whole) return [json]
      if (!there.has(known)) return [whole]
      common.push({ source: String(source.name), type, json: whole })
      return []
    })
  })
  const left = new Set(common.map(({ source, type, json }) => textOf(source, type, hashed.hashOf.get(json))))
  const wantedSources = mapItems(wanted, (source, type, items) =>
    items.filter((json) => !left.has(textOf(source.name, type, hashed.hashOf.get(json)))),
  )
  return { wanted: wantedSources, live: liveSources, common }
}

const textOf = (source: Json | undefined, type: CommonObject['type'], hash: string | undefined): string =>
  `${String(source)} ${type} ${hash}`

/** Metadata with other lists of such objects; whatever is no list or no source is left for its checks. */
function mapItems(
  metadata: JsonObject,
  items: (source: JsonObject, type: CommonObject['type'], items: readonly Json[]) => readonly Json[],
): JsonObject {
  if (!Array.isArray(metadata.sources)) return metadata
  const sources = metadata.sources.map((source: Json) => {
    if (!isRecord(source)) return source
    const lists = hashedTypes.flatMap((type) => {
      const { list } = objectKinds[type]
      const given = source[list]
      return Array.isArray(given) ? [[list, items(source, type, given)] as const] : []
    })
    return { ...source, ...Object.fromEntries(lists) }
  })
  return { ...metadata, sources }
}

/** Whether a document declares an object that is left out of it once more, in other words: the later one is used. */
export function declaresAgain(document: MetadataDocument, common: readonly CommonObject[]): boolean {
  const sources = childrenOf(document, 'source')
  return common.some(({ source, type, json }) => {
    const declared = sources.get(ownKey('source', { name: source }))
    return declared !== undefined && childrenOf(declared, type).has(ownKeyOf(type, json))
  })
}

const itemsOf = (source: JsonObject, type: CommonObject['type']): readonly JsonObject[] =>
  recordsIn(source[objectKinds[type].list])
