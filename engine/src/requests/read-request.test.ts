import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgres } from '../backends/index.ts'
import { ApiError } from '../errors.ts'
import type { AdminEndpoint } from './answer.ts'
import { adminOnly, modifies } from './command.ts'
import { readRequest } from './read-request.ts'
import { requestTable } from './request-table.ts'

const table = requestTable(postgres.kinds, { inSources: [], others: [] })

const op = (type: string, args: unknown = {}, more = {}) => ({ type, args, ...more })
const kindOf = (endpoint: AdminEndpoint, body: unknown) => readRequest(table, endpoint, body).command.kind

function refusal(endpoint: AdminEndpoint, body: unknown): string {
  try {
    readRequest(table, endpoint, body)
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.path}`
    throw error
  }
  return 'accepted'
}

test('arguments may be left out where none is required', () => {
  assert.equal(kindOf('/v1/metadata', { type: 'reload_metadata' }), 'reload')
  assert.equal(kindOf('/v1/metadata', { type: 'export_metadata' }), 'read')
  assert.equal(kindOf('/v1/metadata', { type: 'clear_metadata', args: null }), 'operation')
  assert.equal(refusal('/v1/metadata', { type: 'bulk' }), 'parse-failed $')
})

test('track_table of /v1/query takes a text, a name, or a name with is_enum, and the full form as version 2', () => {
  const table = { schema: 'public', name: 't' }
  for (const args of ['t', table, { table: 't' }, { table, is_enum: false }])
    for (const type of ['track_table', 'add_existing_table_or_view'])
      assert.equal(kindOf('/v1/query', op(type, args)), 'operation')
  assert.equal(kindOf('/v1/query', op('track_table', { table, configuration: {} }, { version: 2 })), 'operation')
  assert.equal(refusal('/v1/query', op('track_table', 't', { version: 2 })), 'parse-failed $')
  assert.equal(kindOf('/v1/query', op('set_table_custom_fields', { table }, { version: 2 })), 'operation')
  assert.equal(refusal('/v1/query', op('set_table_custom_fields', { table })), 'parse-failed $')
})

test('each endpoint has its own operations', () => {
  const [sql, rows, metadata] = [
    op('run_sql', { sql: '' }),
    op('insert', { table: 't', objects: [{}] }),
    op('export_metadata'),
  ]
  const at = (body: unknown) => (['/v1/metadata', '/v1/query', '/v2/query'] as const).map((one) => refusal(one, body))
  assert.deepEqual(at(sql), ['parse-failed $', 'accepted', 'accepted'])
  assert.deepEqual(at(rows), ['parse-failed $', 'accepted', 'accepted'])
  assert.deepEqual(at(metadata), ['accepted', 'accepted', 'parse-failed $'])
  assert.deepEqual(at(op('pg_run_sql', { sql: '' })), ['parse-failed $', 'parse-failed $', 'accepted'])
  assert.deepEqual(at(op('bulk_atomic', [])), ['accepted', 'parse-failed $', 'parse-failed $'])
  assert.deepEqual(at(op('drop_source', { name: 's' })), ['accepted', 'parse-failed $', 'parse-failed $'])
})

test('a bulk in a bulk shows the whole way to an error, as the endpoint writes it', () => {
  const nested = op('bulk', [op('bulk', [op('run_sql', { sql: 7 })])])
  assert.equal(refusal('/v1/query', nested), 'parse-failed $[0][0].sql')
  assert.equal(refusal('/v2/query', nested), 'parse-failed $.args[0].args[0].args.sql')
  const metadata = op('bulk', [op('bulk_keep_going', [op('pg_untrack_table', {})])])
  assert.equal(refusal('/v1/metadata', metadata), 'parse-failed $.args[0].args[0].args')
})

test('resource_version counts on /v1/metadata only, and a dry run elsewhere is refused, not done', () => {
  const body = op('export_metadata', {}, { resource_version: 7 })
  assert.equal(readRequest(table, '/v1/metadata', body).resourceVersion, 7)
  assert.equal(readRequest(table, '/v1/query', body).resourceVersion, null)
  const dry = op('clear_metadata', {}, { dry_run: true })
  assert.equal(refusal('/v1/query', dry), 'not-supported $.dry_run')
  assert.equal(refusal('/v2/query', op('run_sql', { sql: '' }, { dry_run: true })), 'not-supported $.dry_run')
  assert.equal(refusal('/v1/metadata', op('bulk', [dry])), 'not-supported $.args[0].dry_run')
  assert.equal(readRequest(table, '/v1/query', op('clear_metadata', {}, { dry_run: false })).dryRun, null)
  assert.equal(refusal('/v1/metadata', op('export_metadata', {}, { dry_run: true })), 'not-supported $.dry_run')
  assert.equal(readRequest(table, '/v1/metadata', op('clear_metadata', {}, { dry_run: false })).dryRun, null)
})

test('SQL that cannot change what metadata refers to waits for no other request', () => {
  const changes = (args: object) => modifies(readRequest(table, '/v2/query', op('run_sql', args)).command)
  assert.deepEqual(
    ['SELECT 1', 'INSERT INTO t VALUES (1)', 'SELECT dropped FROM alterations'].map((sql) => changes({ sql })),
    [false, false, false],
  )
  assert.deepEqual(
    ['ALTER TABLE t', 'drop table t', 'CREATE OR REPLACE VIEW v', 'CREATE\n FUNCTION f', 'COMMENT ON TABLE t'].map(
      (sql) => changes({ sql }),
    ),
    [true, true, true, true, true],
  )
  assert.equal(changes({ sql: 'SELECT 1', check_metadata_consistency: true }), true)
  assert.equal(changes({ sql: 'DROP TABLE t', check_metadata_consistency: false }), false)
  assert.equal(changes({ sql: 'DROP TABLE t', read_only: true }), false)
})

test('a bulk is as strict about roles as its strictest member', () => {
  const insert = op('insert', { table: 't', objects: [{}] })
  const forAdmin = (members: unknown[]) => adminOnly(readRequest(table, '/v1/query', op('bulk', members)).command)
  assert.deepEqual([forAdmin([insert]), forAdmin([insert, op('run_sql', { sql: '' })])], [false, true])
})
