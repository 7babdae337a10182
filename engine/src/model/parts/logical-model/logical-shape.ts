import { address, equalJson, isRecord, type Json, type JsonObject, type ObjectAddress, ownKey } from '@svc/schema'
import type { TypeSystem } from '../../../backends/index.ts'
import type { DatabaseType } from '../../../ir/index.ts'
import type { TableId } from '../../object-ids.ts'
import { isGraphqlName } from '../../resolve/graphql-name.ts'
import { databaseError, definitionError, metadataError } from '../../resolve/resolution-error.ts'
import type { TableShape } from '../../resolve/table-shape.ts'
import type { ResolvedColumn } from '../../resolved-rows.ts'

/**
 * A logical model by itself: the type of rows, whichever native query returns them
 * (reference/database-objects#native-queries).
 */
export interface LogicalNode {
  readonly id: TableId
  readonly name: string
  readonly description: string | null
  readonly columns: readonly ResolvedColumn[]
  readonly shape: TableShape
  /** Fields that are rows of other logical models. */
  readonly nested: ReadonlyMap<string, NestedModel>
}

/** A field that is an object of another logical model, or a list of them. */
interface NestedModel {
  readonly model: string
  readonly list: boolean
  readonly nullable: boolean
  readonly description: string | null
}

/** What a logical model may read of its source. */
export interface LogicalContext {
  readonly source: string
  readonly sourceOwn: string
  readonly types: TypeSystem
  /** Of its name as metadata has it; null: the database has none. */
  typeOf(name: string): DatabaseType | null
  /** Whether the source has a logical model of that name. */
  isDeclared(name: string): boolean
}

/** Throws a ResolutionError for a field whose type is unknown, or whose name is none or taken. `at`: where its fields stand. */
export function logicalShape(
  id: TableId,
  name: string,
  { fields, description }: JsonObject,
  around: LogicalContext,
  at: readonly (string | number)[] = ['fields'],
): LogicalNode {
  if (!isGraphqlName(name)) throw definitionError(`the name "${name}" is not a valid GraphQL identifier`, ['name'])
  const columns = new Map<string, ResolvedColumn>()
  const nested = new Map<string, NestedModel>()
  const given = Array.isArray(fields) ? (fields as readonly Json[]).filter(isRecord) : []
  given.forEach((field, i) => {
    const own = String(field.name)
    if (!isGraphqlName(own))
      throw definitionError(`the name "${own}" of a field is not a valid GraphQL identifier`, [...at, i, 'name'])
    if (columns.has(own) || nested.has(own))
      throw definitionError(`the field "${own}" is declared more than once`, [...at, i, 'name'])
    const read = fieldType(own, field.type ?? null, around, [...at, i, 'type'])
    const described = typeof field.description === 'string' ? field.description : null
    if ('model' in read) nested.set(own, { ...read, description: described })
    else columns.set(own, { name: own, field: own, ...read, writable: false, description: described, enumType: null })
  })
  const all = [...columns.values()]
  return {
    id,
    name,
    description: typeof description === 'string' ? description : null,
    columns: all,
    shape: shapeOf(id, name, [...all, ...[...nested].map(([own, one]) => asColumn(own, one, around.types))], around),
    nested,
  }
}

/** A field with other rows is JSON for filters and lists of columns. */
const asColumn = (name: string, { nullable, description }: NestedModel, types: TypeSystem): ResolvedColumn => ({
  name,
  field: name,
  type: types.common.json,
  nullable,
  writable: false,
  description,
  enumType: null,
})

type FieldType =
  | { readonly type: DatabaseType; readonly nullable: boolean }
  | { readonly model: string; readonly list: boolean; readonly nullable: boolean }

function fieldType(field: string, type: Json, around: LogicalContext, at: readonly (string | number)[]): FieldType {
  if (!isRecord(type)) throw definitionError(`the field "${field}" has no type`, at)
  const nullable = type.nullable === true
  if (type.array !== undefined) {
    const element = fieldType(field, type.array, around, [...at, 'array'])
    if ('model' in element && !element.list) return { model: element.model, list: true, nullable }
    if ('type' in element && !element.type.array) return { type: { ...element.type, array: true }, nullable }
    throw definitionError(
      `the field "${field}" is an array of arrays: an array of PostgreSQL has any number of dimensions`,
      at,
    )
  }
  if (typeof type.logical_model === 'string') {
    const model = type.logical_model
    if (around.isDeclared(model)) return { model, list: false, nullable }
    throw metadataError(
      `the logical model "${model}" of the field "${field}" is not tracked`,
      [logicalModelAddress(around.sourceOwn, model)],
      [...at, 'logical_model'],
    )
  }
  const found = typeof type.scalar === 'string' ? around.typeOf(type.scalar) : null
  if (!found)
    throw databaseError(`the type "${String(type.scalar)}" of the field "${field}" does not exist`, [...at, 'scalar'])
  return { type: found, nullable }
}

/** The rows that a logical model describes: an id among those of tables, which none of these can have. */
export const rowsOfModel = ({ own, parent }: ObjectAddress): TableId => `${parent?.own ?? ''}//model/${own}`

export const logicalModelAddress = (sourceOwn: string, name: string): ObjectAddress =>
  address('logical_model', ownKey('logical_model', { name }), address('source', sourceOwn))

function shapeOf(
  id: TableId,
  name: string,
  columns: readonly ResolvedColumn[],
  { source, types }: LogicalContext,
): TableShape {
  return {
    id,
    source,
    table: { schema: types.names.defaultSchema ?? '', name },
    types,
    columns: new Map(
      columns.map(({ name: own, type, nullable, description }, i) => [
        own,
        { name: own, position: i + 1, type, nullable, hasDefault: false, generated: 'never', description },
      ]),
    ),
    columnNames: new Set(columns.map(({ name: own }) => own)),
    primaryKey: null,
    foreignKeys: [],
    enums: new Map(),
  }
}

export const sameLogicalNode = (a: LogicalNode, b: LogicalNode): boolean =>
  a === b ||
  (a.id === b.id &&
    a.name === b.name &&
    a.description === b.description &&
    a.shape.source === b.shape.source &&
    equalJson(a.columns, b.columns) &&
    equalJson([...a.nested], [...b.nested]))
