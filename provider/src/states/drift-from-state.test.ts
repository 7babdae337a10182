import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonObject, type MetadataDocument, readMetadata } from '@svc/schema'
import { StateError } from '../core/index.ts'
import { driftFromState } from './drift-from-state.ts'
import { readToolState } from './read-tool-state.ts'

const permission = {
  role: 'user',
  permission: { columns: ['title', 'id'], filter: { owner: { _eq: 'X-Svc-User-Id' } }, limit: 5 },
}

const url = 'postgres://svc:hunter22@db/music'

function live(change: (album: JsonObject) => JsonObject = (album) => album, databaseUrl = url): MetadataDocument {
  const read = readMetadata({
    version: 3,
    sources: [
      {
        name: 'default',
        kind: 'postgres',
        configuration: { connection_info: { database_url: databaseUrl } },
        tables: [change({ table: { schema: 'public', name: 'album' }, select_permissions: [permission] })],
      },
    ],
  })
  assert.ok(read.ok)
  return read.document
}

const terraformState = (...resources: readonly JsonObject[]) =>
  JSON.stringify({ version: 4, terraform_version: '1.11.0', lineage: 'x', serial: 3, resources })

const instance = (type: string, name: string, attributes: JsonObject, more: JsonObject = {}): JsonObject => ({
  mode: 'managed',
  type,
  name,
  provider: 'provider["registry.terraform.io/svc/svc"]',
  instances: [{ schema_version: 0, attributes, ...more }],
})

const permissionInTerraform = {
  id: 'default/public/album/user',
  source: 'default',
  table: { schema: 'public', name: 'album' },
  role: 'user',
  columns: ['id', 'title'],
  all_columns: false,
  filter: '{ "owner": {"_eq": "X-Svc-User-Id"} }',
  limit: 5,
  allow_aggregations: false,
}

const SECRET = { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270' }

const stack = (...resources: readonly JsonObject[]) => JSON.stringify({ version: 3, deployment: { resources } })

const inStack = (type: string, name: string, outputs: JsonObject, more: JsonObject = {}): JsonObject => ({
  urn: `urn:pulumi:dev::store::svc:index:${type}::${name}`,
  custom: true,
  type: `svc:index:${type}`,
  outputs,
  ...more,
})

const permissionInPulumi = {
  source: 'default',
  table: { schema: 'public', name: 'album' },
  role: 'user',
  columns: ['id', 'title'],
  allColumns: false,
  filter: { owner: { _eq: 'X-Svc-User-Id' } },
  limit: 5,
  allowAggregations: false,
}

function drift(text: string, document: MetadataDocument) {
  const state = readToolState(text, 'state')
  assert.ok(state)
  return driftFromState(state, document).map(({ change, name, resource, differences }) => ({
    change,
    name: name.name,
    resource,
    differences: differences.map(({ path, old, new: now }) => [path.join('.'), old, now]),
  }))
}

const states = {
  Terraform: terraformState(instance('svc_select_permission', 'listeners', permissionInTerraform, { index_key: 'a' })),
  Pulumi: stack(inStack('SelectPermission', 'listeners', permissionInPulumi)),
}

for (const [tool, text] of Object.entries(states)) {
  const name = 'select_permission user in table album in source default'
  const resource = tool === 'Terraform' ? 'svc_select_permission.listeners["a"]' : 'listeners'

  test(`what a state of ${tool} says in other words is no drift`, () => {
    assert.deepEqual(drift(text, live()), [])
  })

  test(`an object of a state of ${tool} that is gone is reported with its resource`, () => {
    const document = live((album) => ({ ...album, select_permissions: [] }))
    assert.deepEqual(drift(text, document), [{ change: 'delete', name, resource, differences: [] }])
  })

  test(`what differs from a state of ${tool} is reported attribute by attribute, by its own names`, () => {
    const changed = { columns: '*', filter: { owner: { _eq: 'X-Svc-Owner' } }, limit: 5 }
    const document = live((album) => ({ ...album, select_permissions: [{ role: 'user', permission: changed }] }))
    assert.deepEqual(drift(text, document), [
      {
        change: 'update',
        name,
        resource,
        differences: [
          ['columns', ['id', 'title'], null],
          [tool === 'Terraform' ? 'all_columns' : 'allColumns', false, true],
          ['filter.owner._eq', 'X-Svc-User-Id', 'X-Svc-Owner'],
        ],
      },
    ])
  })
}

test('a secret in the clear is compared and not shown', () => {
  const state = terraformState(instance('svc_source', 'default', { id: 'default', name: 'default', database_url: url }))
  assert.deepEqual(drift(state, live()), [])
  const differing = drift(state, live(undefined, url.replace('hunter22', 'hunter23')))
  assert.deepEqual(differing[0]?.differences, [['database_url', '***', '***']])
})

test('a secret that Pulumi encrypted is not compared, but all else is', () => {
  const outputs = { name: 'default', databaseUrl: { ...SECRET, ciphertext: 'v1:xyz' }, isolationLevel: 'serializable' }
  const text = stack(inStack('Source', 'store', outputs))
  assert.deepEqual(
    readToolState(text, 'state')?.resources.map(({ encrypted }) => encrypted),
    [[['database_url']]],
  )
  assert.deepEqual(drift(text, live())[0]?.differences, [['isolationLevel', 'serializable', 'read-committed']])
})

test('a secret that Pulumi exported in the clear is compared', () => {
  const outputs = (secret: string) => ({
    name: 'default',
    databaseUrl: { ...SECRET, plaintext: JSON.stringify(secret) },
  })
  assert.deepEqual(drift(stack(inStack('Source', 'store', outputs(url))), live()), [])
  const differing = drift(stack(inStack('Source', 'store', outputs('postgres://old@db/music'))), live())
  assert.deepEqual(differing[0]?.differences, [['databaseUrl', '***', '***']])
})

test('what a stack only read, or is about to delete, is not its own', () => {
  const gone = { ...permissionInPulumi, role: 'nobody' }
  for (const more of [{ external: true }, { delete: true }, { custom: false }])
    assert.deepEqual(drift(stack(inStack('SelectPermission', 'x', gone, more)), live()), [])
})

test('what Terraform only reads, deposed or leaves to other providers is not compared', () => {
  const gone = { ...permissionInTerraform, role: 'nobody' }
  const state = terraformState(
    { ...instance('svc_metadata', 'all', {}), mode: 'data' },
    instance('svc_select_permission', 'old', gone, { deposed: '0a1b' }),
    instance('null_resource', 'x', {}),
  )
  assert.deepEqual(drift(state, live()), [])
})

test('resources of kinds and versions that are not known are reported, not passed over', () => {
  const state = readToolState(
    terraformState(
      instance('svc_from_the_future', 'x', {}),
      instance('svc_table', 'x', { table: { name: 'album' } }, { schema_version: 99 }),
    ),
    'state',
  )
  assert.deepEqual(state?.unknown, ['svc_from_the_future', 'svc_table'])
  assert.deepEqual(state?.resources, [])
  const later = readToolState(stack(inStack('Table', 'x', { table: { name: 'album' }, __version: 99 })), 'stack')
  assert.deepEqual(later?.unknown, ['svc:index:Table'])
  assert.deepEqual(later?.resources, [])
})

test('states of other versions are refused with what to do, other files are none of a tool', () => {
  const refused = (json: object, message: RegExp) =>
    assert.throws(
      () => readToolState(JSON.stringify(json), 'x.json'),
      (error) => error instanceof StateError && message.test(error.message),
    )
  refused({ version: 3, terraform_version: '0.11', modules: [] }, /x\.json: .*`terraform state pull` writes one/)
  refused({ format_version: '1.0', terraform_version: '1.11.0', values: {} }, /`terraform state pull` writes one/)
  refused({ version: 2, deployment: {} }, /`pulumi stack export` writes one/)
  refused({ encrypted_data: '…', meta: {} }, /is encrypted/)
  for (const text of ['', '[]', '{"version":1,"endpoint":"x"}']) assert.equal(readToolState(text, 'x'), null)
})
