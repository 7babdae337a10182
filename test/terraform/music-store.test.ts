/** The life of a whole stack, with the music store of examples/. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { loadMusicStore } from '../../examples/music-store/load.ts'
import { readMetadataFrom } from '../../provider/src/index.ts'
import {
  diffDocuments,
  keyedObject,
  type MetadataDocument,
  objectName,
  readMetadata,
  writeMetadata,
} from '../../schema/src/index.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { createTerraformFolder, requiredProvider, withoutTerraform } from './terraform.ts'

const example = fileURLToPath(new URL('../../examples/music-store', import.meta.url))

async function startStore(t: TestContext): Promise<Engine> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await loadMusicStore(client).finally(() => client.end())
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  return engine
}

async function documentOf(engine: Engine): Promise<MetadataDocument> {
  return documentFrom((await engine.metadata('export_metadata', {})).body)
}

/** The order of a permission's columns says nothing, and Terraform's sets have none. */
function documentFrom(metadata: unknown): MetadataDocument {
  const read = readMetadata(
    JSON.parse(JSON.stringify(metadata), (key, json) =>
      key === 'columns' && Array.isArray(json) ? json.toSorted() : json,
    ),
  )
  assert.ok(read.ok)
  return read.document
}

const differences = (a: MetadataDocument, b: MetadataDocument) =>
  diffDocuments(a, b).map(
    ({ change, address, new: now }) => `${change} ${objectName(keyedObject(now ? b : a, address)).name}`,
  )

test('the music store is made, served, corrected, imported and destroyed', { skip: withoutTerraform }, async (t) => {
  const engine = await startStore(t)
  const folder = await createTerraformFolder(engine, t)
  await folder.copy(`${example}/terraform`)
  const wanted = documentFrom(writeMetadata((await readMetadataFrom(`${example}/metadata`)).document))

  await t.test('an apply to an engine without metadata declares what the directory does', async () => {
    assert.match(await folder.apply(), /Apply complete! Resources: 81 added, 0 changed, 0 destroyed/)
    assert.deepEqual(differences(await documentOf(engine), wanted), [])
  })

  await t.test('a second plan is empty', async () => {
    assert.equal(await folder.isChanged(), false)
  })

  await t.test('a restricted role sees what it may', async () => {
    const query = '{ customer { first_name invoices(limit: 1, order_by: { id: asc }) { id } } }'
    const role = { 'x-svc-role': 'customer', 'x-svc-customer-id': '6' }
    const { body } = await engine.post('/v1/graphql', { query }, role)
    assert.equal(body.data?.customer.length, 1, JSON.stringify(body))
    const refused = await engine.post('/v1/graphql', { query }, { 'x-svc-role': 'listener' })
    assert.match(refused.text, /field 'customer' not found/)
  })

  await t.test('an undeclared change and removal are found, and an apply corrects them', async () => {
    const table = { schema: 'public', name: 'customer' }
    const role = { source: 'default', table, role: 'customer' }
    await engine.metadata('pg_drop_select_permission', role)
    const permission = { columns: '*', filter: {} }
    await engine.metadata('pg_create_select_permission', { ...role, permission })
    await engine.metadata('pg_drop_relationship', { source: 'default', table, relationship: 'invoices' })
    assert.deepEqual([...(await folder.applied())].sort(), [
      'svc_array_relationship.to_many["customer.invoices"] create',
      'svc_select_permission.customer_themselves update',
    ])
    assert.deepEqual(differences(await documentOf(engine), wanted), [])
    assert.equal(await folder.isChanged(), false)
  })

  await t.test('everything is imported into an empty state, and the plan after it is empty', async () => {
    const ids = (await folder.state()).resources.flatMap(({ type, name, instances }) =>
      instances.map(({ index_key, attributes }) => ({
        to: `${type}.${name}${index_key === undefined ? '' : `["${index_key}"]`}`,
        id: String(attributes.id),
      })),
    )
    assert.equal(ids.length, 81)
    const other = await createTerraformFolder(engine, t)
    await other.copy(`${example}/terraform`)
    await other.write('imports.tf', ids.map(({ to, id }) => `import {\n  to = ${to}\n  id = "${id}"\n}\n`).join(''))
    const version = async () => (await engine.metadata('export_metadata', {}, { version: 2 })).body.resource_version
    const before = await version()
    assert.match(await other.apply(), /Resources: 81 imported, 0 added, 0 changed, 0 destroyed/)
    assert.equal(await version(), before)
    assert.equal(await other.isChanged(), false)
  })

  await t.test('a destruction leaves nothing', async () => {
    await folder.succeed('destroy', '-no-color', '-auto-approve')
    const { body } = await engine.metadata('export_metadata', {})
    assert.deepEqual(body.sources ?? [], [])
    assert.equal((await folder.state()).resources.length, 0)
  })
})

test('a configuration is written from what is imported, and its plan is empty', {
  skip: withoutTerraform,
}, async (t) => {
  const engine = await startStore(t)
  const made = await createTerraformFolder(engine, t)
  await made.copy(`${example}/terraform`)
  await made.apply()
  const folder = await createTerraformFolder(engine, t)
  const imports = [
    ['svc_source.a', 'default'],
    ['svc_table.a', 'default/public/employee'],
    ['svc_table.b', 'default/public/playlist_track'],
    ['svc_object_relationship.a', 'default/public/customer/sales'],
    ['svc_object_relationship.b', 'default/public/employee/manager'],
    ['svc_array_relationship.a', 'default/public/album/tracks'],
    ['svc_select_permission.a', 'default/public/customer/customer'],
    ['svc_select_permission.b', 'default/public/customer/employee'],
  ]
  const blocks = imports.map(([to, id]) => `import {\n  to = ${to}\n  id = "${id}"\n}\n`)
  await folder.write('main.tf', `${requiredProvider}${blocks.join('')}`)
  await folder.succeed('plan', '-no-color', '-generate-config-out=generated.tf')
  assert.match(await folder.apply(), /8 imported, 0 added, 0 changed, 0 destroyed/)
  assert.equal(await folder.isChanged(), false)
})
