import {
  address,
  addressText,
  childrenOf,
  type MetadataDocument,
  type ObjectAddress,
  objectValue,
  type QueryCollection,
} from '@svc/schema'
import type { LongWork } from '../../../long-work.ts'
import type { Fault, InconsistentObject } from '../../fault.ts'
import type { Model } from '../../model.ts'

/**
 * Checks a stored query against the schema of a role, of the admin if none is named: passed in by the layer that knows
 * GraphQL.
 */
export type StoredQueryCheck = (model: Model, query: string, role?: string) => StoredQueryVerdict

interface StoredQueryVerdict {
  /** `$.artist: field 'artist' not found in object 'query_root'`; none: it fits. */
  readonly errors: readonly string[]
  /** What is wrong with its arguments. */
  readonly warnings: readonly string[]
  /** Whether it is the same on another model, since all that it read is. `last`: a model that it is known to hold on. */
  holds(model: Model, last: Model): boolean
}

interface CheckedQuery {
  readonly text: string
  readonly verdict: StoredQueryVerdict
}

/** By the key of the inconsistency that each would be. */
export type CheckedQueries = ReadonlyMap<string, CheckedQuery>

export const noneChecked: CheckedQueries = new Map()

/** Checks what is new, or rests on something that changed since `previous`. */
export function* checkStoredQueries(
  model: Model,
  previous: Model | null,
  check: StoredQueryCheck,
): LongWork<CheckedQueries> {
  const before = previous?.storedQueries ?? noneChecked
  const checked = new Map<string, CheckedQuery>()
  for (const { key, query } of storedQueries(model.input.document)) {
    const known = before.get(key)
    const isSame = previous && known?.text === query.query && known.verdict.holds(model, previous)
    yield 1
    checked.set(key, isSame ? known : { text: query.query, verdict: check(model, query.query) })
  }
  const isAllKnown = checked.size === before.size && [...checked].every(([key, one]) => before.get(key) === one)
  return isAllKnown ? before : checked
}

/** A stored query whose arguments do not fit, which is served all the same. */
export interface QueryWarning {
  readonly name: string
  readonly message: string
}

/** Whether root fields mean the same: all of a model that a stored query reads next to tables and logical models. */
export const haveSameRoots = (model: Model, previous: Model): boolean =>
  previous.functions === model.functions &&
  previous.nativeQueries === model.nativeQueries &&
  previous.namespaces === model.namespaces &&
  previous.roots.query === model.roots.query &&
  previous.roots.mutation === model.roots.mutation &&
  previous.roots.subscription === model.roots.subscription

/** What is wrong with the arguments of stored queries that was not wrong before. */
export function newQueryWarnings(before: Model, after: Model): readonly QueryWarning[] {
  if (before.storedQueries === after.storedQueries) return []
  return [...storedQueries(after.input.document)].flatMap(({ key, collection, query }) => {
    const known = before.storedQueries.get(key)?.verdict.warnings ?? []
    const texts = (after.storedQueries.get(key)?.verdict.warnings ?? []).filter((text) => !known.includes(text))
    if (texts.length === 0) return []
    return {
      name: nameOf(query.name, collection.name),
      message: `In query collection "${collection.name}" the query "${query.name}" has arguments that do not fit: ${texts.map((text) => `"${text}"`).join(', ')}`,
    }
  })
}

const nameOf = (query: string, collection: string): string => `query_collections ${query} in ${collection}`

interface StoredQuery {
  readonly key: string
  readonly at: ObjectAddress
  readonly collection: QueryCollection
  readonly query: QueryCollection['definition']['queries'][number]
  readonly index: number
}

function* storedQueries(document: MetadataDocument): Generator<StoredQuery> {
  for (const [own, object] of childrenOf(document, 'query_collection')) {
    const at = address('query_collection', own)
    const collection = objectValue(object, 'query_collection')
    for (const [index, query] of collection.definition.queries.entries())
      yield { key: `${addressText(at)}/query:${query.name}`, at, collection, query, index }
  }
}

export interface QueryInconsistency {
  readonly object: InconsistentObject
  readonly fault: Fault
}

/**
 * What get_inconsistent_metadata shows of stored queries that do not fit
 * (reference/stored-queries#collections-and-the-allow-list).
 */
export function invalidQueries(
  document: MetadataDocument,
  checked: CheckedQueries,
): ReadonlyMap<string, QueryInconsistency> {
  const found = new Map<string, QueryInconsistency>()
  for (const { key, at, collection, query, index } of storedQueries(document)) {
    const errors = checked.get(key)?.verdict.errors ?? []
    if (errors.length === 0) continue
    const texts = errors.map((error) => `"${error}"`).join(', ')
    found.set(key, {
      object: {
        reason: `Inconsistent object: In query collection "${collection.name}" the query "${query.name}" is invalid with the following error(s): ${texts}${usesOf(document, collection.name, query.name)}`,
        type: 'query_collections',
        name: nameOf(query.name, collection.name),
        definition: { name: query.name, query: query.query },
      },
      fault: {
        address: at,
        cause: 'metadata',
        needs: [],
        at: ['definition', 'queries', index, 'query'],
        names: [],
        query: query.name,
      },
    })
  }
  return found
}

function usesOf(document: MetadataDocument, collection: string, query: string): string {
  const endpoints = [...childrenOf(document, 'rest_endpoint').values()]
    .map((object) => objectValue(object, 'rest_endpoint'))
    .filter(
      ({ definition }) => definition.query.collection_name === collection && definition.query.query_name === query,
    )
    .map(({ name }) => `"${name}"`)
  const isAllowed = [...childrenOf(document, 'allowlist').values()].some(({ value }) => value.collection === collection)
  return `${endpoints.length > 0 ? `. This query is being used in the following REST endpoint(s): ${endpoints.join(', ')}` : ''}${isAllowed ? '. This query is in allowlist.' : ''}`
}
