import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { JsonObject } from '@svc/schema'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { ApiError, Path } from '../../../errors.ts'
import { parseExactly } from '../../../exact-json/index.ts'
import type { RowInsert } from '../../backend.ts'
import { PostgresSource } from './postgres-source.ts'
import { settingsFor } from './settings.fixture.ts'

let source: PostgresSource
before(async () => {
  const { url } = await createTestDatabase()
  source = new PostgresSource(settingsFor(url), () => {})
  const sql = `CREATE TABLE t (id serial PRIMARY KEY, name text UNIQUE DEFAULT 'none', data jsonb, tags text[], at timestamptz, n numeric, "odd ""name" int);
    CREATE TABLE numbers (big bigint, n numeric, data jsonb);
    CREATE TABLE keyed (id int GENERATED ALWAYS AS IDENTITY, v int)`
  await source.runSql({ sql, readOnly: false, noTransaction: false }, Path.root, null)
})
after(() => source.close())

const path = Path.root.at('args')

async function insert(rows: readonly JsonObject[], over: Partial<Omit<RowInsert, 'table' | 'rows'>> = {}, name = 't') {
  const table = (await source.introspect(null)).tables.get(`public.${name}`)
  assert.ok(table)
  return await source.insertRows({ table, rows, onConflict: null, returning: null, ...over }, path)
}

async function refusal(rows: readonly JsonObject[], over: Partial<Omit<RowInsert, 'table' | 'rows'>> = {}) {
  const error: unknown = await insert(rows, over).catch((caught: unknown) => caught)
  assert.ok(error instanceof ApiError, String(error))
  return [error.code, error.path.toString(), error.message]
}

test('values are JSON of their column, gaps are defaults, null is NULL', async () => {
  const rows = [
    { name: 'a', data: { x: [1] }, tags: ['p', null], at: '2024-01-01T00:00:00Z', n: 1.5, 'odd "name': 1 },
    { data: 'text', tags: '{q}' },
    { name: null, n: '2.50' },
  ]
  assert.deepEqual(await insert(rows, { returning: ['id', 'name', 'data', 'tags', 'n', 'odd "name'] }), {
    affected_rows: 3,
    returning: [
      { id: 1, name: 'a', data: { x: [1] }, tags: ['p', null], n: 1.5, 'odd "name': 1 },
      { id: 2, name: 'none', data: 'text', tags: ['q'], n: null, 'odd "name': null },
      { id: 3, name: null, data: null, tags: null, n: 2.5, 'odd "name': null },
    ],
  })
})

test('numbers keep all their digits on both ways', async () => {
  const digits = '{"big":9007199254740993,"n":0.12345678901234567890123,"data":{"a":[12345678901234567890]}}'
  const row = parseExactly(digits) as JsonObject
  const inserted = await insert([row, { big: '9223372036854775807' }], { returning: ['big', 'n', 'data'] }, 'numbers')
  assert.equal(JSON.stringify(inserted.returning), `[${digits},{"big":9223372036854775807,"n":null,"data":null}]`)
})

test('rows without any value are defaults throughout', async () => {
  assert.deepEqual(await insert([{}, {}], { returning: ['id', 'v'] }, 'keyed'), {
    affected_rows: 2,
    returning: [
      { id: 1, v: null },
      { id: 2, v: null },
    ],
  })
})

test('a conflict is ignored, or updates what was given', async () => {
  const returning = ['name', 'n'] as const
  assert.deepEqual(await insert([{ name: 'a', n: 9 }], { onConflict: { action: 'ignore' }, returning }), {
    affected_rows: 0,
    returning: [],
  })
  for (const onConflict of [
    { action: 'update', constraint: 't_name_key' },
    { action: 'update', constraintOn: ['name'] },
  ] as const)
    assert.deepEqual(await insert([{ name: 'a', n: 7 }], { onConflict, returning }), {
      affected_rows: 1,
      returning: [{ name: 'a', n: 7 }],
    })
  assert.deepEqual(await insert([{ name: 'a' }], { onConflict: { action: 'ignore', constraintOn: ['name'] } }), {
    affected_rows: 0,
  })
})

test('what the database refuses is told at the path of the call, what JSON cannot be at the value', async () => {
  assert.deepEqual(await refusal([{ name: 'a' }]), [
    'constraint-violation',
    '$.args',
    'Uniqueness violation. duplicate key value violates unique constraint "t_name_key"',
  ])
  assert.equal((await refusal([{ at: 'never' }]))[0], 'data-exception')
  assert.deepEqual((await refusal([{}, { name: 5 }])).slice(0, 2), ['parse-failed', '$.args.objects[1].name'])
  assert.deepEqual(await refusal([{ nope: 5 }]), [
    'permission-denied',
    '$.args.objects',
    'no such column exists: "nope"',
  ])
  assert.deepEqual((await refusal([{}], { returning: ['nope'] })).slice(0, 2), [
    'permission-denied',
    '$.args.returning',
  ])
  assert.equal((await refusal([{}], { onConflict: { action: 'update', constraint: 'nope' } }))[0], 'constraint-error')
})

test('more values than one statement can take are inserted all or none', async () => {
  const rows = Array.from({ length: 40_000 }, (_, i) => ({ name: `n${i}`, n: i }))
  assert.deepEqual((await refusal([...rows, { name: 'n0' }])).slice(0, 2), ['constraint-violation', '$.args'])
  assert.deepEqual(await insert(rows), { affected_rows: 40_000 })
})
