import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failure, startRestDouble } from './rest-double.ts'
import { openSource } from './source-on-double.ts'

const column = (name: string, type: string, mode?: string) => ({ name, type, ...(mode && { mode }) })

const album = {
  type: 'TABLE',
  schema: {
    fields: [
      column('id', 'INTEGER', 'REQUIRED'),
      column('tags', 'STRING', 'REPEATED'),
      column('price', 'NUMERIC'),
      column('span', 'RANGE'),
      { ...column('size', 'RECORD'), fields: [column('w', 'INTEGER')] },
    ],
  },
}

test('tables of all datasets are read over the free API; columns of unknown types are left out and said', async (t) => {
  const double = await startRestDouble(t)
  double.tables.set('music', new Map([['album', album]]))
  double.tables.set('shop', new Map([['v', { type: 'VIEW', schema: { fields: [column('n', 'FLOAT', 'NULLABLE')] } }]]))
  const { source, observations } = await openSource(double, { datasets: ['music', 'shop'] })
  const { tables } = await source.introspect(null)
  assert.deepEqual([...tables.keys()], ['music.album', 'shop.v'])
  const known = tables.get('music.album')
  assert.deepEqual(
    known?.columns.map(({ name, type, nullable }) => [name, type.name, nullable]),
    [
      ['id', 'INT64', false],
      ['tags', 'ARRAY<STRING>', false],
      ['price', 'NUMERIC', true],
    ],
  )
  assert.deepEqual([known?.primaryKey, known?.insertable, known?.kind], [null, false, 'table'])
  assert.equal(tables.get('shop.v')?.kind, 'view')
  const left = observations.filter((one) => one.kind === 'columns-left-out')
  assert.deepEqual(left, [
    {
      kind: 'columns-left-out',
      source: 'bq',
      table: 'music.album',
      columns: [
        { name: 'span', type: 'RANGE' },
        { name: 'size', type: 'RECORD' },
      ],
    },
  ])
  assert.equal(double.jobs.size, 0)
})

test('what did not change keeps its reference; only named tables are queried', async (t) => {
  const double = await startRestDouble(t)
  const music = new Map([
    ['album', album],
    ['track', album],
  ])
  double.tables.set('music', music)
  const { source } = await openSource(double)
  const first = await source.introspect(null)
  assert.equal(await source.introspect(first), first)
  music.set('track', { ...album, schema: { fields: [column('id', 'INTEGER')] } })
  const asked = double.requests.length
  const second = await source.introspect(first, [{ schema: 'music', name: 'track' }])
  assert.equal(double.requests.length, asked + 1)
  assert.equal(second.tables.get('music.album'), first.tables.get('music.album'))
  assert.equal(second.tables.get('music.track')?.columns.length, 1)
  music.delete('track')
  const third = await source.introspect(second, [{ schema: 'music', name: 'track' }])
  assert.deepEqual([...third.tables.keys()], ['music.album'])
})

test('a dataset that is gone is the reason why its source cannot be reached', async (t) => {
  const double = await startRestDouble(t)
  const { source } = await openSource(double)
  await assert.rejects(source.introspect(null), {
    message:
      'unexpected exception while connecting to database: BigQuery HTTP request failed with status 404 "Not Found": ' +
      'Not found: Dataset shop:music',
  })
})

test('listings are tried again as jobs are', async (t) => {
  const double = await startRestDouble(t)
  double.tables.set('music', new Map([['album', album]]))
  let failures = 2
  double.fault = () => (failures-- > 0 ? failure(429, 'Exceeded rate limits', 'rateLimitExceeded') : null)
  const { source } = await openSource(double)
  assert.equal((await source.introspect(null)).tables.size, 1)
})

test('a table that demands a filter of its partitions says which columns they are', async (t) => {
  const double = await startRestDouble(t)
  const fields = [column('day', 'DATE'), column('n', 'INTEGER')]
  double.tables.set(
    'music',
    new Map(
      Object.entries({
        byDay: { schema: { fields }, requirePartitionFilter: true, timePartitioning: { type: 'DAY', field: 'day' } },
        older: { schema: { fields }, timePartitioning: { type: 'DAY', requirePartitionFilter: true } },
        byRange: { schema: { fields }, requirePartitionFilter: true, rangePartitioning: { field: 'n' } },
        free: { schema: { fields }, timePartitioning: { type: 'DAY', field: 'day' } },
      }),
    ),
  )
  const { source } = await openSource(double)
  const { tables } = await source.introspect(null)
  assert.deepEqual(
    [...tables.values()].map(({ table, partitionFilter }) => [table.name, partitionFilter]),
    [
      ['byDay', ['day']],
      ['older', ['_PARTITIONTIME', '_PARTITIONDATE']],
      ['byRange', ['n']],
      ['free', undefined],
    ],
  )
})

test('table functions are listed with their arguments and columns; a server without that list has none', async (t) => {
  const double = await startRestDouble(t)
  double.tables.set('music', new Map())
  const typed = (name: string, typeKind: string) => ({ name, dataType: { typeKind } })
  double.routines.set('music', [
    {
      routineReference: { routineId: 'top' },
      routineType: 'TABLE_VALUED_FUNCTION',
      arguments: [typed('n', 'INT64'), typed('any', 'ANY_TYPE')],
      returnTableType: { columns: [{ name: 'id', type: { typeKind: 'INT64' } }] },
    },
    { routineReference: { routineId: 'plain' }, routineType: 'SCALAR_FUNCTION', arguments: [typed('x', 'STRING')] },
  ])
  const { source } = await openSource(double)
  const names = ['plain', 'top', 'none'].map((name) => ({ schema: 'music', name }))
  const [plain, top, none] = (await source.readFunctions?.(names)) ?? []
  assert.deepEqual(none, [])
  assert.deepEqual([plain?.length, plain?.[0]?.table], [1, undefined])
  assert.deepEqual(
    top?.[0]?.arguments.map(({ name, type }) => [name, type.name]),
    [['n', 'INT64']],
  )
  assert.deepEqual(
    top?.[0]?.table?.columns?.map(({ name, type }) => [name, type.name]),
    [['id', 'INT64']],
  )
  double.fault = () => failure(500, 'unsupported bigquery.routines.list', 'internalError')
  assert.deepEqual(await source.readFunctions?.(names), [[], [], []])
})
