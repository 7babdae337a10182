/** Whether someone has a name that a table wants: the engine itself, or another table (reference/graphql-schema#names-of-tables-and-functions). */
import { childrenOf, findObject, type MetadataObject } from '@svc/schema'
import type { ClashedNames } from '../fault.ts'
import type { TableNode } from '../graph.ts'
import { namingOf, rootKey, type SourceNaming } from '../naming/source-naming.ts'
import type { TableId } from '../object-ids.ts'
import type { GraphqlTable } from '../resolve/graphql-table.ts'
import type { ResolutionError } from '../resolve/resolution-error.ts'
import { addressOfTable } from '../table-id.ts'
import type { ModelDraft } from '../update/model-draft.ts'
import { derivedNames, endings, ownTypes } from './derived-types.ts'
import { clash as clashOf } from './names.ts'
import { isReservedField, isReservedType, scalarsOf, userOfScalar } from './reserved-names.ts'
import { tableOfField, tableOfMutation, tableOfType } from './table-owners.ts'

/** Returns the owner of one of the names, if there is one. */
export const takenName = (draft: ModelDraft, node: TableNode): ResolutionError | null =>
  reservedName(draft, node) ?? takenType(draft, node) ?? takenField(draft, node)

/** Of the engine's own types and root fields, or of a scalar. */
function reservedName(draft: ModelDraft, node: TableNode): ResolutionError | null {
  const { id, graphql, shape } = node
  const { graphqlName: name, rootFields } = graphql
  if (name === null) return null
  const field = rootFields.find((one) => isReservedField(rootKey(graphql.naming, one.name)))
  if (isReservedType(draft, name) || field)
    return clash(draft, field ? 'query' : 'type', undefined, nameAt(draft, id), [field?.name ?? name])
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
  return clash(draft, 'query', winner, at, names)
}

/** The same of the mutation root, whose names are independent of those of queries. */
function takenMutation(draft: ModelDraft, id: TableId, graphql: GraphqlTable): ResolutionError | null {
  for (const [i, { name, kind }] of graphql.mutationFields.entries()) {
    const key = rootKey(graphql.naming, name)
    const isOwn = graphql.mutationFields.findIndex((other) => other.name === name) < i
    const owner = isOwn ? id : tableOfMutation(draft, key)
    const winner = owner !== undefined && (isOwn || owner !== id) ? owner : draft.namespaces.get(key)?.first()
    if (winner === undefined) continue
    return clash(draft, 'mutation', winner, fieldAt(draft, id, kind), [name])
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
  return clash(draft, 'query', winner, ['table'], [namespace])
}

/** Own keys escape `/`, so the first one ends the source. */
const sourceOf = (id: TableId): string => id.slice(0, id.indexOf('/'))

function takenType(draft: ModelDraft, { id, graphql }: TableNode): ResolutionError | null {
  const name = graphql.graphqlName
  if (name === null) return null
  const winner =
    // to search for 25 names of each of 5,000 tables takes half a second
    [...ownTypes(graphql), ...(draft.graph.likeDerived.isEmpty() ? [] : derivedNames(name, graphql.naming))]
      .map((candidate) => tableOfType(draft, candidate))
      .find((owner) => owner !== undefined && owner !== id) ?? whoDerives(draft, id, name)
  if (winner === undefined) return null
  const fields = graphql.rootFields.flatMap((field) =>
    tableOfField(draft, rootKey(graphql.naming, field.name))?.table === winner ? [field.name] : [],
  )
  const names = fields.length > 0 ? fields : [name]
  const what = fields.length > 0 ? 'query' : 'type'
  return clash(draft, what, winner, nameAt(draft, id), names)
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
  what: ClashedNames,
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
