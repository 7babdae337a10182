import type { Json } from '@svc/schema'
import type { BooleanExpression } from '../../ir/index.ts'
import type { ReadKey } from '../graph.ts'
import type { TableShape } from './table-shape.ts'

/** What an object read so far; most read nothing. */
export interface Reads {
  keys: Set<ReadKey> | null
}

interface Known {
  readonly expression: BooleanExpression
  /** What was read for it: an object that shares it has read the same. */
  readonly reads: ReadonlySet<ReadKey> | null
}

/**
 * The expressions on the rows of one table, by their text, while the objects of a part are resolved: nothing that they read
 * changes meanwhile. Objects come table by table, so those of the table before are forgotten.
 */
export class SharedExpressions {
  #of: TableShape | null = null
  readonly #known = new Map<string, Known>()

  /** As ResolveContext.shared. `reads`: of the object that is resolved. */
  get(of: TableShape, json: Json, reads: Reads, resolve: () => BooleanExpression): BooleanExpression {
    if (this.#of !== of) {
      this.#of = of
      this.#known.clear()
    }
    const text = JSON.stringify(json)
    const known = this.#known.get(text) ?? this.#resolve(text, reads, resolve)
    for (const key of known.reads ?? []) reads.keys = (reads.keys ?? new Set()).add(key)
    return known.expression
  }

  #resolve(text: string, reads: Reads, resolve: () => BooleanExpression): Known {
    const before = reads.keys
    reads.keys = null
    try {
      const expression = resolve()
      const known = { expression, reads: reads.keys }
      this.#known.set(text, known)
      return known
    } finally {
      const own: ReadonlySet<ReadKey> | null = reads.keys
      reads.keys = before
      // also of what cannot be resolved: it may be once this is another
      for (const key of own ?? []) reads.keys = (reads.keys ?? new Set()).add(key)
    }
  }
}
