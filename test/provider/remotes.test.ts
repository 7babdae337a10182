/** Remote schemas, their permissions and relationships: what a plan says of them, and what an apply does about their servers. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import type { Values } from '../../provider/src/core/index.ts'
import { sampleRemote } from '../../provider/src/resources/remote-samples.fixture.ts'
import { sampleTables } from '../../provider/src/resources/samples.fixture.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { type RemoteServer, startRemoteServer } from '../serving/remote-server.ts'
import { apply, deploy, newRun, plan, shown } from './deploy.ts'

let engine: Engine
let remote: RemoteServer
before(async () => {
  const { url } = await createTestDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sampleTables).finally(() => client.end())
  remote = await startRemoteServer(sampleRemote, {})
  engine = await startEngine({ databaseUrl: url, env: { SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true' } })
})
after(async () => {
  await engine.stop()
  await remote.close()
})
beforeEach(async () => {
  remote.serve(sampleRemote)
  remote.answerWith(null)
  await must('clear_metadata', {})
})

async function must(type: string, args: object): Promise<void> {
  const { status, text } = await engine.metadata(type, args)
  assert.equal(status, 200, text)
}

const crm = (more: Values = {}): Values => ({ name: 'crm', url: remote.url, ...more })
const permission = (schema: string, more: Values = {}): Values => ({
  remote_schema: 'crm',
  role: 'user',
  schema,
  ...more,
})
const whole = 'type Query { user(id: Int!, lang: String): User }  type User { id: Int! name: String }'
const withoutName = 'type Query { user(id: Int!, lang: String): User }  type User { id: Int! }'
/** The server once users have no names. */
const nameless = sampleRemote.replace('id: Int!  name: String  employer', 'id: Int!  employer')
const artist = { schema: 'public', name: 'artist' }

const inconsistent = async () => {
  const { body } = await engine.metadata('get_inconsistent_metadata', {})
  return (body.inconsistent_objects ?? body).map(({ name }: { readonly name: string }) => name)
}

test('a relationship in the older form is the same in the newer one', async () => {
  await deploy(newRun(engine), 'RemoteSchema', null, crm())
  await deploy(newRun(engine), 'Table', null, { table: artist })
  await must('pg_create_remote_relationship', {
    table: 'artist',
    name: 'client',
    remote_schema: 'crm',
    svc_fields: ['id'],
    remote_field: { user: { arguments: { id: '$id' } } },
  })
  const config = {
    table: artist,
    name: 'client',
    to_remote_schema: {
      remote_schema: 'crm',
      lhs_fields: ['id'],
      remote_field: '{"user":{"arguments":{"id":"$id"}}}',
    },
  }
  const adopting = newRun(engine, { adopt_existing: true })
  const state = await deploy(adopting, 'RemoteRelationship', null, config)
  const run = newRun(engine)
  const stub = run.importStub('RemoteRelationship', 'default/public/artist/client')
  const read = await run.read('RemoteRelationship', stub.state ?? {})
  assert.deepEqual(read.state, { ...state, to_source: null })
  assert.deepEqual((await plan(run, 'RemoteRelationship', read.state, config)).changed, [])
})

test('a plan asks the server on request, and says what does not fit any more', async () => {
  const run = newRun(engine)
  const state = await deploy(run, 'RemoteSchema', null, crm())
  const allowed = await deploy(run, 'RemoteSchemaPermission', null, permission(whole))
  remote.serve(nameless)
  remote.forget()
  assert.deepEqual((await plan(newRun(engine), 'RemoteSchema', state, crm())).diagnostics, [])
  assert.equal(remote.asked.length, 0)
  const asking = () => newRun(engine, { introspect_remote_schemas: true })
  const { diagnostics, planned } = await plan(asking(), 'RemoteSchema', state, crm())
  assert.equal(planned, state)
  assert.deepEqual(diagnostics.map(shown), [
    ['warning', 'RemoteSchema crm: its server has changed, and what uses it does not fit any more', ''],
  ])
  assert.match(
    diagnostics[0]?.detail ?? '',
    /^remote_schema_permission user permission in remote schema crm: .*field "name" does not exist/,
  )
  // the same plan changes what would not fit
  const both = asking()
  const [looked, changed] = await Promise.all([
    plan(both, 'RemoteSchema', state, crm()),
    plan(both, 'RemoteSchemaPermission', allowed, permission(withoutName)),
  ])
  assert.deepEqual([looked.diagnostics, changed.diagnostics], [[], []])
  remote.answerWith({ status: 500, text: 'away' })
  const away = await plan(asking(), 'RemoteSchema', state, crm())
  assert.deepEqual(away.diagnostics.map(shown), [['warning', 'RemoteSchema crm: its server cannot be read now', '']])
  assert.deepEqual(await inconsistent(), [])
})

test('another reload_when makes the engine ask again, and what is changed along fits', async () => {
  const run = newRun(engine)
  const state = await deploy(run, 'RemoteSchema', null, crm({ reload_when: '1' }))
  const allowed = await deploy(run, 'RemoteSchemaPermission', null, permission(whole))
  remote.serve(nameless)
  const warned = await plan(newRun(engine), 'RemoteSchema', state, crm({ reload_when: '2' }))
  assert.match(warned.diagnostics[0]?.summary ?? '', /its server has changed/)
  const up = newRun(engine)
  const reloaded = await deploy(up, 'RemoteSchema', state, crm({ reload_when: '2' }))
  assert.equal(reloaded.reload_when, '2')
  assert.equal((await inconsistent()).length, 1)
  await deploy(up, 'RemoteSchemaPermission', allowed, permission(withoutName))
  assert.deepEqual(await inconsistent(), [])
})

test('a server that cannot be read is not asked for good: what it served before is served on', async () => {
  const state = await deploy(newRun(engine), 'RemoteSchema', null, crm({ reload_when: '1' }))
  remote.answerWith({ status: 500, text: 'away' })
  const config = crm({ reload_when: '2', comment: 'Who buys' })
  const failed = await apply(newRun(engine), 'RemoteSchema', state, config)
  assert.deepEqual(failed.diagnostics.map(shown), [
    ['error', 'reload_when: its server cannot be read now', 'reload_when'],
  ])
  assert.deepEqual([failed.state?.reload_when, failed.state?.comment], ['1', 'Who buys'])
  assert.deepEqual(await inconsistent(), [])
  remote.answerWith(null)
  const next = await deploy(newRun(engine), 'RemoteSchema', failed.state, config)
  assert.equal(next.reload_when, '2')
})

test('a schema that is none is an error at its attribute, and so is a variable of another engine in a preset', async () => {
  const run = newRun(engine)
  await deploy(run, 'RemoteSchema', null, crm())
  const reported = async (schema: string) =>
    (await plan(newRun(engine), 'RemoteSchemaPermission', null, permission(schema))).diagnostics.map(shown)
  assert.deepEqual(await reported('type Query {'), [
    ['error', 'schema: is no SDL: Syntax Error: Expected Name, found <EOF>. (line 1, column 13)', 'schema'],
  ])
  const [foreign] = await reported(
    'type Query { user(id: Int! @preset(value: "X-Hasura-User-Id")): User } type User { id: Int! }',
  )
  assert.deepEqual([foreign?.[0], foreign?.[2]], ['error', 'schema'])
  assert.match(String(foreign?.[1]), /"X-Hasura-User-Id" is literal text to this engine/)
  const [unknown] = await reported('type Query { nobody: Int }')
  assert.deepEqual([unknown?.[0], unknown?.[2]], ['error', 'schema'])
  assert.match(String(unknown?.[1]), /field "nobody" does not exist/)
})

test('what leads to a remote schema is made and removed with it in any order of a plan', async () => {
  const making = newRun(engine)
  const wanted: readonly (readonly [string, Values])[] = [
    [
      'RemoteTypeRelationship',
      {
        remote_schema: 'crm',
        type_name: 'User',
        name: 'artist',
        to_source: { relationship_type: 'object', source: 'default', table: artist, field_mapping: { id: 'id' } },
      },
    ],
    [
      'RemoteRelationship',
      {
        table: artist,
        name: 'client',
        to_remote_schema: {
          remote_schema: 'crm',
          lhs_fields: ['id'],
          remote_field: '{"user":{"arguments":{"id":"$id"}}}',
        },
      },
    ],
    ['RemoteSchemaPermission', permission(whole)],
    ['RemoteSchema', crm()],
    ['Table', { table: artist }],
  ]
  const planned = await Promise.all(wanted.map(([kind, config]) => plan(making, kind, null, config)))
  assert.deepEqual(
    planned.flatMap(({ diagnostics }) => diagnostics),
    [],
  )
  const made = await Promise.all(wanted.map(([kind, config]) => deploy(making, kind, null, config)))
  assert.deepEqual(await inconsistent(), [])
  const removing = newRun(engine)
  const gone = await Promise.all(wanted.map(([kind], i) => plan(removing, kind, made[i] ?? null, null)))
  assert.deepEqual(
    gone.flatMap(({ diagnostics }) => diagnostics),
    [],
  )
  await Promise.all(
    wanted.map(async ([kind], i) => {
      const { diagnostics } = await removing.apply({ kind, prior: made[i] ?? null, planned: null, config: null })
      assert.deepEqual(diagnostics, [])
    }),
  )
  const { body } = await engine.metadata('export_metadata', {})
  assert.equal(body.remote_schemas, undefined)
})
