import { type DatabaseType, isAlways } from '../../ir/index.ts'
import type { ResolvedComputedField, ResolvedRelationship } from '../../model/index.ts'
import { columnTypeRef } from './column-type.ts'
import { computedColumnsType, type ResultColumn } from './computed-columns-type.ts'
import { entityKey } from './federation-types.ts'
import { computedArgs } from './function-arguments.ts'
import { nativeArgs } from './native-query-arguments.ts'
import { connectionField, isNode, nodeInterface } from './relay-types.ts'
import { type JoinMeaning, remoteJoinField, tableJoinFields } from './remote-join-types.ts'
import type { RoleColumn, RoleComputedField, RoleNestedRows, RoleTable } from './role-table.ts'
import { databaseTypeRef, idRef, stringRef } from './scalar-types.ts'
import { type RowsForm, selectArguments } from './select-arguments.ts'
import { besideField } from './table-names.ts'
import { tablePartRef } from './table-part-ref.ts'
import type { TableTypes } from './table-types.ts'
import {
  byName,
  type Field,
  type InputField,
  listOf,
  namedField,
  namedInput,
  noArguments,
  nonNull,
  type ObjectType,
  refTo,
  type TypeRef,
} from './type.ts'

export type RowMeaning =
  | { readonly kind: 'column'; readonly column: RoleColumn }
  | { readonly kind: 'computed'; readonly field: RoleComputedField; readonly type: DatabaseType }
  | { readonly kind: 'computed-rows'; readonly as: 'array' | 'connection'; readonly field: ResolvedComputedField }
  | { readonly kind: 'computed-columns'; readonly field: RoleComputedField; readonly type: ObjectType<ResultColumn> }
  | { readonly kind: 'nested'; readonly rows: RoleNestedRows }
  | { readonly kind: 'node-id' }
  | { readonly kind: 'placeholder'; readonly text: string }
  | JoinMeaning
  | { readonly kind: 'relationship'; readonly as: RowsForm | 'connection'; readonly relationship: ResolvedRelationship }

/** `T` (reference/graphql-schema#object-types). */
export function rowType(types: TableTypes): ObjectType<RowMeaning> {
  const { table, targets } = types
  const isRelayNode = types.api === 'relay' && isNode(table)
  const key = types.api === 'graphql' ? entityKey(table) : null
  const fields = byName([
    // whatever column may have that name
    ...(isRelayNode ? [nodeIdField] : []),
    ...table.columns.map((column) => columnField(table, column)),
    ...[...targets].flatMap(([name, target]) => {
      const relationship = table.table.relationships.get(name)
      if (!relationship) return []
      const fields = relationshipFields(table, relationship, target)
      const isConnected = types.api === 'relay' && relationship.kind === 'array' && isNode(target)
      return isConnected ? [...fields, relationshipConnection(table, relationship, target)] : fields
    }),
    ...table.nested.flatMap((rows) => {
      const target = targets.get(rows.name)
      return target ? [nestedField(rows, target)] : []
    }),
    ...table.computedFields.map((field) => computedField(table, field)),
    ...[...targets].flatMap(([name, target]) => {
      const field = table.table.computedFields.get(name)
      if (!field) return []
      const isConnected = types.api === 'relay' && field.set && isNode(target)
      return isConnected
        ? [rowsField(table, field, target), rowsConnection(table, field, target)]
        : [rowsField(table, field, target)]
    }),
    ...(types.api === 'graphql' ? joinFields(types) : []),
  ])
  return {
    kind: 'OBJECT',
    name: table.name,
    description: table.table.description,
    ...(isRelayNode && { interfaces: [nodeInterface] }),
    ...(key && { entityKey: key }),
    fields: fields.size > 0 ? fields : byName([placeholder]),
  }
}

/** Returns the fields that other sources and servers answer (reference/remote-schemas#relationships). */
function joinFields({ table: own, targets, remotes }: TableTypes): readonly Field<RowMeaning>[] {
  const { table } = own
  if (table.kind !== 'table') return []
  return [...table.remoteRelationships.values()].flatMap((relationship): readonly Field<RowMeaning>[] => {
    const { name } = relationship
    if (relationship.kind === 'table') {
      const target = targets.get(name)
      return target ? tableJoinFields(relationship, target) : []
    }
    const leaf = remotes.get(name)
    return leaf ? [remoteJoinField(own.types.names.graphqlBase(table.table), relationship, leaf)] : []
  })
}

/** GraphQL knows no type without fields; a permission without columns makes one. */
const placeholder: Field<RowMeaning> = namedField(
  'no_fields_available',
  'There are no fields of this type available to the current role.',
  nonNull(stringRef),
  { kind: 'placeholder', text: 'There are no fields available to the current role.' },
)

const nodeIdField: Field<RowMeaning> = namedField('id', 'A globally unique identifier', nonNull(idRef), {
  kind: 'node-id',
})

const relationshipConnection = (
  table: RoleTable,
  relationship: ResolvedRelationship,
  target: RoleTable,
): Field<RowMeaning> =>
  connectionField(besideField(table, relationship.name, 'connection'), 'An array relationship connection', target, {
    kind: 'relationship',
    as: 'connection',
    relationship,
  })

const jsonPath: InputField<unknown> = namedInput('path', stringRef, null, 'JSON select path')
const jsonArguments = byName([jsonPath])

const takesPath = ({ types }: RoleTable, type: DatabaseType): boolean => types.features.jsonPaths && types.isJson(type)

function columnField(table: RoleTable, column: RoleColumn): Field<RowMeaning> {
  const args = takesPath(table, column.type) && !column.type.array ? jsonArguments : noArguments
  return namedField(column.field, column.description, columnRef(table, column), { kind: 'column', column }, args)
}

/** What the other logical model's filter hides is null, or is left out of a list. */
export const isAlwaysThere = ({ nullable, mask, list }: RoleNestedRows, { filter }: RoleTable): boolean =>
  !nullable && !mask && (list || isAlways(filter))

/** Returns the field of values that are rows of another logical model (reference/database-objects#native-queries). */
function nestedField(rows: RoleNestedRows, target: RoleTable): Field<RowMeaning> {
  const row = tablePartRef(target, 'row')
  const ref = rows.list ? listOf(nonNull(row)) : row
  return namedField(rows.name, rows.description, isAlwaysThere(rows, target) ? nonNull(ref) : ref, {
    kind: 'nested',
    rows,
  })
}

/** A computed field that is a scalar, or rows of no table (reference/graphql-schema#object-types). */
function computedField(table: RoleTable, field: RoleComputedField): Field<RowMeaning> {
  const { name, description } = field
  const args = computedArgs(table, field)
  const resultType = computedColumnsType(table, field)
  if (resultType) {
    const meaning = { kind: 'computed-columns', field, type: resultType } as const
    return namedField(name, description, listOf(nonNull(refTo(resultType))), meaning, byName(args))
  }
  const type = field.returns.kind === 'scalar' ? field.returns.type : null
  if (!type) throw new Error(`computed field ${name} returns rows of a table`)
  const withPath = byName([...args, ...(takesPath(table, type) ? [jsonPath] : [])])
  return namedField(name, description, databaseTypeRef(table.types, type), { kind: 'computed', field, type }, withPath)
}

/** A computed field that returns rows (reference/graphql-schema#object-types). */
function rowsField(table: RoleTable, field: ResolvedComputedField, target: RoleTable): Field<RowMeaning> {
  const args = byName([...computedArgs(table, field), ...selectArguments(target).values()])
  const type = listOf(nonNull(tablePartRef(target, 'row')))
  return namedField(field.name, field.description, type, { kind: 'computed-rows', as: 'array', field }, args)
}

const rowsConnection = (table: RoleTable, field: ResolvedComputedField, target: RoleTable): Field<RowMeaning> =>
  connectionField<RowMeaning>(
    besideField(table, field.name, 'connection'),
    field.description,
    target,
    { kind: 'computed-rows', as: 'connection', field },
    computedArgs(table, field),
  )

function columnRef(table: RoleTable, column: RoleColumn): TypeRef {
  const ref = columnTypeRef(table.types, column)
  return column.nullable || column.mask ? ref : nonNull(ref)
}

function relationshipFields(
  table: RoleTable,
  relationship: ResolvedRelationship,
  target: RoleTable,
): readonly Field<RowMeaning>[] {
  const { name, description, query } = relationship
  const row = tablePartRef(target, 'row')
  const own = query ? nativeArgs(target.types, query) : []
  const meaning = (as: RowsForm) => ({ kind: 'relationship', as, relationship }) as const
  if (relationship.kind === 'object') {
    const args = own.length > 0 ? byName(own) : noArguments
    return [namedField(name, description, relationship.nullable ? row : nonNull(row), meaning('object'), args)]
  }
  const args = own.length > 0 ? byName([...own, ...selectArguments(target).values()]) : selectArguments(target)
  const list = namedField(name, description, nonNull(listOf(nonNull(row))), meaning('array'), args)
  if (!target.allowAggregations) return [list]
  const aggregate = besideField(table, name, 'aggregate')
  const type = nonNull(tablePartRef(target, 'aggregate'))
  return [list, namedField(aggregate, 'An aggregate relationship', type, meaning('aggregate'), args)]
}
