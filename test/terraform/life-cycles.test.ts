/** What becomes of objects whose resources are renamed, made anew, replaced or deleted, by the real Terraform. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { sampleTables } from '../../provider/src/resources/samples.fixture.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { createTerraformFolder, events, requiredProvider, withoutTerraform } from './terraform.ts'

const skip = withoutTerraform

async function startStore(t: TestContext): Promise<Engine> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(sampleTables).finally(() => client.end())
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  return engine
}

const objects = async (engine: Engine): Promise<readonly string[]> => {
  const { body } = await engine.metadata('export_metadata', {})
  const [{ tables }] = body.sources
  return (tables ?? []).flatMap((table: Record<string, unknown> & { table: { name: string } }) => [
    table.table.name,
    ...(['select', 'insert', 'update', 'delete'] as const).flatMap((kind) =>
      ((table[`${kind}_permissions`] ?? []) as { role: string }[]).map(
        ({ role }) => `${table.table.name} ${kind} ${role}`,
      ),
    ),
  ])
}

const album = `${requiredProvider}
resource "svc_table" "album" {
  table   = { name = "album" }
  comment = "All of them"
}
resource "svc_select_permission" "album_user" {
  table   = { schema = "public", name = "album" }
  role    = "user"
  columns = ["id"]
  filter  = jsonencode({})
  depends_on = [svc_table.album]
}
`
const byHand = { table: 'album', role: 'hand', permission: { columns: ['id'], check: {} } }
const everything = ['album', 'album select user', 'album insert hand']

async function startAlbum(t: TestContext, provider = '') {
  const engine = await startStore(t)
  const folder = await createTerraformFolder(engine, t)
  await folder.write('main.tf', `${album}provider "svc" { ${provider} }\n`)
  await folder.apply()
  const { status, text } = await engine.metadata('pg_create_insert_permission', byHand)
  assert.equal(status, 200, text)
  return { engine, folder }
}

test('-replace and taint take nothing along that is in a table', { skip }, async (t) => {
  const { engine, folder } = await startAlbum(t)
  await folder.apply('-replace=svc_table.album')
  assert.deepEqual(await objects(engine), everything)
  await folder.succeed('taint', 'svc_table.album')
  await engine.metadata('pg_set_table_customization', { table: 'album', configuration: { comment: 'By hand' } })
  await folder.apply()
  assert.deepEqual(await objects(engine), everything)
  assert.equal(await folder.isChanged(), false)
})

test('a resource under another address keeps its object, and the plan names `moved`', { skip }, async (t) => {
  const { engine, folder } = await startAlbum(t, 'adopt_existing = true')
  await folder.write(
    'main.tf',
    `${album.replaceAll('album" {', 'renamed" {').replace('svc_table.album]', 'svc_table.renamed]')}provider "svc" { adopt_existing = true }\n`,
  )
  const { stdout } = await folder.run('plan', '-json')
  const warnings = events(stdout).flatMap(({ diagnostic }) => (diagnostic ? [diagnostic] : []))
  assert.ok(
    warnings.some(({ detail }) => detail.includes('moved { from')),
    JSON.stringify(warnings),
  )
  await folder.apply()
  assert.deepEqual(await objects(engine), everything)
  assert.equal(await folder.isChanged(), false)
})

test('a delete removes nothing that no resource deletes, and says what that is', { skip }, async (t) => {
  const { engine, folder } = await startAlbum(t)
  const plan = await folder.succeed('plan', '-no-color', '-destroy')
  assert.match(plan, /takes along what is in it\n[^#]*svc_insert_permission hand in table\s+album/)
  const { code, stderr } = await folder.run('destroy', '-no-color', '-auto-approve')
  assert.equal(code, 1)
  assert.match(stderr, /is not deleted: something lies in it that no one deletes/)
  assert.deepEqual(await objects(engine), ['album', 'album insert hand'])
  await folder.write(
    'main.tf',
    album.replace('comment = "All of them"', 'comment = "All of them"\n  force_destroy = true'),
  )
  await folder.apply()
  await folder.succeed('destroy', '-no-color', '-auto-approve')
  assert.deepEqual(await objects(engine), [])
})
