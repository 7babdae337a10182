import type { Json } from '@svc/schema'
import type { DatabaseColumn, DatabaseFunction, ForeignKey } from '../../backends/index.ts'
import type { BooleanExpression, QualifiedName } from '../../ir/index.ts'
import type { TableId } from '../object-ids.ts'
import type { ResolvedComputedField, ResolvedRelationship } from '../resolved-rows.ts'
import { functionOwn } from '../table-id.ts'
import type { TableShape } from './table-shape.ts'

/** What an object may read while it is resolved. Every question is recorded by whoever gave the surroundings. */
export interface Surroundings {
  /** Null: not tracked, or inconsistent. */
  table(id: TableId): TableShape | null
  relationship(of: TableShape, name: string): ResolvedRelationship | null
  computedField(of: TableShape, name: string): ResolvedComputedField | null
  /** All of that name in a source. */
  functions(source: string, name: QualifiedName): readonly DatabaseFunction[]
  column(of: TableShape, name: string): DatabaseColumn | null
  /** Called for each constraint that the object rests on. */
  constraint(of: TableShape, key: ForeignKey): void
  /**
   * What `resolve` gives, where another object has asked for an equal expression on the rows of the table what that was given:
   * ten roles have few different filters. Absent: each is resolved.
   */
  shared?(of: TableShape, expression: Json, resolve: () => BooleanExpression): BooleanExpression
  /** Of session variables, lower case; absent: ours. */
  readonly headerPrefix?: string
}

/** What there is to read, asked by id. */
export interface Lookup {
  shape(id: TableId): TableShape | null
  relationship(id: TableId, name: string): ResolvedRelationship | null
  computedField(id: TableId, name: string): ResolvedComputedField | null
  functions(source: string, own: string): readonly DatabaseFunction[]
  readonly headerPrefix?: string
}

/** Something an object stands on. */
export type Use =
  | { readonly kind: 'table'; readonly table: TableId }
  | { readonly kind: 'function'; readonly source: string; readonly own: string }
  | {
      readonly kind: 'relationship' | 'computed-field' | 'column' | 'constraint'
      readonly table: TableId
      readonly name: string
    }

export function listenedTo(
  lookup: Lookup,
  record: (use: Use) => void,
  shared?: NonNullable<Surroundings['shared']>,
): Surroundings {
  return {
    ...(shared && { shared }),
    ...(lookup.headerPrefix !== undefined && { headerPrefix: lookup.headerPrefix }),
    table(id) {
      record({ kind: 'table', table: id })
      return lookup.shape(id)
    },
    relationship(of, name) {
      record({ kind: 'relationship', table: of.id, name })
      return lookup.relationship(of.id, name)
    },
    computedField(of, name) {
      record({ kind: 'computed-field', table: of.id, name })
      return lookup.computedField(of.id, name)
    },
    functions(source, name) {
      const own = functionOwn(name)
      record({ kind: 'function', source, own })
      return lookup.functions(source, own)
    },
    column(of, name) {
      const column = of.columns.get(name)
      if (column) record({ kind: 'column', table: of.id, name })
      return column ?? null
    },
    constraint(of, key) {
      record({ kind: 'constraint', table: of.id, name: key.constraint })
    },
  }
}
