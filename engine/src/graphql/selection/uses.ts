import type { QualifiedName } from '../../ir/index.ts'
import {
  type Model,
  type RootFieldOwner,
  rowsOf,
  typeRelationship,
  visibleAction,
  visibleRemote,
} from '../../model/index.ts'
import { type RoleSchema, roleSchema } from '../types/role-schema.ts'
import type { Api } from '../types/table-types.ts'

/**
 * A part of the model that a plan depends on, and what it was: while each is what it was, the plan is right. One of an
 * inherited role is by the role, all others by a name or an id.
 */
export type Use = readonly [kind: UseKind, key: string, value: unknown]

export type UseKind = keyof typeof found

/** Whose schema a plan is made for. */
export interface PlanFor {
  readonly role: string
  /** Whether permissions that are for backends only count. */
  readonly backendOnly: boolean
}

interface Seen {
  readonly model: Model
  readonly asker: PlanFor
  readonly api: Api
}

/** What each kind of use finds in a model, compared by identity. */
const found = {
  /** Rows of a table or of native queries. */
  table: ({ model }: Seen, id: string): unknown => rowsOf(model, id),
  function: ({ model }: Seen, id: string): unknown => model.functions.get(id),
  'native-query': ({ model }: Seen, id: string): unknown => model.nativeQueries.get(id),
  /** Where the role may use it. */
  action: ({ model, asker }: Seen, name: string): unknown => visibleAction(model, asker.role, name),
  /** A remote schema as the role sees it. */
  remote: ({ model, asker }: Seen, name: string): unknown => visibleRemote(model, asker.role, name),
  /** A relationship of a type of a remote schema, by `typeRelationshipKey`. */
  'type-relationship'({ model }: Seen, key: string): unknown {
    const [remote = '', type = '', name = ''] = JSON.parse(key) as readonly string[]
    return typeRelationship(model, remote, type, name)
  },
  /** The owner of a field of the query root, by `rootKey`. */
  'query-field': ({ model }: Seen, key: string): unknown => ownerText(model.roots.query.get(key)),
  /** What a role is made of, if it is an inherited one. */
  'inherited-role': ({ model }: Seen, role: string): unknown => model.inheritedRoles.get(role),
  /** The owner of a field of the mutation root, by `rootKey`. */
  'mutation-field': ({ model }: Seen, key: string): unknown => ownerText(model.roots.mutation.get(key)),
  /** The type of a namespace in the query root. */
  namespace({ model, asker, api }: Seen, name: string): unknown {
    const { queryRoot } = roleSchema(model, asker.role, api, asker.backendOnly)
    return namespaceType(queryRoot, name)
  },
  /** The type of a namespace in the mutation root. */
  'mutation-namespace'({ model, asker, api }: Seen, name: string): unknown {
    const { mutationRoot } = roleSchema(model, asker.role, api, asker.backendOnly)
    return namespaceType(mutationRoot, name)
  },
  /** Whether a role has no root field at all: the placeholder is there only then. */
  'empty-root': ({ model, asker }: Seen): unknown => roleSchema(model, asker.role).isEmpty(),
}

export const typeRelationshipKey = (remote: string, type: string, name: string): string =>
  JSON.stringify([remote, type, name])

function namespaceType({ fields }: RoleSchema['queryRoot'], name: string): string | undefined {
  const meaning = fields.get(name)?.meaning
  return meaning?.kind === 'namespace' ? meaning.type.name : undefined
}

/** Owners are made again when a table claims its names again. */
const ownerText = (owner: RootFieldOwner | undefined): string | undefined => owner && JSON.stringify(owner)

export class Uses {
  readonly #seen: Seen
  readonly #uses = new Map<string, Use>()

  constructor(model: Model, asker: PlanFor, api: Api) {
    this.#seen = { model, asker, api }
  }

  add(kind: UseKind, key: string): void {
    const own = `${kind} ${key}`
    if (!this.#uses.has(own)) this.#uses.set(own, [kind, key, found[kind](this.#seen, key)])
  }

  list(): readonly Use[] {
    return [...this.#uses.values()]
  }
}

/** Whether all that a plan rests on is the same in another model. */
export const sameUses = (uses: readonly Use[], model: Model, asker: PlanFor, api: Api): boolean =>
  uses.every(([kind, key, value]) => found[kind]({ model, asker, api }, key) === value)

/** What a role is permitted to use that is no table, as the operation that permits it names it. */
export type PermittedUse =
  | { readonly source: string; readonly function: QualifiedName }
  | { readonly action: string }
  | { readonly remote_schema: string }

/** Returns what a use needs permission for, or null where that is a table or nothing. */
export function permittedUse([kind, key]: Use, model: Model): PermittedUse | null {
  if (kind === 'action') return { action: key }
  if (kind === 'remote') return { remote_schema: key }
  const called = kind === 'function' ? model.functions.get(key) : undefined
  return called ? { source: called.source, function: called.function } : null
}
