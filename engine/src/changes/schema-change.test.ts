import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DatabaseTable, Introspection } from '../backends/index.ts'
import { schemaChange } from './schema-change.ts'

type Columns = Readonly<Record<number, string>>

const type = { schema: 'pg_catalog', name: 'text', kind: 'base', array: false } as const

function table(oid: string, name: string, columns: Columns, foreignKeys: readonly string[] = []): DatabaseTable {
  return {
    table: { schema: 'public', name },
    kind: 'table',
    description: null,
    columns: Object.entries(columns).map(([position, column]) => ({
      name: column,
      position: Number(position),
      type,
      nullable: true,
      hasDefault: false,
      generated: 'never',
      description: null,
    })),
    primaryKey: null,
    uniqueKeys: [],
    foreignKeys: foreignKeys.map((key) => ({
      constraint: key,
      oid: key,
      target: { schema: 'public', name: 'x' },
      columns: [],
    })),
    insertable: true,
    updatable: true,
    deletable: true,
    fingerprint: '',
    oid,
  }
}

const database = (...tables: readonly DatabaseTable[]): Introspection =>
  ({ tables: new Map(tables.map((one) => [`public.${one.table.name}`, one])), serverVersion: 150_000 }) as Introspection

const compare = (before: Introspection, after: Introspection, untracked: readonly string[] = []) =>
  schemaChange(before, after, ({ name }) => !untracked.includes(String(name)))

const named = (name: string) => ({ name, schema: 'public' })

test('a table is the same while its oid is, whatever its name', () => {
  const change = compare(
    database(table('1', 'a', {}), table('2', 'b', {})),
    database(table('1', 'b', {}), table('2', 'a', {})),
  )
  assert.deepEqual(change.renamedTables, [
    { from: named('a'), to: named('b') },
    { from: named('b'), to: named('a') },
  ])
  assert.equal(change.somethingDropped, false)
})

test('a table that was dropped and made again under its name was dropped', () => {
  const change = compare(database(table('1', 'a', {})), database(table('2', 'a', {})))
  assert.deepEqual([change.droppedTables, change.somethingDropped], [[named('a')], true])
})

test('a column is the same while its position is: renamed, not dropped and added', () => {
  const change = compare(
    database(table('1', 'a', { 1: 'x', 2: 'y', 3: 'z' })),
    database(table('1', 'b', { 1: 'x', 2: 'w', 4: 'z' })),
  )
  assert.deepEqual(change.changedColumns, [
    { was: named('a'), table: named('b'), dropped: ['z'], renamed: [{ from: 'y', to: 'w' }], retyped: [] },
  ])
})

test('a dropped foreign key counts as something dropped', () => {
  assert.equal(compare(database(table('1', 'a', {}, ['k'])), database(table('1', 'a', {}))).somethingDropped, true)
})

test('what is not tracked does not count', () => {
  const change = compare(database(table('1', 'a', { 1: 'x' }, ['k'])), database(), ['a'])
  assert.deepEqual(change, { droppedTables: [], renamedTables: [], changedColumns: [], somethingDropped: false })
})
