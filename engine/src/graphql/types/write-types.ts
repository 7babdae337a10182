/**
 * The GraphQL types of writing to one table (reference/graphql-schema#generated-types, reference/mutations), each made
 * when first asked for.
 */
import type { AssignmentOperator, DatabaseType } from '../../ir/index.ts'
import type { ResolvedColumn, ResolvedRelationship, ResolvedUniqueKey } from '../../model/index.ts'
import { columnTypeRef } from './column-type.ts'
import { innerName } from './named-types.ts'
import { databaseTypeRef, intRef, stringRef } from './scalar-types.ts'
import { argument, keyed, shownName } from './select-arguments.ts'
import { tableTypeName } from './table-names.ts'
import { tablePartRef } from './table-part-ref.ts'
import type { TableTypes } from './table-types.ts'
import {
  byName,
  type EnumType,
  type InputField,
  type InputType,
  listOf,
  type NamedRef,
  noArguments,
  nonNull,
  type ObjectType,
  refTo,
  type TypeRef,
  type TypeSource,
} from './type.ts'
import type { WriteTable } from './write-table.ts'

export interface WriteTypes {
  readonly table: WriteTable
  /** What the role may select, for conditions and for what is returned. */
  readonly selected: TableTypes
  /** Tables that rows may be inserted into along with those of this one, by relationship. */
  readonly targets: ReadonlyMap<string, WriteTable>
  readonly insertInput: () => InputType<InsertMeaning>
  readonly objectInsert: () => InputType<NestedMeaning>
  readonly arrayInsert: () => InputType<NestedMeaning>
  /** Null where no key of the table could be in conflict. */
  readonly onConflict: () => InputType<ConflictMeaning> | null
  readonly constraint: () => EnumType
  readonly updateColumn: () => EnumType
  /** The inputs of operators that have columns to work on. */
  readonly operators: () => readonly OperatorInput[]
  readonly keyInput: () => InputType<ResolvedColumn>
  readonly updates: () => InputType<UpdatesMeaning>
  readonly response: () => ObjectType<ResponseMeaning>
}

export type InsertMeaning =
  | { readonly kind: 'column'; readonly column: ResolvedColumn }
  | { readonly kind: 'relationship'; readonly relationship: ResolvedRelationship }

export type NestedMeaning = 'data' | 'conflict'
export type ConflictMeaning = 'constraint' | 'update-columns' | 'where'
export type UpdatesMeaning = { readonly kind: 'where' } | { readonly kind: 'operator'; readonly of: OperatorInput }
export type ResponseMeaning = 'affected-rows' | 'returning'

/** `_set: T_set_input` and its like. */
export interface OperatorInput {
  readonly operator: AssignmentOperator
  /** The name of its argument. */
  readonly name: string
  readonly description: string
  readonly type: InputType<OperatorMeaning>
}

export interface OperatorMeaning {
  readonly column: ResolvedColumn
  /** Of the value. */
  readonly type: DatabaseType
}

/** A value of `T_update_column` where there is none (reference/graphql-schema#generated-types). */
export const PLACEHOLDER = '_PLACEHOLDER'

export function makeWriteTypes(
  table: WriteTable,
  selected: TableTypes,
  targets: ReadonlyMap<string, WriteTable>,
): WriteTypes {
  const types: WriteTypes = {
    table,
    selected,
    targets,
    insertInput: once(() => insertInput(types)),
    objectInsert: once(() => nestedInput(types, 'object')),
    arrayInsert: once(() => nestedInput(types, 'array')),
    onConflict: once(() => onConflict(types)),
    constraint: once(() => constraintEnum(table)),
    updateColumn: once(() => updateColumnEnum(table)),
    operators: once(() => operatorInputs(table)),
    keyInput: once(() => keyInput(table)),
    updates: once(() => updatesInput(types)),
    response: once(() => responseType(types)),
  }
  return types
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const parts = {
  insertInput: { name: 'insert_input', kind: 'INPUT_OBJECT', of: (types: WriteTypes) => types.insertInput() },
  objectInsert: { name: 'obj_rel_insert_input', kind: 'INPUT_OBJECT', of: (types: WriteTypes) => types.objectInsert() },
  arrayInsert: { name: 'arr_rel_insert_input', kind: 'INPUT_OBJECT', of: (types: WriteTypes) => types.arrayInsert() },
  response: { name: 'mutation_response', kind: 'OBJECT', of: (types: WriteTypes) => types.response() },
} as const

/** A reference to a type of writing to a table, found through the schema. */
export function writePartRef({ select }: WriteTable, part: keyof typeof parts): NamedRef {
  const { name, kind, of } = parts[part]
  const { id } = select.table
  return {
    kind: 'named',
    name: tableTypeName(select, name),
    typeKind: kind,
    find: (source: TypeSource) => {
      const found = source.writeTypes(id)
      if (!found) throw new Error(`the types of writing to ${id} left the schema that refers to them`)
      return of(found)
    },
  }
}

const field = <M>(name: string, type: TypeRef, meaning: M, description: string | null = null): InputField<M> => ({
  name,
  description,
  type,
  defaultValue: null,
  meaning,
})

const meaning = <M>(of: InputField<unknown>, meaning: M): InputField<M> => ({ ...of, meaning })

function insertInput({ table, targets }: WriteTypes): InputType<InsertMeaning> {
  return {
    kind: 'INPUT_OBJECT',
    name: tableTypeName(table.select, 'insert_input'),
    description: `input type for inserting data into table "${shownName(table.select)}"`,
    fields: byName([
      ...(table.insert?.columns ?? []).map((column) =>
        field<InsertMeaning>(
          column.field,
          columnTypeRef(table.types, column),
          { kind: 'column', column },
          column.description,
        ),
      ),
      ...[...targets].flatMap(([name, target]): InputField<InsertMeaning>[] => {
        const relationship = table.table.relationships.get(name)
        if (!relationship) return []
        const ref = writePartRef(target, relationship.kind === 'object' ? 'objectInsert' : 'arrayInsert')
        return [field(name, ref, { kind: 'relationship', relationship })]
      }),
    ]),
  }
}

function nestedInput(types: WriteTypes, kind: 'object' | 'array'): InputType<NestedMeaning> {
  const { select } = types.table
  const row = nonNull(writePartRef(types.table, 'insertInput'))
  const conflict = types.onConflict()
  return {
    kind: 'INPUT_OBJECT',
    name: tableTypeName(select, kind === 'object' ? 'obj_rel_insert_input' : 'arr_rel_insert_input'),
    description: `input type for inserting ${kind} relation for remote table "${shownName(select)}"`,
    fields: byName([
      field<NestedMeaning>('data', nonNull(kind === 'object' ? row : listOf(row)), 'data'),
      ...(conflict
        ? [
            meaning<NestedMeaning>(
              keyed(types.table.types, 'on_conflict', 'upsert condition', refTo(conflict)),
              'conflict',
            ),
          ]
        : []),
    ]),
  }
}

function onConflict({ table, constraint, updateColumn }: WriteTypes): InputType<ConflictMeaning> | null {
  if (table.table.uniqueKeys.length === 0) return null
  const columns: InputField<ConflictMeaning> = {
    ...meaning(
      keyed(table.types, 'update_columns', null, nonNull(listOf(nonNull(refTo(updateColumn()))))),
      'update-columns',
    ),
    defaultValue: '[]',
  }
  return {
    kind: 'INPUT_OBJECT',
    name: tableTypeName(table.select, 'on_conflict'),
    description: `on_conflict condition type for table "${shownName(table.select)}"`,
    fields: byName([
      field<ConflictMeaning>('constraint', nonNull(refTo(constraint())), 'constraint'),
      columns,
      field<ConflictMeaning>('where', tablePartRef(table.select, 'boolean'), 'where'),
    ]),
  }
}

function constraintEnum(table: WriteTable): EnumType {
  return {
    kind: 'ENUM',
    name: tableTypeName(table.select, 'constraint'),
    description: `unique or primary key constraints on table "${shownName(table.select)}"`,
    values: table.table.uniqueKeys.map((key) => ({ name: key.name, description: describeKey(key) })),
  }
}

function describeKey({ isPrimary, columns }: ResolvedUniqueKey): string {
  const kind = isPrimary ? 'primary key' : 'unique'
  return columns.length === 0
    ? `${kind} constraint`
    : `${kind} constraint on columns ${columns.map((name) => `"${name}"`).join(', ')}`
}

function updateColumnEnum(table: WriteTable): EnumType {
  const columns = table.update?.columns ?? []
  return {
    kind: 'ENUM',
    name: tableTypeName(table.select, 'update_column'),
    description:
      columns.length > 0
        ? `update columns of table "${shownName(table.select)}"`
        : `placeholder for update columns of table "${shownName(table.select)}" (current role has no relevant permissions)`,
    values:
      columns.length > 0
        ? columns.map(({ field: name }) => ({ name, description: 'column name' }))
        : [{ name: PLACEHOLDER, description: '(placeholder)' }],
  }
}

const text: DatabaseType = { schema: 'pg_catalog', name: 'text', kind: 'base', array: false }

function operatorInputs(table: WriteTable): readonly OperatorInput[] {
  const { types } = table
  const columns = table.update?.columns ?? []
  const isJsonb = ({ type }: ResolvedColumn) => types.isJson(type) && type.name === 'jsonb'
  const own = ({ type }: ResolvedColumn) => type
  const make = (
    operator: AssignmentOperator,
    on: readonly ResolvedColumn[],
    typeOf: (column: ResolvedColumn) => DatabaseType,
    refOf: (column: ResolvedColumn) => TypeRef,
    description: string,
  ): readonly OperatorInput[] =>
    on.length === 0
      ? []
      : [
          {
            operator,
            name: innerName(types, `_${operator}`),
            description,
            type: {
              kind: 'INPUT_OBJECT',
              name: tableTypeName(table.select, `${operator}_input`),
              description:
                operator === 'set' ? `input type for updating data in table "${shownName(table.select)}"` : description,
              fields: byName(
                on.map((column) =>
                  field<OperatorMeaning>(
                    column.field,
                    refOf(column),
                    { column, type: typeOf(column) },
                    column.description,
                  ),
                ),
              ),
            },
          },
        ]
  const json = columns.filter(isJsonb)
  const ownRef = (column: ResolvedColumn) => columnTypeRef(types, column)
  const integer = types.typeOfScalar('Int') ?? text
  return [
    ...make('set', columns, own, ownRef, 'sets the columns of the filtered rows to the given values'),
    ...make(
      'inc',
      columns.filter(({ type }) => types.isNumeric(type)),
      own,
      ownRef,
      'increments the numeric columns with given value of the filtered values',
    ),
    ...make('append', json, own, ownRef, 'append existing jsonb value of filtered columns with new jsonb value'),
    ...make('prepend', json, own, ownRef, 'prepend existing jsonb value of filtered columns with new jsonb value'),
    ...make(
      'delete_key',
      json,
      () => text,
      () => stringRef,
      'delete key/value pair or string element. key/value pairs are matched based on their key value',
    ),
    ...make(
      'delete_elem',
      json,
      () => integer,
      () => intRef,
      'delete the array element with specified index (negative integers count from the end). throws an error if top level container is not an array',
    ),
    ...make(
      'delete_at_path',
      json,
      () => ({ ...text, array: true }),
      () => listOf(nonNull(databaseTypeRef(types, text))),
      'delete the field or element with specified path (for JSON arrays, negative integers count from the end)',
    ),
  ]
}

/** The arguments of an update for its operators. */
export const operatorArguments = ({ operators }: WriteTypes): readonly InputField<unknown>[] =>
  operators().map(({ name, operator, description, type }) => ({
    ...argument(name, description, refTo(type)),
    key: `_${operator}`,
  }))

function keyInput(table: WriteTable): InputType<ResolvedColumn> {
  return {
    kind: 'INPUT_OBJECT',
    name: tableTypeName(table.select, 'pk_columns_input'),
    description: `primary key columns input for table: ${shownName(table.select)}`,
    fields: byName(
      (table.table.primaryKey ?? []).map((column) =>
        field(column.field, nonNull(columnTypeRef(table.types, column)), column, column.description),
      ),
    ),
  }
}

function updatesInput(types: WriteTypes): InputType<UpdatesMeaning> {
  return {
    kind: 'INPUT_OBJECT',
    name: tableTypeName(types.table.select, 'updates'),
    description: null,
    fields: byName([
      ...types
        .operators()
        .map((of) => field<UpdatesMeaning>(of.name, refTo(of.type), { kind: 'operator', of }, of.description)),
      field<UpdatesMeaning>(
        'where',
        nonNull(tablePartRef(types.table.select, 'boolean')),
        { kind: 'where' },
        'filter the rows which have to be updated',
      ),
    ]),
  }
}

function responseType({ table }: WriteTypes): ObjectType<ResponseMeaning> {
  const affected = {
    name: innerName(table.types, 'affected_rows'),
    description: 'number of rows affected by the mutation',
    args: noArguments,
    type: nonNull(intRef),
    meaning: 'affected-rows',
  } as const
  const returning = {
    name: 'returning',
    description: 'data from the rows affected by the mutation',
    args: noArguments,
    type: nonNull(listOf(nonNull(tablePartRef(table.select, 'row')))),
    meaning: 'returning',
  } as const
  return {
    kind: 'OBJECT',
    name: tableTypeName(table.select, 'mutation_response'),
    description: `response of any mutation on the table "${shownName(table.select)}"`,
    fields: byName<(typeof affected | typeof returning) & { readonly name: string }>([
      affected,
      ...(table.selects ? [returning] : []),
    ]),
  }
}
