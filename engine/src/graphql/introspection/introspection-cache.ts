import type { ResolvedRows } from '../../model/index.ts'
import type { TableTexts } from './table-texts.ts'

/** Texts of one selection. `parts`: what a role sees of the table; roles that see the same share them. */
export interface KeptTexts {
  get(table: ResolvedRows, parts: string): TableTexts | undefined
  put(table: ResolvedRows, parts: string, texts: TableTexts): void
}

interface IntrospectionEntry {
  readonly of: Map<string, IntrospectionEntry>
  readonly key: string
  readonly texts: TableTexts
  readonly size: number
}

/** Different selections; when there were more, all are forgotten. */
const mostSelections = 1000

/**
 * Printed types of tables by introspection selection and what is seen of the table, bounded in bytes: those that were
 * used least recently go first.
 */
export class IntrospectionCache {
  readonly #maxSize: number
  readonly #selections = new Map<string, number>()
  #nextSelection = 0
  readonly #tables = new WeakMap<ResolvedRows, Map<string, IntrospectionEntry>>()
  /** Least recently used first. */
  readonly #entries = new Set<IntrospectionEntry>()
  #size = 0

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /** Bytes in the cache, by estimate. */
  get size(): number {
    return this.#size
  }

  texts(selection: string): KeptTexts {
    const number = this.#numberOf(selection)
    const keyOf = (parts: string) => `${number} ${parts}`
    return {
      get: (table, parts) => {
        const entry = this.#tables.get(table)?.get(keyOf(parts))
        if (!entry) return undefined
        this.#entries.delete(entry)
        this.#entries.add(entry)
        return entry.texts
      },
      put: (table, parts, texts) => {
        const of = this.#tables.get(table) ?? new Map<string, IntrospectionEntry>()
        this.#tables.set(table, of)
        const key = keyOf(parts)
        const before = of.get(key)
        if (before) this.#forget(before)
        const entry = { of, key, texts, size: sizeOf(texts) + key.length }
        of.set(key, entry)
        this.#entries.add(entry)
        this.#size += entry.size
        for (const oldest of this.#entries) {
          if (this.#size <= this.#maxSize) return
          this.#forget(oldest)
        }
      },
    }
  }

  /** Texts are long, and every entry's key would hold one. */
  #numberOf(selection: string): number {
    const known = this.#selections.get(selection)
    if (known !== undefined) return known
    if (this.#selections.size >= mostSelections) this.#selections.clear()
    this.#selections.set(selection, this.#nextSelection)
    return this.#nextSelection++
  }

  #forget(entry: IntrospectionEntry): void {
    this.#entries.delete(entry)
    this.#size -= entry.size
    entry.of.delete(entry.key)
  }
}

const overhead = 500
const perName = 60
const perMention = 8

const sizeOf = ({ texts: { bytes, names, mentions } }: TableTexts): number =>
  overhead + bytes.length + perName * names.length + perMention * mentions.flat().length
