import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Json, type JsonObject, type MetadataDocument, readMetadata } from '@svc/schema'
import { planRequest } from './apply-plan.ts'
import { notServedYet } from './not-served.ts'
import { type Plan, planChanges } from './plan.ts'

function documentOf(tables: Json, more: JsonObject = {}): MetadataDocument {
  const configuration = { connection_info: { database_url: 'postgres://u:pw@h/db' } }
  const read = readMetadata({ version: 3, sources: [{ name: 'default', configuration, tables }], ...more })
  assert.ok(read.ok, JSON.stringify(read))
  return read.document
}

const permission = (columns: readonly string[]) => ({ role: 'user', permission: { columns, filter: {} } })
const album = {
  table: 'album',
  object_relationships: [{ name: 'artist', using: { foreign_key_constraint_on: 'artist_id' } }],
  select_permissions: [permission(['id'])],
}

const shown = (plan: Plan) =>
  plan.changes.map(
    ({ change, name, operations }) =>
      `${change} ${name.name}: ${operations?.map(({ type }) => type).join(' ') ?? 'replace'}`,
  )

test('a table is tracked before what stands on it and dropped with it', () => {
  const [before, after] = [documentOf([]), documentOf([album])]
  assert.deepEqual(shown(planChanges(before, after)), [
    'create table album in source default: pg_track_table',
    'create object_relation artist in table album in source default: pg_create_object_relationship',
    'create select_permission user in table album in source default: pg_create_select_permission',
  ])
  assert.deepEqual(shown(planChanges(after, before)), [
    'delete select_permission user in table album in source default: ',
    'delete object_relation artist in table album in source default: ',
    'delete table album in source default: pg_untrack_table',
  ])
})

test('drops come before creations, so that names are free', () => {
  const array = {
    table: 'album',
    array_relationships: [{ name: 'artist', using: { foreign_key_constraint_on: { table: 'artist', column: 'id' } } }],
  }
  assert.deepEqual(shown(planChanges(documentOf([album]), documentOf([array]))), [
    'delete select_permission user in table album in source default: pg_drop_select_permission',
    'delete object_relation artist in table album in source default: pg_drop_relationship',
    'create array_relation artist in table album in source default: pg_create_array_relationship',
  ])
})

test('an update is the least that does it', () => {
  const updated = (change: JsonObject) => shown(planChanges(documentOf([album]), documentOf([{ ...album, ...change }])))
  assert.deepEqual(updated({ select_permissions: [permission(['id', 'title'])] }), [
    'update select_permission user in table album in source default: pg_drop_select_permission pg_create_select_permission',
  ])
  assert.deepEqual(updated({ select_permissions: [{ ...permission(['id']), comment: 'c' }] }), [
    'update select_permission user in table album in source default: pg_set_permission_comment',
  ])
  assert.deepEqual(updated({ configuration: { custom_name: 'record' } }), [
    'update table album in source default: pg_set_table_customization',
  ])
  assert.deepEqual(updated({ apollo_federation_config: { enable: 'v1' } }), [
    'update table album in source default: pg_set_apollo_federation_config',
  ])
  assert.deepEqual(updated({ logical_model: 'row' }), ['update table album in source default: replace'])
  assert.deepEqual(updated({ is_enum: true }), ['update table album in source default: pg_set_table_is_enum'])
})

test('the differences of an update are reported by path', () => {
  const plan = planChanges(
    documentOf([album]),
    documentOf([{ ...album, select_permissions: [permission(['id', 'title'])] }]),
  )
  assert.deepEqual(plan.changes[0]?.differences, [
    { path: ['permission', 'columns'], old: ['id'], new: ['id', 'title'] },
  ])
})

test('a source is added, updated by its parts, and dropped with everything in it', () => {
  const empty = documentOf([])
  const none = { children: {} }
  assert.deepEqual(shown(planChanges(none, empty)), ['create source default: pg_add_source'])
  assert.deepEqual(shown(planChanges(documentOf([album]), none)).at(-1), 'delete source default: pg_drop_source')
  const read = readMetadata({
    version: 3,
    sources: [
      {
        name: 'default',
        configuration: { connection_info: { database_url: 'x' } },
        customization: { root_fields: { prefix: 'p' } },
      },
    ],
  })
  assert.ok(read.ok)
  const [change] = planChanges(empty, read.document).changes
  assert.deepEqual(Object.keys(change?.operations?.[0]?.args as JsonObject).sort(), [
    'configuration',
    'customization',
    'name',
  ])
})

test('what is in no source is changed by its operations as well', () => {
  const [before, after] = [
    documentOf([album]),
    documentOf([album], { inherited_roles: [{ role_name: 'r', role_set: ['user'] }] }),
  ]
  assert.deepEqual(shown(planChanges(before, after)), ['create inherited_role inherited role r: add_inherited_role'])
  assert.deepEqual(shown(planChanges(after, before)), ['delete inherited_role inherited role r: drop_inherited_role'])
})

test('what is in no source is changed by operations that name where it is', () => {
  const action = { name: 'buy', definition: { handler: 'http://127.0.0.1/', output_type: 'Int' } }
  const remote = { name: 'crm', definition: { url: 'http://127.0.0.1/' } }
  const schema = 'type Query { a: Int }'
  const [before, after] = [
    documentOf([], { actions: [action], remote_schemas: [remote] }),
    documentOf([], {
      actions: [{ ...action, permissions: [{ role: 'user' }] }],
      remote_schemas: [{ ...remote, permissions: [{ role: 'user', definition: { schema } }] }],
    }),
  ]
  assert.deepEqual(
    planChanges(before, after).changes.map(({ operations }) => operations?.[0]?.args),
    [
      { remote_schema: 'crm', role: 'user', definition: { schema } },
      { action: 'buy', role: 'user' },
    ],
  )
})

test('a schema that says the same in other words is no change', () => {
  const remote = (schema: string) =>
    documentOf([], {
      remote_schemas: [
        {
          name: 'crm',
          definition: { url: 'http://127.0.0.1/' },
          permissions: [{ role: 'user', definition: { schema } }],
        },
      ],
    })
  const before = remote('type Query { a(b: Int @preset(value: 1), c: Int): Int  d: Int }')
  const same = remote('# the root\ntype Query {\n  "of d" d: Int\n  a(c: Int, b: Int @preset(value: 1)): Int\n}')
  assert.deepEqual(planChanges(before, same).changes, [])
  const other = remote('type Query { a(b: Int @preset(value: 2), c: Int): Int  d: Int }')
  assert.equal(planChanges(before, other).changes.length, 1)
})

test('one request: an atomic bulk, or a replacement where a part has no operation', () => {
  const options = { resourceVersion: 7, allowInconsistent: false }
  const plan = planChanges(documentOf([]), documentOf([album]))
  const { envelope, members } = planRequest(plan, options)
  assert.equal(envelope.type, 'bulk_atomic')
  assert.equal(envelope.resource_version, 7)
  assert.equal(members?.length, 3)
  const others = { backend_configs: { dataconnector: { agent: { uri: 'http://agent.example' } } } }
  const replacing = planRequest(planChanges(documentOf([]), documentOf([album], others)), options)
  assert.equal(replacing.envelope.type, 'replace_metadata')
  assert.equal(replacing.envelope.resource_version, 7)
  assert.equal(replacing.members, null)
  assert.equal(planRequest(plan, { ...options, allowInconsistent: true }).envelope.type, 'replace_metadata')
})

test('equal documents need nothing, however they are spelled', () => {
  const respelled = { ...album, table: { schema: 'public', name: 'album' }, is_enum: false }
  assert.deepEqual(planChanges(documentOf([album]), documentOf([respelled])).changes, [])
})

test('what is not served yet is counted by kind', () => {
  const document = documentOf([album], {
    inherited_roles: [{ role_name: 'r', role_set: ['a'] }],
    query_collections: [{ name: 'q', definition: { queries: [] } }],
    backend_configs: { dataconnector: { agent: { uri: 'http://agent.example' } } },
  })
  assert.deepEqual([...notServedYet(document)], [['backend configs', 1]])
})
