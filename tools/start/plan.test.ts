import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type MetadataDocument, readMetadata, writeMetadata } from '@svc/schema'
import { readMetadataFrom } from '../../provider/src/directory/index.ts'
import { makePlan } from './plan.ts'

const directory = fileURLToPath(new URL('../../examples/music-store/metadata', import.meta.url))

type Table = {
  readonly table: { readonly name: string }
  readonly select_permissions: { role: string; permission: object }[]
}

const wanted = (await readMetadataFrom(directory)).document

function documentOf(json: unknown): MetadataDocument {
  const read = readMetadata(json)
  assert.ok(read.ok)
  return read.document
}

/** The example's metadata after `change`. */
function example(change: (tables: Table[]) => void = () => {}): MetadataDocument {
  const metadata = JSON.parse(JSON.stringify(writeMetadata(wanted)))
  for (const { tables } of metadata.sources) change(tables)
  return documentOf(metadata)
}

const stepsFrom = (live: MetadataDocument) =>
  makePlan(live, wanted).map(({ change, operation }) => [change, operation.type])

test('a live engine that serves what the directory declares needs nothing', () => {
  assert.deepEqual(stepsFrom(example()), [])
})

test('an empty engine gets its objects one by one, those that others need first', () => {
  const types = [...new Set(stepsFrom(documentOf({ version: 3, sources: [] })).map(([, type]) => type))]
  assert.deepEqual(types, [
    'pg_add_source',
    'pg_track_table',
    'pg_create_object_relationship',
    'pg_create_array_relationship',
    'pg_create_select_permission',
  ])
})

test('an object dropped behind its back is the only one restored', () => {
  const live = example((tables) => tables.find(({ table }) => table.name === 'invoice')?.select_permissions.shift())
  assert.deepEqual(
    makePlan(live, wanted).map(({ change, name }) => [change, name]),
    [['create', 'select_permission customer in table invoice in source default']],
  )
})

test('a changed permission is replaced in one step, a stranger is dropped', () => {
  const live = example((tables) => {
    for (const { table, select_permissions } of tables)
      if (table.name === 'genre') {
        Object.assign(select_permissions[0]?.permission ?? {}, { limit: 3 })
        select_permissions.push({ role: 'stranger', permission: { columns: ['id'], filter: {} } })
      }
  })
  assert.deepEqual(stepsFrom(live), [
    ['delete', 'pg_drop_select_permission'],
    ['update', 'bulk_atomic'],
  ])
})

test('a table that is not declared is dropped once, with all that belongs to it', () => {
  const live = example((tables) => {
    tables.push({
      table: { name: 'stranger' },
      select_permissions: [{ role: 'customer', permission: { columns: ['id'], filter: {} } }],
    })
  })
  assert.deepEqual(stepsFrom(live), [['delete', 'pg_untrack_table']])
})
