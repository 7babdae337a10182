/**
 * suggest_relationships: what foreign keys between tracked tables offer (reference/metadata-operations#relationships).
 */
import {
  childrenOf,
  equalJson,
  findObject,
  isRecord,
  type Json,
  type JsonObject,
  type MetadataObject,
  type NameRules,
  ownKey,
  sourceAddress,
  suggestRelationshipsArgs,
} from '@svc/schema'
import type { DatabaseTable, ForeignKey } from '../../backends/index.ts'
import { readySource } from '../../changes/index.ts'
import { defineSourceRead } from '../read-operation.ts'

interface Tracked {
  readonly object: MetadataObject
  readonly table: DatabaseTable
  readonly names: NameRules
}

/** Both directions of each foreign key whose two tables are tracked; of some tables: what starts at one of these. */
export const suggestRelationships = defineSourceRead({
  name: 'suggest_relationships',
  scope: 'read',
  effects: 'none',
  args: ({ names }) => suggestRelationshipsArgs(names.style),
  answer({ source, tables, omit_tracked }, { draft, path }) {
    const { backend, introspection } = readySource(draft, source, path)
    const { names } = backend.types
    const object = findObject(draft.document, sourceAddress(source))
    const tracked = new Map<string, Tracked>()
    for (const [own, child] of object ? childrenOf(object, 'table') : []) {
      const table = introspection.tables.get(own)
      if (table) tracked.set(own, { object: child, table, names })
    }
    const asked = tables && new Set(tables.map((table) => ownKey('table', { table })))
    const relationships = [...tracked]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([own, from]) =>
        from.table.foreignKeys.flatMap((key): readonly JsonObject[] => {
          const target = ownKey('table', { table: names.key(key.target) })
          const to = tracked.get(target)
          if (!to) return []
          return [
            ...(!asked || asked.has(own) ? forward(from, key, omit_tracked) : []),
            ...(!asked || asked.has(target) ? backward(from, to, key, omit_tracked) : []),
          ]
        }),
      )
    return { relationships }
  },
})

function forward(tracked: Tracked, key: ForeignKey, omitTracked: boolean): readonly JsonObject[] {
  if (omitTracked && relates(tracked, key, null)) return []
  return [{ type: 'object', from: holder(tracked, key), to: target(tracked, key) }]
}

function backward(from: Tracked, to: Tracked, key: ForeignKey, omitTracked: boolean): readonly JsonObject[] {
  if (omitTracked && relates(to, key, from.table)) return []
  const columns = key.columns.map(({ from }) => from)
  const { primaryKey, uniqueKeys } = from.table
  const keys = [...(primaryKey ? [primaryKey.columns] : []), ...uniqueKeys.flatMap(whole)]
  const isUnique = keys.some((unique) => unique.every((column) => columns.includes(column)))
  return [{ type: isUnique ? 'object' : 'array', from: target(from, key), to: holder(from, key) }]
}

const whole = ({ partial, columns }: DatabaseTable['uniqueKeys'][number]) => (partial ? [] : [columns])

const holder = ({ table: { table }, names }: Tracked, { constraint, columns }: ForeignKey): JsonObject => ({
  table: names.key(table),
  columns: columns.map(({ from }) => from),
  constraint_name: constraint,
})

const target = ({ names }: Tracked, key: ForeignKey): JsonObject => ({
  table: names.key(key.target),
  columns: key.columns.map(({ to }) => to),
})

/** Whether a table has a relationship over that foreign key: its own (`holder` null), or one of the table `holder`. */
function relates({ object, table: own, names }: Tracked, key: ForeignKey, holder: DatabaseTable | null): boolean {
  const mapping = Object.fromEntries(key.columns.map(({ from, to }) => (holder ? [to, from] : [from, to])))
  const other = names.key(holder ? holder.table : key.target)
  const columns = key.columns.map(({ from }) => from)
  return (['object_relation', 'array_relation'] as const).some((type) =>
    [...childrenOf(object, type).values()].some(({ value }) => {
      const using = isRecord(value.using) ? value.using : {}
      const manual = isRecord(using.manual_configuration) ? using.manual_configuration : null
      if (manual) return equalJson(manual.remote_table, other) && equalJson(manual.column_mapping, mapping)
      const on = using.foreign_key_constraint_on ?? null
      if (!isRecord(on)) return holder === null && sameColumns(on, columns)
      const isOther = holder !== null && equalJson(on.table, names.key(holder.table))
      const isOwn = holder === null && equalJson(on.table, names.key(own.table))
      return (isOther || isOwn) && sameColumns(on.columns ?? on.column ?? null, columns)
    }),
  )
}

const sameColumns = (given: Json, columns: readonly string[]): boolean => {
  const names = Array.isArray(given) ? given : [given]
  return names.length === columns.length && columns.every((column) => names.includes(column))
}
