import type { Json } from '@svc/schema'
import type { DatabaseColumn, DatabaseFunction } from '../../backends/index.ts'
import type { BooleanExpression, QualifiedName } from '../../ir/index.ts'
import type { TableId } from '../object-ids.ts'
import type { ResolvedComputedField, ResolvedRelationship } from '../resolved-rows.ts'
import { functionOwn } from '../table-id.ts'
import type { TableShape } from './table-shape.ts'

/** What an object may read while it is resolved. An implementation records every read, so that the object is resolved again after a change. */
export interface ResolveContext {
  /** Null: not tracked, or inconsistent. */
  table(id: TableId): TableShape | null
  relationship(of: TableShape, name: string): ResolvedRelationship | null
  computedField(of: TableShape, name: string): ResolvedComputedField | null
  /** All of that name in a source. */
  functions(source: string, name: QualifiedName): readonly DatabaseFunction[]
  column(of: TableShape, name: string): DatabaseColumn | null
  /**
   * Returns what `resolve` returns, or, where another object has resolved an equal expression on the table's rows, the
   * result of that: ten roles have few different filters. Absent: each is resolved.
   */
  shared?(of: TableShape, expression: Json, resolve: () => BooleanExpression): BooleanExpression
  /** Of session variables, lower case; absent: ours. */
  readonly headerPrefix?: string
}

/** What there is to read, by id. */
export interface Lookup {
  shape(id: TableId): TableShape | null
  relationship(id: TableId, name: string): ResolvedRelationship | null
  computedField(id: TableId, name: string): ResolvedComputedField | null
  functions(source: string, own: string): readonly DatabaseFunction[]
  readonly headerPrefix?: string
}

/** The result of a lookup; what it read is not recorded. */
export class PlainResolveContext implements ResolveContext {
  protected readonly lookup: Lookup
  readonly headerPrefix?: string

  constructor(lookup: Lookup) {
    this.lookup = lookup
    if (lookup.headerPrefix !== undefined) this.headerPrefix = lookup.headerPrefix
  }

  table(id: TableId): TableShape | null {
    return this.lookup.shape(id)
  }

  relationship(of: TableShape, name: string): ResolvedRelationship | null {
    return this.lookup.relationship(of.id, name)
  }

  computedField(of: TableShape, name: string): ResolvedComputedField | null {
    return this.lookup.computedField(of.id, name)
  }

  functions(source: string, name: QualifiedName): readonly DatabaseFunction[] {
    return this.lookup.functions(source, functionOwn(name))
  }

  column(of: TableShape, name: string): DatabaseColumn | null {
    return of.columns.get(name) ?? null
  }
}
