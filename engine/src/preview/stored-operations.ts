import { childrenOf, type MetadataDocument, objectValue } from '@svc/schema'
import type { SchemaChange } from '../graphql/index.ts'
import type { LongWork } from '../long-work.ts'
import type { Model } from '../model/index.ts'

/** A stored operation that a role can no longer run. */
export interface BrokenOperation {
  readonly collection: string
  readonly query: string
  readonly role: string
  /** What is wrong with it now: `$.artist: field 'artist' not found in object 'query_root'`. */
  readonly reasons: readonly string[]
  /** Names of the REST endpoints that run it. */
  readonly rest_endpoints: readonly string[]
  /** Whether the allow-list has it for the role. */
  readonly is_allowed: boolean
}

/** A role, and what of its schema breaks. */
export interface BreakingRole {
  readonly role: string
  readonly changes: readonly SchemaChange[]
}

/**
 * The stored operations that are valid for a role before a change and not after it. Only those are checked that name
 * something of what breaks.
 */
export function* brokenOperations(
  before: Model,
  after: Model,
  roles: readonly BreakingRole[],
): LongWork<readonly BrokenOperation[]> {
  const check = after.input.settings.checkStoredQuery
  if (!check || roles.length === 0) return []
  const broken: BrokenOperation[] = []
  const stored = storedOperations(after.input.document)
  const earlier = new Map(storedOperations(before.input.document).map(({ key, text }) => [key, text]))
  for (const operation of stored) {
    const { key, text, collection, query } = operation
    if (earlier.get(key) !== text) continue
    const words = new Set(text.match(/[_A-Za-z]\w*/g))
    for (const { role, changes } of roles) {
      if (!changes.some((change) => mayConcern(change, words))) continue
      yield 1
      if (problems(check(before, text, role)).length > 0) continue
      const reasons = problems(check(after, text, role))
      if (reasons.length === 0) continue
      const { rest_endpoints, allowed } = operation
      const is_allowed = allowed === 'all' || allowed.includes(role)
      broken.push({ collection, query, role, reasons, rest_endpoints, is_allowed })
    }
  }
  return broken
}

const problems = ({
  errors,
  warnings,
}: {
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}) => [...errors, ...warnings]

/** Whether a document with these words can rest on what a change breaks. */
function mayConcern({ change, severity, at }: SchemaChange, words: ReadonlySet<string>): boolean {
  if (severity !== 'breaking') return false
  const names = at.match(/[_A-Za-z]\w*/g) ?? []
  switch (change) {
    // what lacks the field does not name it
    case 'REQUIRED_INPUT_FIELD_ADDED':
    case 'TYPE_CHANGED_KIND':
      return true
    case 'REQUIRED_ARG_ADDED':
      return words.has(names.at(-2) ?? '')
    case 'TYPE_REMOVED':
      return rootTypes.has(at) || words.has(at)
    default:
      return words.has(names.at(-1) ?? '')
  }
}

/** No document names them, and what goes with them is not listed. */
const rootTypes = new Set(['query_root', 'mutation_root', 'subscription_root'])

interface StoredOperation {
  readonly key: string
  readonly collection: string
  readonly query: string
  readonly text: string
  readonly rest_endpoints: readonly string[]
  /** The roles that the allow-list has it for. */
  readonly allowed: 'all' | readonly string[]
}

function storedOperations(document: MetadataDocument): readonly StoredOperation[] {
  const endpoints = new Map<string, string[]>()
  for (const object of childrenOf(document, 'rest_endpoint').values()) {
    const { name, definition } = objectValue(object, 'rest_endpoint')
    const key = keyOf(definition.query.collection_name, definition.query.query_name)
    endpoints.set(key, [...(endpoints.get(key) ?? []), name])
  }
  const scopes = new Map<string, 'all' | readonly string[]>()
  for (const object of childrenOf(document, 'allowlist').values()) {
    const { collection, scope } = objectValue(object, 'allowlist')
    scopes.set(collection, scope.global ? 'all' : scope.roles)
  }
  return [...childrenOf(document, 'query_collection').values()].flatMap((object) => {
    const { name: collection, definition } = objectValue(object, 'query_collection')
    return definition.queries.map(({ name: query, query: text }) => {
      const key = keyOf(collection, query)
      const allowed = scopes.get(collection) ?? []
      return { key, collection, query, text, rest_endpoints: endpoints.get(key) ?? [], allowed }
    })
  })
}

const keyOf = (collection: string, query: string): string => JSON.stringify([collection, query])
