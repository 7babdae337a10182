import { isRecord, type Json, type JsonObject, type MetadataDocument, type ObjectType, recordOf } from '@svc/schema'
import type { SourceFacts, TableFacts } from './source-facts.ts'

/** An object that rules check. */
export interface AdvisedObject {
  readonly type: ObjectType
  /** What a permission of a table is for: `select`; null for what is none. */
  readonly permits: string | null
  readonly value: JsonObject
  /** Names of the objects above it: `{ source, table }`. */
  readonly place: JsonObject
  readonly document: MetadataDocument
  readonly facts: SourceFacts
}

/** What a rule says of an object: sentences. */
export interface Counsel {
  readonly message: string
  readonly remedy: string
}

export type Rule = (object: AdvisedObject) => readonly Counsel[]

export const tableName = (table: Json | undefined): string => {
  const { schema = 'public', name = '' } = isRecord(table) ? table : { name: table ?? null }
  return `${String(schema)}.${String(name)}`
}

/**
 * The operation that a permission of a table is for, by the kind of an object and its parent: `select`; null for what
 * is no permission.
 */
export const permitsOf = (type: ObjectType, place: JsonObject): string | null =>
  (place.table !== undefined && /^(.*)_permission$/.exec(type)?.[1]) || null

/** Of the table that an object belongs to; undefined where nothing is known of it. */
export const factsOf = ({ facts, place }: AdvisedObject): TableFacts | undefined =>
  facts.get(String(place.source))?.get(tableName(place.table))

/** `permission` of an object that is one. */
export const permissionOf = ({ value }: AdvisedObject): JsonObject => recordOf(value.permission)

/** The columns that a permission names; of `*` those of the table. */
export function columnsOf(object: AdvisedObject): readonly string[] {
  const { columns } = permissionOf(object)
  if (columns === '*') return [...(factsOf(object)?.types.keys() ?? [])]
  return Array.isArray(columns) ? columns.map(String) : []
}
