import { childrenOf, findObject, type MetadataObject } from '@svc/schema'
import { Map as ImmutableMap, OrderedSet as ImmutableOrderedSet } from 'immutable'
import type { LongWork } from '../../long-work.ts'
import { nameReadKey, type TableNode } from '../graph.ts'
import { defaultNaming, namingOf, rootKey, type SourceNaming } from '../naming/source-naming.ts'
import { typeName } from '../naming/spell.ts'
import type { TableId } from '../object-ids.ts'
import type { GraphqlTable } from '../resolve/graphql-table.ts'
import type { ResolutionError } from '../resolve/resolution-error.ts'
import type { TableField } from '../root-owner.ts'
import { addressOfTable, tableIdOf } from '../table-id.ts'
import { type ModelDraft, partsOf } from '../update/model-draft.ts'
import { announce, clash as clashOf, setRootField, setType } from './names.ts'
import {
  forgetScalars,
  isReservedField,
  isReservedType,
  rememberScalars,
  scalarsOf,
  userOfScalar,
} from './reserved-names.ts'

/**
 * Types that a table's type name brings along: no other table may be named like one
 * (reference/graphql-schema#generated-types).
 */
const derivedTypes = [
  'aggregate',
  'aggregate_fields',
  'max_fields',
  'min_fields',
  'select_column',
  'order_by',
  'bool_exp',
  'stream_cursor_input',
  'stream_cursor_value_input',
  'mutation_response',
  'insert_input',
  'obj_rel_insert_input',
  'arr_rel_insert_input',
  'on_conflict',
  'constraint',
  'update_column',
  'set_input',
  'inc_input',
  'append_input',
  'prepend_input',
  'delete_key_input',
  'delete_elem_input',
  'delete_at_path_input',
  'updates',
  'pk_columns_input',
] as const

/** The names a table holds: its own, and the types of the enum that it is. */
function ownTypes({ graphqlName, enumName, naming: { convention } }: GraphqlTable): readonly string[] {
  const enumTypes = enumName === null ? [] : [enumName, typeName(convention, { custom: enumName }, 'comparison_exp')]
  return graphqlName === null ? [] : [graphqlName, ...enumTypes]
}

/** What a derived type's name has after that of the row type. */
function endings(naming: SourceNaming): readonly string[] {
  const known = knownEndings.get(naming)
  if (known) return known
  const { convention, typeNames } = naming
  const made = derivedTypes.map((part) => `${typeName(convention, { custom: '' }, part)}${typeNames.suffix}`)
  knownEndings.set(naming, made)
  return made
}

/** Sources have few, and each of 5,000 tables asks. */
const knownEndings = new WeakMap<SourceNaming, readonly string[]>()

/**
 * Gives a table its root fields and type names, or says who has one of them. Names are unique over all sources
 * (reference/graphql-schema#names-of-tables-and-functions); of two tables that want one, that which has it keeps it
 * (architecture, decision 11).
 */
export function claimNames(draft: ModelDraft, node: TableNode): ResolutionError | null {
  const { graphql, id } = node
  const error = reservedName(draft, node) ?? takenType(draft, node) ?? takenField(draft, node)
  if (error) return error
  for (const name of ownTypes(graphql)) {
    setType(draft, name, node.address)
    if (mayBeDerived(name)) draft.graph.likeDerived.set(name, true)
  }
  rememberScalars(draft, node)
  for (const { kind, name } of graphql.rootFields)
    setRootField(draft, 'query', rootKey(graphql.naming, name), { kind, table: id })
  for (const { kind, name } of graphql.mutationFields)
    setRootField(draft, 'mutation', rootKey(graphql.naming, name), { kind, table: id })
  if (graphql.alias) draft.graph.aliases.set(rootKey(graphql.naming, graphql.alias.name), id)
  const { namespace } = graphql.naming
  if (namespace !== null && graphql.rootFields.length > 0)
    changeNamespace(draft, namespace, (draft.namespaces.get(namespace) ?? noTables).add(id))
  return null
}

const plainEndings = [...endings(defaultNaming), ...endings({ ...defaultNaming, convention: 'graphql-default' })]

/** Whether some table's derived type could have the name: it ends like one, before the suffix that a source may give. */
const mayBeDerived = (name: string): boolean => plainEndings.some((ending) => name.includes(ending))

/** Names of row types that a type of that name would be derived from, or that would be derived from it. */
export function relatedTypes(name: string): readonly string[] {
  const bases = plainEndings.flatMap((ending) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []))
  return [...bases, ...plainEndings.map((ending) => `${name}${ending}`)]
}

function changeNamespace(draft: ModelDraft, namespace: string, tables: ImmutableOrderedSet<TableId>): void {
  if (tables.isEmpty()) draft.namespaces.delete(namespace)
  else draft.namespaces.set(namespace, tables)
  announce(draft, nameReadKey(namespace))
}

/** The table that has a root field of the query root; other kinds of objects come after tables and give way. */
function tableOfField(draft: ModelDraft, key: string): TableField | undefined {
  const owner = draft.roots.query.get(key)
  return owner && 'table' in owner ? owner : undefined
}

/** The same of the mutation root. */
function tableOfMutation(draft: ModelDraft, key: string): TableId | undefined {
  const owner = draft.roots.mutation.get(key)
  return owner && 'table' in owner ? owner.table : undefined
}

/** The same of a type's name. */
function tableOfType(draft: ModelDraft, name: string): TableId | undefined {
  const owner = draft.graph.types.get(name)
  return owner?.type === 'table' ? tableIdOf(owner) : undefined
}

/** Gives names back. Returns the tables that were kept out by this one and may try again. */
export function releaseNames(draft: ModelDraft, node: TableNode): readonly TableId[] {
  const { graphql, id } = node
  const { blocked } = draft.graph
  forgetScalars(draft, node)
  for (const name of ownTypes(graphql)) {
    if (tableOfType(draft, name) !== id) continue
    setType(draft, name, null)
    draft.graph.likeDerived.delete(name)
  }
  for (const { name } of [...graphql.rootFields, ...(graphql.alias ? [graphql.alias] : [])]) {
    const key = rootKey(graphql.naming, name)
    if (tableOfField(draft, key)?.table === id) setRootField(draft, 'query', key, null)
    if (draft.graph.aliases.get(key) === id) draft.graph.aliases.delete(key)
  }
  for (const { name } of graphql.mutationFields) {
    const key = rootKey(graphql.naming, name)
    if (tableOfMutation(draft, key) === id) setRootField(draft, 'mutation', key, null)
  }
  leaveNamespace(draft, id, graphql)
  const waiting = [...(blocked.get(id)?.keys() ?? [])]
  blocked.delete(id)
  return waiting
}

function leaveNamespace(draft: ModelDraft, id: TableId, { naming: { namespace } }: GraphqlTable): void {
  const tables = namespace === null ? undefined : draft.namespaces.get(namespace)
  if (namespace === null || !tables?.has(id)) return
  changeNamespace(draft, namespace, tables.delete(id))
}

/**
 * `<n>_one` yields to every other root field of that name (reference/graphql-schema#table-configuration): looked at
 * once all others are claimed.
 */
export function* settleAliases(
  draft: ModelDraft,
  claimed: readonly TableNode[],
  released: readonly GraphqlTable[],
): LongWork<void> {
  const views = [...claimed.map(({ graphql }) => graphql), ...released]
  const owners = draft.graph.aliases.isEmpty()
    ? []
    : views.flatMap(({ naming, rootFields }) =>
        rootFields.flatMap(({ name }) => draft.graph.aliases.get(rootKey(naming, name)) ?? []),
      )
  for (const id of new Set([...claimed.map((node) => node.id), ...owners])) {
    yield 1
    const node = draft.graph.nodes.get(id)
    if (!node?.served || !node.graphql.alias) continue
    const { naming, alias } = node.graphql
    const key = rootKey(naming, alias.name)
    if (!tableOfField(draft, key)) setRootField(draft, 'query', key, { kind: alias.kind, table: id })
    partsOf(draft, id)
  }
}

/** Remembers who has the name, to try again when it is given back. */
export function waitFor(draft: ModelDraft, loser: TableId, error: ResolutionError): void {
  const { blocked } = draft.graph
  for (const { own, parent } of error.detail.needs ?? []) {
    const winner = `${parent?.own ?? ''}/${own}`
    if (winner !== loser) blocked.set(winner, (blocked.get(winner) ?? nobody).set(loser, true))
  }
}

export function stopWaiting(draft: ModelDraft, key: string, loser: TableId): void {
  const { blocked } = draft.graph
  for (const { own, parent } of draft.faults.get(key)?.needs ?? []) {
    const winner = `${parent?.own ?? ''}/${own}`
    const others = blocked.get(winner)?.delete(loser)
    if (others?.isEmpty()) blocked.delete(winner)
    else if (others) blocked.set(winner, others)
  }
}

const nobody: ImmutableMap<TableId, true> = ImmutableMap()
const noTables: ImmutableOrderedSet<TableId> = ImmutableOrderedSet()

/** Of the engine's own types and root fields, or of a scalar. */
function reservedName(draft: ModelDraft, node: TableNode): ResolutionError | null {
  const { id, graphql, shape } = node
  const { graphqlName: name, rootFields } = graphql
  if (name === null) return null
  const field = rootFields.find((one) => isReservedField(rootKey(graphql.naming, one.name)))
  if (isReservedType(draft, name) || field)
    return clash(draft, field ? 'field' : 'type', undefined, nameAt(draft, id), [field?.name ?? name])
  const user = userOfScalar(draft, name, shape.types)
  if (user !== undefined) return clash(draft, 'type', user, nameAt(draft, id), [name])
  const scalar = takenScalar(draft, node)
  if (scalar === undefined) return null
  const owner = scalar === name ? id : tableOfType(draft, scalar)
  if (owner === undefined) return null
  return clash(draft, 'type', owner, nameAt(draft, id), [scalar])
}

/** The scalar of one of the columns that a table is called like, perhaps this one. */
export const takenScalar = (draft: ModelDraft, { graphql, shape }: TableNode): string | undefined =>
  graphql.graphqlName === null
    ? undefined
    : [...scalarsOf(graphql.columns, shape.types)].find(
        (scalar) => scalar === graphql.graphqlName || tableOfType(draft, scalar) !== undefined,
      )

function takenField(draft: ModelDraft, { id, graphql }: TableNode): ResolutionError | null {
  const error = takenNamespace(draft, id, graphql)
  if (error) return error
  const owners = graphql.rootFields.map(({ name }, i) => {
    const key = rootKey(graphql.naming, name)
    const owner = tableOfField(draft, key)
    if (graphql.rootFields.findIndex((other) => other.name === name) < i) return id
    if (owner && owner.table !== id && owner.kind !== 'select_one') return owner.table
    return draft.namespaces.get(key)?.first() ?? null
  })
  const first = owners.findIndex((owner) => owner !== null)
  const field = graphql.rootFields[first]
  const winner = owners[first]
  if (!field || !winner) return takenMutation(draft, id, graphql)
  const names = graphql.rootFields.flatMap(({ name }, i) => (owners[i] === winner ? [name] : []))
  const at = fieldAt(draft, id, field.kind)
  return clash(draft, 'field', winner, at, names)
}

/** The same of the mutation root, whose names are apart from those of queries. */
function takenMutation(draft: ModelDraft, id: TableId, graphql: GraphqlTable): ResolutionError | null {
  for (const [i, { name, kind }] of graphql.mutationFields.entries()) {
    const key = rootKey(graphql.naming, name)
    const isOwn = graphql.mutationFields.findIndex((other) => other.name === name) < i
    const owner = isOwn ? id : tableOfMutation(draft, key)
    const winner = owner !== undefined && (isOwn || owner !== id) ? owner : draft.namespaces.get(key)?.first()
    if (winner === undefined) continue
    return clash(draft, 'field', winner, fieldAt(draft, id, kind), [name])
  }
  return null
}

/** A namespace is a root field as well, and belongs to one source. */
function takenNamespace(
  draft: ModelDraft,
  id: TableId,
  { naming: { namespace }, rootFields }: GraphqlTable,
): ResolutionError | null {
  if (namespace === null || rootFields.length === 0) return null
  const field = tableOfField(draft, namespace)
  const other = draft.namespaces.get(namespace)?.find((table) => sourceOf(table) !== sourceOf(id))
  const winner = field && field.kind !== 'select_one' ? field.table : other
  if (winner === undefined) return null
  return clash(draft, 'field', winner, ['table'], [namespace])
}

/** Own keys escape `/`, so the first one ends the source. */
const sourceOf = (id: TableId): string => id.slice(0, id.indexOf('/'))

function takenType(draft: ModelDraft, { id, graphql }: TableNode): ResolutionError | null {
  const name = graphql.graphqlName
  if (name === null) return null
  const winner =
    // to look for 25 names of each of 5,000 tables takes half a second
    [...ownTypes(graphql), ...(draft.graph.likeDerived.isEmpty() ? [] : derivedNames(name, graphql.naming))]
      .map((candidate) => tableOfType(draft, candidate))
      .find((owner) => owner !== undefined && owner !== id) ?? whoDerives(draft, id, name)
  if (winner === undefined) return null
  const fields = graphql.rootFields.flatMap((field) =>
    tableOfField(draft, rootKey(graphql.naming, field.name))?.table === winner ? [field.name] : [],
  )
  const names = fields.length > 0 ? fields : [name]
  const what = fields.length > 0 ? 'field' : 'type'
  return clash(draft, what, winner, nameAt(draft, id), names)
}

/** Of a row type: `<p>pet<s>` gives `<p>pet_bool_exp<s>` and so on. */
function derivedNames(name: string, naming: SourceNaming): readonly string[] {
  const { suffix } = naming.typeNames
  return endings(naming).map((ending) => `${name.slice(0, name.length - suffix.length)}${ending}`)
}

/** The table of which `name` is a derived type's: of all spellings that sources use, which are few. */
function whoDerives(draft: ModelDraft, id: TableId, name: string): TableId | undefined {
  for (const naming of namingsOf(draft)) {
    const { suffix } = naming.typeNames
    for (const ending of endings(naming)) {
      if (!name.endsWith(ending)) continue
      const base = `${name.slice(0, -ending.length)}${suffix}`
      const owner = tableOfType(draft, base)
      if (owner === undefined || owner === id) continue
      const graphql = draft.graph.nodes.get(owner)?.graphql
      if (graphql?.graphqlName === base && derivedNames(base, graphql.naming).includes(name)) return owner
    }
  }
  return undefined
}

function namingsOf({ input }: ModelDraft): readonly SourceNaming[] {
  const sources = [...childrenOf(input.document, 'source').values()]
  return [...new Set(sources.map((source) => namingOf(source, input.settings.namingConvention ?? null)))]
}

/** `winner` undefined: the engine itself. */
const clash = (
  draft: ModelDraft,
  what: 'field' | 'type',
  winner: TableId | undefined,
  at: readonly string[],
  names: readonly string[],
): ResolutionError =>
  clashOf(draft, { what, names, owner: winner === undefined ? undefined : addressOfTable(winner), at })

function configured(draft: ModelDraft, id: TableId): MetadataObject['value'] {
  const configuration = findObject(draft.input.document, addressOfTable(id))?.value.configuration
  return (configuration ?? {}) as MetadataObject['value']
}

const nameAt = (draft: ModelDraft, id: TableId): readonly string[] =>
  configured(draft, id).custom_name === undefined ? ['table'] : ['configuration', 'custom_name']

function fieldAt(draft: ModelDraft, id: TableId, kind: string): readonly string[] {
  const fields = (configured(draft, id).custom_root_fields ?? {}) as MetadataObject['value']
  return fields[kind] === undefined ? nameAt(draft, id) : ['configuration', 'custom_root_fields', kind]
}
