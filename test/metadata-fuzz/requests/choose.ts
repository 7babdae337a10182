/** What random operations speak of: mostly what the document has, or could have. */
import type { Random } from '../../admin/random.ts'
import { type Document, type Item, items, nameText } from '../plain-document.ts'
import { columnsOf, inheritedRoles, roles } from '../world.ts'

export interface Chosen {
  readonly source: string
  /** `schema.name` */
  readonly table: string
}

export interface Operation {
  readonly type: string
  readonly args: unknown
  readonly version?: number
}

/** A weight, and what makes an operation. */
export type Generator = readonly [number, (choose: Choices) => Operation]

export class Choices {
  readonly random: Random
  readonly document: Document

  constructor(random: Random, document: Document) {
    this.random = random
    this.document = document
  }

  chance(probability: number): boolean {
    return this.random.chance(probability)
  }

  pick<T>(list: readonly T[]): T {
    return this.random.pick(list)
  }

  /** One that is there, or anything else of the others. */
  known<T>(there: readonly T[], others: readonly T[], probability = 0.75): T {
    return there.length > 0 && (others.length === 0 || this.chance(probability)) ? this.pick(there) : this.pick(others)
  }

  some<T>(list: readonly T[], probability = 0.5): T[] {
    return list.filter(() => this.chance(probability))
  }

  maybe(probability: number, entries: () => Item): Item {
    return this.chance(probability) ? entries() : {}
  }

  list(key: string): readonly Item[] {
    return items(structuredClone(this.document), key)
  }

  tracked(): readonly { readonly chosen: Chosen; readonly table: Item }[] {
    return this.list('sources').flatMap((source) =>
      items(source, 'tables').map((table) => ({
        chosen: { source: String(source.name), table: nameText(table.table) },
        table,
      })),
    )
  }

  /** A table, mostly a tracked one. */
  table(probability = 0.8): Chosen {
    const tracked = this.tracked().map(({ chosen }) => chosen)
    return this.known(tracked, [...existing, ...missing], probability)
  }

  untracked(): Chosen {
    const tracked = new Set(this.tracked().map(({ chosen }) => `${chosen.source} ${chosen.table}`))
    const left = existing.filter(({ source, table }) => !tracked.has(`${source} ${table}`))
    return this.known(left, [...existing, ...missing], 0.9)
  }

  item({ source, table }: Chosen): Item {
    return this.tracked().find(({ chosen }) => chosen.source === source && chosen.table === table)?.table ?? {}
  }

  column({ source, table }: Chosen): string {
    const columns = columnsOf[source]?.[table] ?? columnsOf.default?.[table] ?? ['id']
    return this.chance(0.04) ? 'nowhere' : this.pick(columns)
  }

  columns(of: Chosen): string[] {
    const columns = columnsOf[of.source]?.[of.table] ?? ['id']
    return this.chance(0.05) ? [this.column(of), 'nowhere'] : this.some(columns)
  }

  role(): string {
    if (this.chance(0.03)) return 'admin'
    return this.chance(0.1) ? this.pick(inheritedRoles) : this.pick(roles)
  }

  /** Names of what a list of a table holds. */
  names(of: Chosen, ...lists: readonly string[]): readonly string[] {
    const table = this.item(of)
    return lists.flatMap((list) => ((table[list] ?? []) as Item[]).map((one) => String(one.name ?? one.role)))
  }

  named(list: string, key = 'name'): readonly string[] {
    return this.list(list).map((one) => String(one[key]))
  }

  /** Of all sources. */
  ofSources(
    list: string,
    key: string,
  ): readonly { readonly source: string; readonly name: unknown; readonly item: Item }[] {
    return this.list('sources').flatMap((source) =>
      ((source[list] ?? []) as Item[]).map((item) => ({ source: String(source.name), name: item[key], item })),
    )
  }

  comment(): string | null {
    return this.pick(['one', 'two', null])
  }
}

const existing: readonly Chosen[] = Object.entries(columnsOf).flatMap(([source, tables]) =>
  Object.keys(tables).map((table) => ({ source, table })),
)
const missing: readonly Chosen[] = [
  { source: 'default', table: 'public.missing' },
  { source: 'shop', table: 'public.artist' },
  { source: 'nowhere', table: 'public.artist' },
]

/** The table in one of the spellings that mean it. */
export function spelled(choose: Choices, table: string): unknown {
  const [schema, name] = table.split('.')
  if (schema !== 'public') return { schema, name }
  return choose.pick([name, { name }, { schema, name }])
}

/** `source` and `table` of arguments. */
export function placed(choose: Choices, { source, table }: Chosen): Item {
  return { table: spelled(choose, table), ...(source !== 'default' || choose.chance(0.3) ? { source } : {}) }
}
