import { childrenOf, type MetadataDocument, type MetadataObject } from '@svc/schema'
import type { Map as ImmutableMap } from 'immutable'
import { ApiError, Path } from '../errors.ts'
import { defaultGraphqlSettings, type GraphqlSettings, normalText, parseDocument } from '../graphql/index.ts'
import { adminRole } from '../session.ts'

/** Texts whose verdict is remembered: a client sends the same few again and again. */
const MOST_TEXTS = 1_000
/** Characters of such a text. Longer ones are read again each time: any role may send any number of them. */
const LONGEST_TEXT = 4_096

/** The allow-list of one document (reference/stored-queries#collections-and-the-allow-list). */
interface Allowed {
  readonly collections: Children
  readonly global: ReadonlySet<string>
  readonly byRole: ReadonlyMap<string, ReadonlySet<string>>
  /** Normal forms of texts that were requested. */
  readonly known: Map<string, string>
}

type Children = ImmutableMap<string, MetadataObject>

const read = new WeakMap<Children, Allowed>()

/**
 * Refuses an operation that no collection of the allow-list contains, unless the role is admin
 * (reference/stored-queries#collections-and-the-allow-list). Throws validation-failed at `$`, and what parsing says of
 * a text that is no GraphQL.
 */
export function checkAllowed(document: MetadataDocument, role: string, query: string, settings: GraphqlSettings): void {
  if (!settings.enableAllowlist || role === adminRole) return
  const allowed = allowedOf(document)
  const text = allowed.known.get(query) ?? normalText(parseDocument(query, settings))
  if (query.length <= LONGEST_TEXT) {
    if (allowed.known.size >= MOST_TEXTS) allowed.known.clear()
    allowed.known.set(query, text)
  }
  if (allowed.global.has(text) || allowed.byRole.get(role)?.has(text)) return
  throw new ApiError('validation-failed', Path.root, 'query is not allowed', {
    internal: { message: 'query is not in any of the allowlists' },
  })
}

function allowedOf(document: MetadataDocument): Allowed {
  const entries = childrenOf(document, 'allowlist')
  const collections = childrenOf(document, 'query_collection')
  const known = read.get(entries)
  if (known?.collections === collections) return known
  const made = readAllowed(entries, collections)
  read.set(entries, made)
  return made
}

function readAllowed(entries: Children, collections: Children): Allowed {
  const global = new Set<string>()
  const byRole = new Map<string, Set<string>>()
  const texts = new Map([...collections.values()].map((object) => [object.value.name, textsOf(object)]))
  for (const { value } of entries.values()) {
    const { roles } = value.scope as { readonly roles?: readonly string[] }
    const sets = roles ? roles.map((role) => setOf(byRole, role)) : [global]
    for (const text of texts.get(value.collection) ?? []) for (const set of sets) set.add(text)
  }
  return { collections, global, byRole, known: new Map() }
}

function setOf(byRole: Map<string, Set<string>>, role: string): Set<string> {
  const set = byRole.get(role) ?? new Set<string>()
  byRole.set(role, set)
  return set
}

/** They were parsed when they were declared, but the catalogue may be older than that check. */
function textsOf({ value }: MetadataObject): readonly string[] {
  const { queries } = value.definition as { readonly queries: readonly { readonly query: string }[] }
  return queries.flatMap(({ query }) => {
    try {
      return [normalText(parseDocument(query, defaultGraphqlSettings))]
    } catch (error) {
      if (error instanceof ApiError) return []
      throw error
    }
  })
}
