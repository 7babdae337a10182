import {
  address,
  addressText,
  childrenOf,
  findObject,
  isRecord,
  type Json,
  type JsonObject,
  keyedObject,
  type MetadataDocument,
  type ObjectAddress,
  type ObjectName,
  objectName,
  ownKey,
  recordOf,
} from '@svc/schema'
import { targetsOf, walkObjects, wholeOf } from '../../../provider/src/core/index.ts'
import { kindOfType, valuesOf } from '../../../provider/src/resources/index.ts'
import { ancestors, type InheritedRole } from '../engine/metadata.ts'

/** An object that another names, and by what of it: `select_permission user`. Empty: by itself. */
export interface Relation {
  readonly object: ObjectName
  readonly by: readonly string[]
}

export interface Relations {
  readonly dependsOn: readonly Relation[]
  readonly usedBy: readonly Relation[]
}

interface Edge {
  readonly from: ObjectAddress
  readonly to: ObjectAddress
  readonly by: string
}

/** A foreign key between tracked tables, as the engine suggests relationships over it. */
export interface ForeignKey {
  readonly type: string
  readonly from: { readonly table: Json; readonly columns: Json }
  readonly to: { readonly table: Json }
}

/**
 * What an object and the objects inside it name; and what names it. Both by what has a view of its own. `keys`: those
 * of the object's source, which say where relationships over columns lead.
 */
export function relationsOf(document: MetadataDocument, of: ObjectAddress, keys: readonly ForeignKey[]): Relations {
  const text = addressText(of)
  const edges = edgesOf(document)
  const overKeys = of.parent ? edgesOverKeys(document, of.parent, keys) : []
  const over = (end: 'from' | 'to', other: 'from' | 'to') =>
    [...(edges[end].get(text) ?? []), ...overKeys.filter((edge) => addressText(edge[end]) === text)].map((edge) => ({
      on: edge[other],
      by: edge.by,
    }))
  return { dependsOn: related(document, over('from', 'to')), usedBy: related(document, over('to', 'from')) }
}

function edgesOverKeys(
  document: MetadataDocument,
  source: ObjectAddress,
  keys: readonly ForeignKey[],
): readonly Edge[] {
  const table = (name: Json) => address('table', ownKey('table', { table: name }), source)
  const targets = new Map(
    keys.map(({ from, to }) => [`${addressText(table(from.table))} ${JSON.stringify(from.columns)}`, table(to.table)]),
  )
  return [...childrenOf(findObject(document, source) ?? document, 'table')].flatMap(([own, object]) => {
    const from = address('table', own, source)
    return [...childrenOf(object, 'object_relation').values()].flatMap(
      ({ value: { name = null, using } }): readonly Edge[] => {
        const columns = isRecord(using) ? using.foreign_key_constraint_on : null
        const to = targets.get(`${addressText(from)} ${JSON.stringify([columns].flat())}`)
        return to && addressText(to) !== addressText(from) ? [{ from, to, by: `object_relation ${String(name)}` }] : []
      },
    )
  })
}

/** Each object once, by all that it is related by. */
function related(
  document: MetadataDocument,
  ends: readonly { readonly on: ObjectAddress; readonly by: string }[],
): readonly Relation[] {
  const found = Map.groupBy(ends, ({ on }) => addressText(on))
  return [...found.values()].flatMap((group): readonly Relation[] => {
    const [first] = group
    if (!first) return []
    const by = [...new Set(group.map((one) => one.by))].filter(Boolean)
    return [{ object: objectName(keyedObject(document, first.on)), by }]
  })
}

const known = new WeakMap<MetadataDocument, ReturnType<typeof readEdges>>()

function edgesOf(document: MetadataDocument) {
  const edges = known.get(document) ?? readEdges(document)
  known.set(document, edges)
  return edges
}

function readEdges(document: MetadataDocument) {
  const edges: Edge[] = []
  for (const { object, at, place, sourceKind } of walkObjects(document)) {
    const kind = kindOfType(at.type, sourceKind)
    const from = viewed(at)
    if (from === at && at.parent) edges.push({ from, to: viewed(at.parent), by: '' })
    const references = kind?.dependsOn?.(valuesOf(kind, object.value, place, 'value'), object.value) ?? []
    const by = from === at ? '' : `${at.type} ${ownName(object.value)}`
    for (const reference of references) {
      const targets = targetsOf(document, reference)
      // of several only the engine knows which is meant
      const [target] = /^(?:role|select-permission)$/.test(reference.to) || targets.length > 1 ? [] : targets
      const to = target && viewed(wholeOf(target))
      if (to && addressText(to) !== addressText(from)) edges.push({ from, to, by })
    }
    if (at.type === 'allowlist') edges.push({ from, to: address('query_collection', at.own), by })
  }
  return {
    from: Map.groupBy(edges, ({ from }) => addressText(from)),
    to: Map.groupBy(
      // a source is not used by each of a thousand tables
      edges.filter(({ from, to }) => to.type !== 'source' || from.parent === null),
      ({ to }) => addressText(to),
    ),
  }
}

/** What has a view of its own: the object, or its parent. */
const viewed = (at: ObjectAddress): ObjectAddress =>
  at.parent && at.parent.type !== 'source' && at.type !== 'event_trigger' ? viewed(at.parent) : at

const ownName = ({ role, name }: JsonObject): string => String(role ?? name ?? '')

/** The roles that may use an object, without the admin. */
export interface Use {
  /** What each role may do, and the role that it has it from. */
  readonly roles: readonly { readonly role: string; readonly what: string; readonly from: string | null }[]
  /** What else is to be said of it. */
  readonly words: string
}

/** Settings of an engine that decide who may use what, as /v1alpha1/config has them. */
export interface UseSettings {
  readonly is_function_permissions_inferred?: boolean
  readonly is_remote_schema_permissions_enabled?: boolean
  readonly is_allow_list_enabled?: boolean
}

interface Permission {
  readonly role: string
  /** Of what has a view of its own. */
  readonly on: ObjectAddress
  readonly what: string
}

/** Permissions of all objects, as they are declared. */
function permissionsOf(document: MetadataDocument): readonly Permission[] {
  return [...walkObjects(document)].flatMap(({ at, object: { value } }): readonly Permission[] => {
    if (at.type === 'allowlist' && isRecord(value.scope) && Array.isArray(value.scope.roles))
      return value.scope.roles.map((role: Json) => ({
        role: String(role),
        on: address('query_collection', at.own),
        what: 'run it',
      }))
    if (!at.type.endsWith('_permission') || !at.parent || typeof value.role !== 'string') return []
    return [{ role: value.role, on: at.parent, what: at.type.replace(/_?permission$/, '') || 'use' }]
  })
}

/** Returns the roles that may use an object, from permissions of its own and those that roles inherit. */
export function useOf(document: MetadataDocument, of: ObjectAddress, settings: UseSettings): Use {
  const value = findObject(document, of)?.value ?? {}
  const model = of.type === 'native_query' && of.parent ? returned(value, of.parent) : null
  const text = addressText(model ?? of)
  const isMeant = ({ on }: Permission) =>
    addressText(on) === text || (of.type === 'source' && on.parent !== null && addressText(on.parent) === text)
  const permissions = permissionsOf(document).filter(isMeant)
  const direct = Map.groupBy(permissions, ({ role }) => role)
  const whatOf = (role: string) => [...new Set((direct.get(role) ?? []).map(({ what }) => verb(what)))].join(', ')
  const inheriting = inheritedIn(document)
  const inherited = inheriting.flatMap(({ role_name: role }) =>
    direct.has(role)
      ? []
      : [...ancestors({ inherited_roles: inheriting }, role)]
          .filter((from) => direct.has(from))
          .map((from) => ({ role, what: whatOf(from), from })),
  )
  const own = [...direct.keys()].map((role) => ({ role, what: whatOf(role), from: null }))
  const roles = [...own, ...inherited].sort((a, b) => (a.role < b.role ? -1 : 1))
  return { roles, words: wordsOf(document, of, value, settings, roles.length > 0) }
}

const verb = (what: string) => (/^(?:action|function|remote_schema|use)$/.test(what) ? 'use' : what.replace(/.*_/, ''))

function returned({ returns }: JsonObject, source: ObjectAddress): ObjectAddress | null {
  return typeof returns === 'string' ? address('logical_model', returns, source) : null
}

function wordsOf(
  document: MetadataDocument,
  { type, own }: ObjectAddress,
  value: JsonObject,
  settings: UseSettings,
  isNamed: boolean,
): string {
  const adminAlone = isNamed ? '' : 'No role but the admin may use it.'
  switch (type) {
    case 'event_trigger':
    case 'cron_trigger':
      return 'The engine runs it; no role does.'
    case 'function':
      return settings.is_function_permissions_inferred === false
        ? adminAlone
        : 'Where it only reads, every role that may select what it returns may use it (--infer-function-permissions).'
    case 'remote_schema':
      return settings.is_remote_schema_permissions_enabled === true
        ? adminAlone
        : 'Every role may use all of it: the engine runs without --enable-remote-schema-permissions.'
    case 'query_collection': {
      const entry = findObject(document, address('allowlist', own))
      const isOn = settings.is_allow_list_enabled === true
      if (!entry) return `It is not on the allow-list${isOn ? ': its queries run by REST endpoints alone.' : '.'}`
      const said = isNamed ? '' : 'It is on the allow-list of every role. '
      return isOn ? said : `${said}The engine runs without --enable-allowlist, so every query is allowed.`
    }
    case 'rest_endpoint': {
      const { query } = recordOf(value.definition)
      return `Every role that may run its query "${isRecord(query) ? String(query.query_name) : ''}" may use it.`
    }
    default:
      return /^(?:source|table|action|logical_model|native_query)$/.test(type) ? adminAlone : ''
  }
}

/** What a role may use, by objects that have a view. */
export function usesOf(document: MetadataDocument, role: string): readonly Relation[] {
  const roles = ancestors({ inherited_roles: inheritedIn(document) }, role)
  const ends = permissionsOf(document)
    .filter((one) => roles.has(one.role))
    .map(({ on, what, role: from }) => ({ on, by: `${verb(what)}${from === role ? '' : ` of ${from}`}` }))
  return related(document, ends)
}

/** The roles that an inherited one is made of, and those that are made of a role. */
export function kinOf(document: MetadataDocument, role: string) {
  const inherited = inheritedIn(document)
  return {
    madeOf: inherited.find(({ role_name }) => role_name === role)?.role_set ?? [],
    within: inherited.flatMap(({ role_name, role_set }) => (role_set.includes(role) ? [role_name] : [])),
  }
}

const inheritedIn = (document: MetadataDocument): readonly InheritedRole[] =>
  [...(document.children.inherited_role?.values() ?? [])].map(({ value }) => value as unknown as InheritedRole)
