import type { ResolvedComputedField, RootName } from '../../model/index.ts'
import { actionFields } from '../types/action-types.ts'
import { predicateTypes } from '../types/aggregate-predicate-types.ts'
import { columnTypeRef } from '../types/column-type.ts'
import { columnComparison, comparisonType } from '../types/comparison-type.ts'
import { computedColumnsType } from '../types/computed-columns-type.ts'
import { federationFields } from '../types/federation-roots.ts'
import { anyRef, entityUnion, serviceType } from '../types/federation-types.ts'
import { computedFieldArguments, userArguments } from '../types/function-arguments.ts'
import { connectionType, edgeType, isNode, nodeInterface, pageInfoType } from '../types/relay-types.ts'
import { remoteTypesOf } from '../types/remote-types.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import type { RoleTable } from '../types/role-table.ts'
import { booleanRef, databaseTypeRef, floatRef, idRef, intRef, orderByEnum, stringRef } from '../types/scalar-types.ts'
import { columnEnum } from '../types/select-arguments.ts'
import { cursorOrderings, streamInputs } from '../types/stream-types.ts'
import type { TableTypes } from '../types/table-types.ts'
import { type InputField, type NamedType, namedOf, type TypeRef } from '../types/type.ts'
import { visibleTargets } from '../types/visible-targets.ts'
import type { PrintContext } from './meta-object.ts'
import { otherMetaTypes } from './meta-types.ts'
import { oncePerSchemaInSteps } from './once-per-schema.ts'
import {
  mutationFunctions,
  namespaceTypes,
  queryEntries,
  queryRootFields,
  subscriptionEntries,
  wholeMutationRoot,
  wholeSubscriptionRoot,
} from './root-types.ts'
import { unseenTables, visibleTables } from './visible-tables.ts'

const roots: readonly RootName[] = ['query', 'mutation', 'subscription']

/** Returns every type of the actions that a role may use, without rows of tables, which are listed with their tables. */
function actionTypes(schema: RoleSchema): readonly NamedType[] {
  const types = new Map<string, NamedType>()
  const add = (ref: TypeRef): void => {
    const named = namedOf(ref)
    if (types.has(named.name)) return
    const type = named.find(schema)
    types.set(named.name, type)
    if (type.kind === 'INPUT_OBJECT') for (const field of type.fields.values()) add(field.type)
    if (type.kind === 'OBJECT')
      for (const field of type.fields.values()) if (!isRelationship(field.meaning)) add(field.type)
  }
  const addArguments = (args: ReadonlyMap<string, InputField<unknown>>) => {
    for (const { type } of args.values()) add(type)
  }
  for (const root of schema.api === 'relay' ? (['mutation'] as const) : roots)
    for (const field of actionFields(schema, root)) {
      add(field.type)
      addArguments(field.args)
    }
  return [...types.values()]
}

const isRelationship = (meaning: unknown): boolean =>
  typeof meaning === 'object' && meaning !== null && 'kind' in meaning && meaning.kind === 'relationship'

/** Returns every type that belongs to one table (reference/graphql-schema#generated-types). */
export function typesOfTable(types: TableTypes): readonly NamedType[] {
  const { table } = types
  const columns = columnEnum(table)
  const aggregateOrder = table.types.features.aggregates ? types.aggregateOrder() : null
  return [
    types.row(),
    types.boolean(),
    types.order(),
    ...(columns ? [columns] : []),
    ...(types.api === 'relay' && isNode(table) ? [connectionType(types), edgeType(types)] : []),
    ...(table.allowAggregations ? aggregateTypes(types) : []),
    ...(types.predicates && table.allowAggregations ? predicateTypes(types) : []),
    ...(aggregateOrder ? [aggregateOrder] : []),
    ...(table.types.features.streams && table.columns.length > 0 ? streamInputs(table) : []),
    ...[...types.row().fields.values()].flatMap(({ meaning }) =>
      meaning.kind === 'remote-join' ? meaning.inputs : [],
    ),
    ...visibleFields(table, types.targets).flatMap((field) => computedFieldArguments(table, field) ?? []),
    ...table.computedFields.flatMap((field) => computedColumnsType(table, field) ?? []),
    ...[...(aggregateOrder?.fields.values() ?? [])].flatMap(({ meaning }) =>
      meaning.kind === 'operator' ? [meaning.type] : [],
    ),
  ]
}

/** The computed fields that the role has: scalars it may use, and rows that it may select. */
const visibleFields = (table: RoleTable, targets: TableTypes['targets']): readonly ResolvedComputedField[] => [
  ...table.computedFields,
  ...[...table.table.computedFields.values()].filter(
    ({ name, returns }) => returns.kind === 'table' && targets.has(name),
  ),
]

function aggregateTypes(types: TableTypes): readonly NamedType[] {
  const fields = types.aggregateFields()
  return [
    types.aggregate(),
    fields,
    ...[...fields.fields.values()].flatMap(({ meaning }) => (meaning.kind === 'operator' ? [meaning.type] : [])),
  ]
}

/** Returns the types that several tables share: scalars, their comparisons, order_by, those of introspection. */
export const sharedTypes = oncePerSchemaInSteps(function* (schema): Generator<undefined, readonly NamedType[]> {
  const types = new Map<string, NamedType>()
  const add = (type: NamedType) => {
    if (!types.has(type.name)) types.set(type.name, type)
  }
  for (const ref of [stringRef, booleanRef, intRef, floatRef]) add(foundType(ref))
  for (const { types: named } of visibleTables(schema)) add(orderByEnum(named))
  for (const { types: named } of visibleTables(schema))
    if (named.features.streams) add(cursorOrderings[named.convention])
  for (const type of namespaceTypes(schema)) add(type)
  if (schema.api === 'relay') for (const type of [foundType(idRef), nodeInterface, pageInfoType]) add(type)
  for (const { meaning } of federationFields(schema.model, schema.role, schema.isEmpty))
    for (const type of meaning.kind === 'entities' ? [foundType(anyRef), entityUnion] : [serviceType]) add(type)
  for (const type of otherMetaTypes) add(type)
  if (schema.api === 'graphql') for (const type of remoteTypesOf(schema)) add(type)
  for (const type of actionTypes(schema)) add(type)
  for (const table of visibleTables(schema)) {
    yield
    // what a count is compared with, though no column may be of that type
    const count = table.allowAggregations ? table.types.typeOfScalar('Int') : null
    if (count) addInput(comparisonType(table.types, count), types)
    for (const column of table.columns) {
      add(foundType(columnTypeRef(table.types, column)))
      addInput(columnComparison(table.types, column), types)
    }
    for (const { arguments: given, returns } of visibleFields(
      table,
      visibleTargets(schema.model, schema.role, table),
    )) {
      if (returns.kind === 'scalar') {
        add(foundType(databaseTypeRef(table.types, returns.type)))
        addInput(comparisonType(table.types, returns.type), types)
      }
      if (returns.kind === 'columns')
        for (const { type } of returns.columns) add(foundType(databaseTypeRef(table.types, type)))
      for (const { type } of userArguments(given)) add(foundType(databaseTypeRef(table.types, type)))
    }
  }
  for (const { table } of [...visibleTables(schema), ...unseenTables(schema)]) {
    yield
    const written = schema.writeTable(table.id)
    for (const column of [...(written?.insert?.columns ?? []), ...(written?.update?.columns ?? [])])
      if (written) add(foundType(columnTypeRef(written.types, column)))
  }
  for (const { meaning, args } of [...queryRootFields(schema), ...mutationFunctions(schema)]) {
    const given = args.get('args')
    const isCalled =
      meaning.kind === 'function' || meaning.kind === 'function-connection' || meaning.kind === 'native-query'
    if (isCalled && given) addInput(foundType(given.type), types)
  }
  return [...types.values()]
})

/** Makes the roots' parts and the shared types while other requests go on. */
export async function prepareShared({ schema, pause }: PrintContext): Promise<void> {
  for (const part of [queryEntries, subscriptionEntries, wholeMutationRoot, wholeSubscriptionRoot, sharedTypes])
    await part.prepare(schema, pause)
}

/** An input type and everything it mentions; none of it belongs to a table. */
function addInput(type: NamedType, types: Map<string, NamedType>): void {
  if (types.has(type.name)) return
  types.set(type.name, type)
  if (type.kind === 'INPUT_OBJECT') for (const field of type.fields.values()) addInput(foundType(field.type), types)
}

const noTables = { tableTypes: () => undefined, writeTypes: () => undefined, remoteType: () => undefined }
const foundType = (ref: Parameters<typeof namedOf>[0]) => namedOf(ref).find(noTables)
