/** Names that are no table's, logical model's or function's: those of the engine's own types, root fields and scalars. */
import { Map as ImmutableMap } from 'immutable'
import type { TypeSystem } from '../../backends/index.ts'
import { keptFor } from '../../kept-for.ts'
import { anyScalarReadKey, scalarReadKey, type TableNode } from '../graph.ts'
import type { TableId } from '../object-ids.ts'
import type { ResolvedColumn } from '../resolved-rows.ts'
import type { ModelDraft } from '../update/model-draft.ts'
import { announce } from './names.ts'

const reservedTypes = new Set([
  ...['query_root', 'mutation_root', 'subscription_root', 'order_by', 'cursor_ordering', 'OrderBy', 'CursorOrdering'],
  ...['Int', 'Float', 'String', 'Boolean', 'ID'],
  ...[
    '__Schema',
    '__Type',
    '__Field',
    '__InputValue',
    '__EnumValue',
    '__Directive',
    '__TypeKind',
    '__DirectiveLocation',
  ],
])

/** Inputs of operators, of whatever scalar they are; those of enum tables belong to them. */
const operatorInputs = /((?<!_enum)_comparison_exp|_cast_exp|(?<!Enum)ComparisonExp|CastExp|^st_\w+_input)$/

/** The names of the types and root fields that federation adds, which gateways know. */
export const federationNames: ReadonlySet<string> = new Set(['_Any', '_Entity', '_Service', '_entities', '_service'])

const reservedFields = new Set(['__schema', '__type', '__typename'])

export const isReservedType = ({ input: { settings } }: ModelDraft, name: string): boolean =>
  reservedTypes.has(name) ||
  operatorInputs.test(name) ||
  (settings.apolloFederation === true && federationNames.has(name))

/** Of query_root, by `rootKey`. */
export const isReservedField = (key: string): boolean => reservedFields.has(key)

const sets = new Map<string, ReadonlySet<string>>()
const mostSets = 1000

/**
 * The scalars of columns, by their GraphQL names. Requested four times while a table is claimed; the columns of 5,000 tables are
 * of few sets.
 */
export const scalarsOf = keptFor((columns: readonly ResolvedColumn[], types: TypeSystem): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const { type, enumType } of columns) if (!enumType) names.add(types.graphqlScalar(type))
  const text = [...names].join(' ')
  const shared = sets.get(text) ?? names
  if (sets.size >= mostSets) sets.clear()
  sets.set(text, shared)
  return shared
})

/** Whether columns may be of a scalar of that name, as far as the backend knows its types. */
export const isScalarName = (name: string, types: TypeSystem): boolean =>
  types.typeOfScalar(name) !== null || types.isKnown({ schema: '', name, kind: 'base', array: false })

/** Those of them that no backend knows beforehand: of enums, composite types, types of extensions. */
export const oddScalarsOf = ({ graphql, shape: { types } }: TableNode): readonly string[] =>
  [...scalarsOf(graphql.columns, types)].filter((name) => !isScalarName(name, types))

export function rememberScalars(draft: ModelDraft, node: TableNode): void {
  const { oddScalars } = draft.graph
  announceScalars(draft, node)
  for (const name of oddScalarsOf(node)) oddScalars.set(name, (oddScalars.get(name) ?? noTables).set(node.id, true))
}

export function forgetScalars(draft: ModelDraft, node: TableNode): void {
  const { oddScalars } = draft.graph
  announceScalars(draft, node)
  for (const name of oddScalarsOf(node)) {
    const left = oddScalars.get(name)?.delete(node.id)
    if (left && !left.isEmpty()) oddScalars.set(name, left)
    else oddScalars.delete(name)
  }
}

const announceScalars = (draft: ModelDraft, { graphql, shape: { types } }: TableNode): void => {
  if (!draft.graph.readers.has(anyScalarReadKey)) return
  for (const name of scalarsOf(graphql.columns, types)) announce(draft, scalarReadKey(name))
}

const noTables: ImmutableMap<TableId, true> = ImmutableMap()

/** A served table with a column of the scalar of that name. Few tables are called like a known type: all are read. */
export function userOfScalar(draft: ModelDraft, name: string, types: TypeSystem): TableId | undefined {
  const user = draft.graph.oddScalars.get(name)?.keySeq().first()
  if (user !== undefined || !isScalarName(name, types)) return user
  return draft.graph.nodes.find(
    ({ served, graphql, shape }) => served && scalarsOf(graphql.columns, shape.types).has(name),
  )?.id
}
