import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgres } from '../backends/index.ts'
import { ApiError } from '../errors.ts'
import { isKnownName, namesNotServed } from './known-names.ts'
import { readRequest } from './read-request.ts'
import { requestTable } from './request-table.ts'

const table = requestTable(postgres.kinds, { inSources: [], others: [] })
const prefixes = new Set(postgres.kinds.flatMap((kind) => kind.prefixes))

function refusal(type: string): string {
  try {
    readRequest(table, '/v1/metadata', { type, args: {} })
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.message}`
    throw error
  }
  return 'accepted'
}

test('an operation that the contract knows and this version does not serve says so', () => {
  for (const type of ['mssql_track_table', 'bigquery_add_source', 'dc_add_agent', 'sqlite_track_table'])
    assert.equal(refusal(type), `not-supported "${type}" is not served by this version`)
  for (const type of namesNotServed(table.types))
    assert.equal(refusal(type), `not-supported "${type}" is not served by this version`)
})

test('a name that means nothing is unknown, and so is an operation that sources of a kind do not have', () => {
  assert.equal(refusal('pg_track_tabel'), 'parse-failed unknown metadata command "pg_track_tabel" for backend postgres')
  assert.equal(refusal('nonsense'), 'parse-failed unknown metadata command "nonsense"')
  assert.equal(
    refusal('cockroach_track_function'),
    'parse-failed unknown metadata command "cockroach_track_function" for backend cockroach',
  )
})

test('whatever is served on sources or by itself is a name that the contract knows, or an addition of ours', () => {
  const own =
    /^(get_metadata_changes|add_existing_table_or_view|(create|drop)_custom_type|(pg_|postgres_|citus_|cockroach_)?update_(native_query|logical_model))$/
  const unknown = [...table.types].filter((type) => !isKnownName(type, prefixes) && !own.test(type))
  assert.deepEqual(
    unknown.filter((type) => !/^(citus|cockroach)_/.test(type)),
    [],
  )
})
