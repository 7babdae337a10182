/** Attacks through the metadata API: what was a 500, half a change or a hang, asked again; each is refused and changes nothing. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Engine, startEngine } from '../engine.ts'

const hook = 'http://127.0.0.1:1/hook'
const at = '2030-01-01T00:00:00Z'
const trigger = { name: 't', table: 'doc', webhook: hook, insert: { columns: '*' } }
const action = { name: 'a', definition: { type: 'query', handler: hook, output_type: 'Int' } }
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** Of a request: what it is, path of the endpoint, operation, arguments, and the path and code that it is refused with. */
const attacks: readonly (readonly [string, string, string, unknown, string, string])[] = [
  ['a NUL in the comment of an event', '/v1/metadata', 'create_scheduled_event', { webhook: hook, schedule_at: at, comment: 'a\0b' }, '$.args.comment', 'parse-failed'],
  ['half a character in the name of a trigger', '/v1/metadata', 'pg_get_event_logs', { name: '\ud800' }, '$.args.name', 'parse-failed'],
  ['a broken template under the older key', '/v1/metadata', 'pg_create_event_trigger', { ...trigger, transform: { body: '{{ $body.x' } }, '$.args', 'validation-failed'],
  ['a wrong method under the older key', '/v1/metadata', 'pg_create_event_trigger', { ...trigger, transform: { method: 5 } }, '$.args.transform.method', 'parse-failed'],
  ['another template engine', '/v1/metadata', 'pg_create_event_trigger', { ...trigger, request_transform: { version: 2, template_engine: 'Jinja' } }, '$.args.request_transform.template_engine', 'parse-failed'],
  ['negative tries', '/v1/metadata', 'pg_create_event_trigger', { ...trigger, retry_conf: { num_retries: -1 } }, '$.args.retry_conf.num_retries', 'parse-failed'],
  ['an argument declared twice', '/v1/metadata', 'create_action', { ...action, definition: { ...action.definition, arguments: [{ name: 'x', type: 'Int' }, { name: 'x', type: 'Int' }] } }, '$.args', 'invalid-configuration'],
  ['a join on values without equality', '/v1/metadata', 'pg_create_object_relationship', { table: 'doc', name: 'self', using: { manual_configuration: { remote_table: 'doc', column_mapping: { body: 'body' } } } }, '$.args', 'invalid-configuration'],
  ['two names of a table that differ', '/v1/metadata', 'pg_set_table_customization', { table: 'doc', configuration: { identifier: 'one', custom_name: 'two' } }, '$.args.configuration.identifier', 'parse-failed'],
  ['a kind of source that there is not', '/v1/metadata', 'replace_metadata', { version: 3, sources: [{ name: 's', kind: 'oracle', tables: [], configuration: {} }] }, '$.args.sources', 'invalid-params'],
  ['a conflict on a column that is not there', '/v1/query', 'insert', { table: 'doc', objects: [{}], on_conflict: { action: 'ignore', constraint_on: ['nowhere'] } }, '$.args.on_conflict.constraint_on', 'permission-denied'],
  ['a conflict on a constraint that is not there', '/v1/query', 'insert', { table: 'doc', objects: [{}], on_conflict: { action: 'ignore', constraint: 'nowhere' } }, '$.args', 'constraint-error'],
] // biome-ignore format: a table

describe('attacks through the metadata API', () => {
  let engine: Engine
  before(async () => {
    engine = await startEngine()
    const sql = 'CREATE TABLE doc (id int PRIMARY KEY, body json)'
    assert.equal((await engine.post('/v2/query', { type: 'run_sql', args: { sql } })).status, 200)
    assert.equal((await engine.metadata('pg_track_table', { table: 'doc' })).status, 200)
  })
  after(() => engine.stop())

  for (const [what, endpoint, type, args, path, code] of attacks)
    test(what, async () => {
      const exported = () => engine.metadata('export_metadata', {}, { version: 2 })
      const earlier = await exported()
      const { status, body, text } = await engine.post(endpoint, { type, args })
      assert.deepEqual([status, body.path, body.code], [400, path, code], text)
      assert.equal((await exported()).text, earlier.text)
    })

  test('arguments nested without end', async () => {
    const body = `{"type": "pg_track_table", "args": {"table": ${nested(100_000)}}}`
    const { status, body: answer } = await engine.send('POST', '/v1/metadata', body)
    assert.deepEqual([status, answer.code], [400, 'parse-failed'])
  })
})
