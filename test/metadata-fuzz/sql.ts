/** SQL that changes tables, and what metadata makes of it (reference/metadata-operations#sql). */
import type { Random } from '../admin/random.ts'
import { dependents } from './cascade.ts'
import {
  asItem,
  type Document,
  findTable,
  type Item,
  isItem,
  items,
  nameOf,
  remove,
  sameName,
  texts,
} from './plain-document.ts'
import { permissionLists, usedColumn, usedTable, walkExpression } from './references.ts'

export interface SqlChange {
  readonly sql: string
  /** Changes the document, which is a copy. */
  apply(document: Document): void
}

/** Whether the database has such a column, or such a table. */
export type HasColumn = (table: string, column: string | null) => boolean

const tableOf = (name: string) => ({ schema: 'public', name })

/** Columns that nothing in the database itself depends on, with the name that they may get, and their types. */
const columns = [
  ['artist', 'born', 'birth', 'date'],
  ['album', 'title', 'headline', 'text'],
  ['album', 'year', 'released', 'int'],
  ['track', 'genre', 'style', 'text'],
  ['playlist', 'name', 'label', 'text'],
] as const

export function randomSql(random: Random, has: HasColumn): SqlChange {
  const [table, column, other, type] = random.pick(columns)
  const kind = random.below(9)
  if (kind < 1) return { sql: `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS extra${random.below(3)} text`, apply() {} }
  if (kind < 2) return { sql: `COMMENT ON TABLE ${table} IS 'said ${random.below(5)} times'`, apply() {} }
  if (kind < 4) {
    const isThere = has(table, column)
    if (!isThere && !has(table, other)) return { sql: `ALTER TABLE ${table} ADD COLUMN ${column} ${type}`, apply() {} }
    return {
      sql: `ALTER TABLE ${table} DROP COLUMN IF EXISTS ${column}`,
      apply: (document) => (isThere ? dropColumn(document, table, column) : undefined),
    }
  }
  if (kind < 6) {
    const [from, to] = has(table, column) ? [column, other] : [other, column]
    return {
      sql: `ALTER TABLE ${table} RENAME COLUMN ${from} TO ${to}`,
      apply: (document) => renameColumn(document, table, from, to),
    }
  }
  if (kind < 7) {
    const [from, to] = has('playlist', null) ? (['playlist', 'mixtape'] as const) : (['mixtape', 'playlist'] as const)
    return { sql: `ALTER TABLE ${from} RENAME TO ${to}`, apply: (document) => renameTable(document, from, to) }
  }
  if (kind < 8) {
    if (!has('long_track', null))
      return {
        sql: 'CREATE VIEW long_track AS SELECT id, name, album_id FROM track WHERE milliseconds > 600000',
        apply() {},
      }
    return { sql: 'DROP VIEW long_track', apply: (document) => dropTable(document, 'long_track') }
  }
  return { sql: random.pick(['SELECT nothing', 'ALTER TABLE album ADD COLUMN', 'SELECT 1; SELECT 2']), apply() {} }
}

function dropColumn(document: Document, table: string, column: string): void {
  for (const one of dependents(document, [usedColumn('default', tableOf(table), column)])) one.drop()
  const { configuration } = findTable(document, 'default', tableOf(table)) ?? {}
  if (!isItem(configuration)) return
  for (const key of ['column_config', 'custom_column_names']) delete asItem(configuration[key])[column]
}

function dropTable(document: Document, table: string): void {
  const found = findTable(document, 'default', tableOf(table))
  if (!found) return
  const used = usedTable('default', tableOf(table))
  for (const one of dependents(document, [used], new Set([used]))) one.drop()
  const source = items(document, 'sources').find(({ name }) => name === 'default')
  if (source) remove(items(source, 'tables'), found)
}

function renameColumn(document: Document, renamed: string, from: string, to: string): void {
  const target = tableOf(renamed)
  const isIt = (source: unknown, table: unknown) => source === 'default' && sameName(table, target)
  const column = (source: unknown, table: unknown, name: string) => (isIt(source, table) && name === from ? to : name)
  rewrite(document, { column, table: (_, table) => table })
}

function renameTable(document: Document, from: string, to: string): void {
  const table = (source: unknown, name: unknown) =>
    source === 'default' && sameName(name, tableOf(from)) ? tableOf(to) : name
  rewrite(document, { column: (_, __, name) => name, table })
}

interface Renaming {
  column(source: unknown, table: unknown, name: string): string
  table(source: unknown, table: unknown): unknown
}

/** Every name of a table and of a column in the document, another. Conditions are walked over with the old names. */
function rewrite(document: Document, { column, table: renamed }: Renaming): void {
  const before = structuredClone(document)
  const keysOf = (map: unknown, key: (name: string) => string) =>
    Object.fromEntries(Object.entries(asItem(map)).map(([name, value]) => [key(name), value]))
  const valuesOf = (map: unknown, value: (name: string) => string) =>
    Object.fromEntries(Object.entries(asItem(map)).map(([name, other]) => [name, value(String(other))]))
  const condition = (source: unknown, table: unknown, expression: unknown) =>
    walkExpression(before, source, table, expression, { column, table: renamed }).expression
  const target = (definition: unknown) => {
    const to = asItem(definition).to_source
    if (!isItem(to)) return
    const { source, table } = to
    to.field_mapping = valuesOf(to.field_mapping, (name) => column(source, table, name))
    to.table = renamed(source, table)
  }
  for (const source of items(document, 'sources')) {
    for (const owner of items(source, 'tables')) {
      const own = (name: string) => column(source.name, owner.table, name)
      for (const list of ['object_relationships', 'array_relationships'])
        for (const one of items(owner, list)) {
          const using = asItem(one.using)
          const { manual_configuration: manual, foreign_key_constraint_on: key } = using
          if (isItem(manual)) {
            const mapping = keysOf(manual.column_mapping, own)
            manual.column_mapping = valuesOf(mapping, (name) => column(source.name, manual.remote_table, name))
            manual.remote_table = renamed(source.name, manual.remote_table)
          } else if (isItem(key)) {
            const other = (name: string) => column(source.name, key.table, name)
            if (typeof key.column === 'string') key.column = other(key.column)
            else key.columns = texts(key.columns).map(other)
            key.table = renamed(source.name, key.table)
          } else using.foreign_key_constraint_on = typeof key === 'string' ? own(key) : texts(key).map(own)
        }
      for (const list of permissionLists)
        for (const { permission } of items(owner, list)) {
          const body = asItem(permission)
          if (Array.isArray(body.columns)) body.columns = texts(body.columns).map(own)
          if (isItem(body.set)) body.set = keysOf(body.set, own)
          for (const key of ['filter', 'check'])
            if (isItem(body[key])) body[key] = condition(source.name, owner.table, body[key])
        }
      for (const { definition } of items(owner, 'remote_relationships')) {
        const given = asItem(definition)
        if (isItem(given.to_source)) given.to_source.field_mapping = keysOf(given.to_source.field_mapping, own)
        for (const [of, key] of [
          [given.to_remote_schema, 'lhs_fields'],
          [given, 'svc_fields'],
        ] as const)
          if (isItem(of) && Array.isArray(of[key])) of[key] = texts(of[key]).map(own)
        for (const remote of [given, asItem(given.to_remote_schema)])
          if (isItem(remote.remote_field)) remote.remote_field = fieldWith(remote.remote_field, own)
        target(given)
      }
      for (const { definition } of items(owner, 'event_triggers'))
        for (const operation of Object.values(asItem(definition)))
          if (isItem(operation))
            for (const key of ['columns', 'payload'])
              if (Array.isArray(operation[key])) operation[key] = texts(operation[key]).map(own)
      const { configuration } = owner
      if (isItem(configuration))
        for (const key of ['column_config', 'custom_column_names']) configuration[key] = keysOf(configuration[key], own)
    }
    for (const owner of items(source, 'tables')) owner.table = nameOf(renamed(source.name, owner.table))
  }
  for (const remote of items(document, 'remote_schemas'))
    for (const type of items(remote, 'remote_relationships'))
      for (const { definition } of items(type, 'relationships')) target(definition)
  for (const type of (asItem(document.custom_types).objects ?? []) as Item[])
    for (const one of (type.relationships ?? []) as Item[]) {
      const source = one.source ?? 'default'
      one.field_mapping = valuesOf(one.field_mapping, (name) => column(source, one.remote_table, name))
      one.remote_table = renamed(source, one.remote_table)
    }
  for (const source of items(document, 'sources'))
    for (const query of items(source, 'native_queries'))
      for (const list of ['object_relationships', 'array_relationships'])
        for (const one of (query[list] ?? []) as Item[]) {
          const manual = asItem(asItem(one.using).manual_configuration)
          manual.column_mapping = valuesOf(manual.column_mapping, (name) =>
            column(source.name, manual.remote_table, name),
          )
          manual.remote_table = renamed(source.name, manual.remote_table)
        }
}

/** Arguments of a remote field name columns as `$column`. */
function fieldWith(field: Item, own: (name: string) => string): Item {
  return JSON.parse(JSON.stringify(field), (_, value) =>
    typeof value === 'string' && value.startsWith('$') ? `$${own(value.slice(1))}` : value,
  ) as Item
}
