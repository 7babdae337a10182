import type { ResolvedTable } from '../../model/index.ts'
import type { TableTexts } from './type-texts.ts'

export interface KeptTexts {
  get(table: ResolvedTable): TableTexts | undefined
  put(table: ResolvedTable, texts: TableTexts): void
}

interface Entry {
  readonly tables: WeakMap<ResolvedTable, TableTexts>
  size: number
}

/**
 * Printed types by role and introspection selection, bounded in characters: when it is full, the role and selection
 * that was asked least recently is forgotten.
 */
export class IntrospectionCache {
  readonly #maxSize: number
  readonly #entries = new Map<string, Entry>()
  #size = 0

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  texts(role: string, selection: string): KeptTexts {
    const key = `${role.length}:${role}${selection}`
    const entry = this.#entries.get(key) ?? { tables: new WeakMap(), size: 0 }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return {
      get: (table) => entry.tables.get(table),
      put: (table, texts) => {
        // an entry forgotten while it is printed keeps nothing more
        if (this.#entries.get(key) !== entry) return
        entry.tables.set(table, texts)
        const size = sizeOf(texts)
        entry.size += size
        this.#size += size
        this.#shrink()
      },
    }
  }

  #shrink(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#size <= this.#maxSize) return
      this.#entries.delete(key)
      this.#size -= entry.size
    }
  }
}

const overhead = 200

function sizeOf({ types }: TableTexts): number {
  return types.reduce((sum, { text, mentions }) => sum + text.length + overhead + 50 * mentions.length, overhead)
}
