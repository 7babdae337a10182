import { childTypesOf, defaultKind, isRecord, type Json, type JsonObject, objectKinds } from '@svc/schema'
import { DirectoryError } from '../directory/index.ts'

export interface Unwrapped {
  /** Version 3, and not checked. */
  readonly metadata: JsonObject
  /** What was next to it. */
  readonly leftOut: readonly string[]
  /** Whether its tables were those of the one database that the engine was started with. */
  readonly isOlder: boolean
}

/** The variable that the reference's engine reads the address of its database from. */
const databaseVariable = 'HASURA_GRAPHQL_DATABASE_URL'

/**
 * Metadata of version 1, 2 or 3 as version 3; also out of an export (`{resource_version, metadata}`), of a request
 * `replace_metadata`, and of a list or a bulk of requests with one of them. Throws DirectoryError for anything else.
 */
export function unwrapMetadata(json: Json, file: string): Unwrapped {
  const { metadata, leftOut } = outOf(json, file)
  const { sources, tables, functions, ...others } = metadata
  const isOlder = tables !== undefined && sources === undefined
  if (!isOlder && sources === undefined && !Object.keys(metadata).some((key) => topKeys.has(key)))
    throw new DirectoryError(`${file}: no metadata: it has neither sources nor tables`)
  if (!isOlder) return { metadata: { ...metadata, version: 3 }, leftOut, isOlder }
  const configuration = { connection_info: { database_url: { from_env: databaseVariable } } }
  const listed = Array.isArray(functions) ? functions.map((one: Json) => asFunction(one)) : (functions ?? [])
  const source: JsonObject = {
    name: 'default',
    kind: defaultKind,
    configuration,
    tables: tables ?? [],
    functions: listed,
  }
  return { metadata: { ...others, version: 3, sources: [source] }, leftOut, isOlder }
}

/** A document may have only one of these. */
const topKeys: ReadonlySet<string> = new Set(['version', ...childTypesOf(null).map((type) => objectKinds[type].list)])

/** Version 1 has only the name. */
const asFunction = (json: Json): Json => (isRecord(json) && json.function !== undefined ? json : { function: json })

function outOf(json: Json, file: string): { readonly metadata: JsonObject; readonly leftOut: readonly string[] } {
  if (Array.isArray(json)) return outOfRequests(json, file)
  if (!isRecord(json)) throw new DirectoryError(`${file}: no metadata: expected an object`)
  if (typeof json.type === 'string') return outOfRequests([json], file)
  if (!isRecord(json.metadata)) return { metadata: json, leftOut: [] }
  const others = Object.keys(json).filter(
    (key) => !/^(metadata|resource_version|allow_inconsistent_metadata)$/.test(key),
  )
  return { metadata: json.metadata, leftOut: others.map((key) => `${key} next to the metadata is left out`) }
}

function outOfRequests(requests: readonly Json[], file: string): ReturnType<typeof outOf> {
  const all = requests.flatMap((request) =>
    isRecord(request) &&
    /^(bulk|bulk_keep_going|bulk_atomic|concurrent_bulk)$/.test(String(request.type)) &&
    Array.isArray(request.args)
      ? (request.args as readonly Json[])
      : [request],
  )
  const isReplacement = (request: Json) => isRecord(request) && /^(replace|import)_metadata$/.test(String(request.type))
  const last = all.findLast(isReplacement)
  if (!isRecord(last) || !isRecord(last.args))
    throw new DirectoryError(`${file}: no metadata: of ${all.length} requests none is a replace_metadata`)
  const others = all.filter((request) => request !== last)
  const { metadata, leftOut } = outOf(last.args, file)
  const names = others.map((request) => `request ${isRecord(request) ? String(request.type) : '?'} is left out`)
  return { metadata, leftOut: [...leftOut, ...names] }
}
