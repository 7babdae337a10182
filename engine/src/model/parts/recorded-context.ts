import type { Json } from '@svc/schema'
import type { DatabaseFunction } from '../../backends/index.ts'
import type { BooleanExpression, QualifiedName } from '../../ir/index.ts'
import { computedFieldReadKey, functionReadKey, type ReadKey, relationshipReadKey, tableReadKey } from '../graph.ts'
import type { TableId } from '../object-ids.ts'
import { type Lookup, PlainResolveContext } from '../resolve/resolve-context.ts'
import type { Reads, SharedExpressions } from '../resolve/shared-expressions.ts'
import type { TableShape } from '../resolve/table-shape.ts'
import type { ResolvedComputedField, ResolvedRelationship } from '../resolved-rows.ts'
import { functionOwn } from '../table-id.ts'

/** What there is to read, and what has been made of it already. */
export interface SharedLookup extends Lookup {
  readonly expressions: SharedExpressions
}

/** Records what an object reads beyond its own table, with which it is resolved anyway. */
export class RecordedContext extends PlainResolveContext {
  readonly #own: TableId
  readonly #reads: Reads
  readonly #expressions: SharedExpressions

  constructor(lookup: SharedLookup, own: TableId, reads: Reads) {
    super(lookup)
    this.#own = own
    this.#reads = reads
    this.#expressions = lookup.expressions
  }

  override table(id: TableId): TableShape | null {
    if (id !== this.#own) this.#note(tableReadKey(id))
    return super.table(id)
  }

  override relationship(of: TableShape, name: string): ResolvedRelationship | null {
    this.#note(relationshipReadKey(of.id, name))
    return super.relationship(of, name)
  }

  override computedField(of: TableShape, name: string): ResolvedComputedField | null {
    this.#note(computedFieldReadKey(of.id, name))
    return super.computedField(of, name)
  }

  override functions(source: string, name: QualifiedName): readonly DatabaseFunction[] {
    this.#note(functionReadKey(source, functionOwn(name)))
    return super.functions(source, name)
  }

  shared(of: TableShape, expression: Json, resolve: () => BooleanExpression): BooleanExpression {
    return this.#expressions.get(of, expression, this.#reads, resolve)
  }

  #note(key: ReadKey): void {
    this.#reads.keys = (this.#reads.keys ?? new Set()).add(key)
  }
}
