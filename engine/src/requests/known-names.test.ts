import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allBackends } from '../backends/index.ts'
import { ApiError } from '../errors.ts'
import { readRequest } from './read-request.ts'
import { requestTable } from './request-table.ts'

const table = requestTable(
  allBackends.flatMap(({ kinds }) => kinds),
  { inSources: [], others: [] },
)

function refusal(type: string): string {
  try {
    readRequest(table, '/v1/metadata', { type, args: {} })
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.message}`
    throw error
  }
  return 'accepted'
}

test('an operation on agents and their sources is not served, and says so', () => {
  for (const type of ['dc_add_agent', 'sqlite_track_table', 'athena_add_source', 'sqlite_track_stored_procedure'])
    assert.equal(refusal(type), `not-supported "${type}" is not served by this version`)
})

test('a name that means nothing is unknown, and so is an operation that sources of a kind do not have', () => {
  assert.equal(refusal('pg_track_tabel'), 'parse-failed unknown metadata command "pg_track_tabel" for backend postgres')
  assert.equal(refusal('nonsense'), 'parse-failed unknown metadata command "nonsense"')
  for (const [type, kind] of [
    ['cockroach_track_function', 'cockroach'],
    ['mssql_track_function', 'mssql'],
    ['mssql_set_table_is_enum', 'mssql'],
    ['mssql_add_computed_field', 'mssql'],
    ['bigquery_create_event_trigger', 'bigquery'],
    ['bigquery_track_stored_procedure', 'bigquery'],
    ['pg_track_stored_procedure', 'postgres'],
  ])
    assert.equal(refusal(type ?? ''), `parse-failed unknown metadata command "${type}" for backend ${kind}`)
})
