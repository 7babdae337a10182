/** What becomes of objects whose resources are made anew, replaced, taken back or deleted, by the real Pulumi. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { program } from './many-resources.ts'
import { createPulumiProject, nameOf, type PulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

const table = (name: string) => ({ type: 'svc:Table', properties: { table: { name } } })
/** As Pulumi's YAML refers to outputs. */
const output = (path: string) => `$\{${path}}`
const permission = (role: string) => ({
  type: 'svc:SelectPermission',
  properties: { table: output('album.table'), role, columns: ['id'], filter: {} },
})
const editor = { type: 'svc:InheritedRole', properties: { roleName: 'editor', roleSet: [output('user.role')] } }
const stack = { album: table('album'), user: permission('user'), editor }

async function setUp(t: TestContext): Promise<{ readonly engine: Engine; readonly project: PulumiProject }> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client
    .query('CREATE TABLE album (id integer PRIMARY KEY); CREATE TABLE song (id integer PRIMARY KEY)')
    .finally(() => client.end())
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  const project = await createPulumiProject(engine, t)
  project.write('Pulumi.yaml', program(stack))
  await project.up()
  const byHand = { table: 'album', role: 'hand', permission: { columns: ['id'], check: {} } }
  const { status, text } = await engine.metadata('pg_create_insert_permission', byHand)
  assert.equal(status, 200, text)
  return { engine, project }
}

interface Table {
  readonly table: { readonly name: string }
  readonly select_permissions?: readonly { readonly role: string }[]
  readonly insert_permissions?: readonly { readonly role: string }[]
}

async function objects(engine: Engine): Promise<readonly string[]> {
  const { body } = await engine.metadata('export_metadata', {})
  const tables: readonly Table[] = body.sources[0].tables ?? []
  const roles: readonly { readonly role_name: string; readonly role_set: readonly string[] }[] =
    body.inherited_roles ?? []
  return [
    ...tables.flatMap(({ table: { name }, select_permissions = [], insert_permissions = [] }) => [
      name,
      ...[...select_permissions, ...insert_permissions].map(({ role }) => `${name} ${role}`),
    ]),
    ...roles.map(({ role_name, role_set }) => `${role_name}: ${role_set}`),
  ]
}

test('replaced, moved and renamed, a table keeps what is in it and what names it', {
  skip: withoutPulumi,
}, async (t) => {
  const { engine, project } = await setUp(t)
  const everything = (name: string, role = 'user') => [name, `${name} ${role}`, `${name} hand`, `editor: ${role}`]
  const [album] = (await project.resources()).filter((one) => nameOf(one) === 'album')
  // of a forced replacement Pulumi sends no provider what is replaced
  const replace = ['--replace', album?.urn ?? '']
  const refused = await project.run('up', '--yes', '--skip-preview', ...replace)
  assert.match(refused.stdout + refused.stderr, /exists already[\s\S]*up --replace is taken over with adoptExisting/)
  await project.up(...replace, '--config', 'svc:adoptExisting=true')
  await project.run('config', 'rm', 'svc:adoptExisting')
  assert.deepEqual(await objects(engine), everything('album'))

  project.write('Pulumi.yaml', program({ ...stack, album: table('song') }))
  await project.up()
  assert.deepEqual(await objects(engine), everything('song'))
  assert.equal(await project.isChanged('--refresh'), false)

  // the role of a permission that an inherited one is made of
  project.write('Pulumi.yaml', program({ ...stack, album: table('song'), user: permission('guest') }))
  await project.up()
  assert.deepEqual(await objects(engine), everything('song', 'guest'))

  // back again after an update that failed once table and role had changed together
  const failing = { ...table('nothing'), options: { dependsOn: [output('editor')] } }
  project.write('Pulumi.yaml', program({ ...stack, other: failing }))
  assert.notEqual((await project.run('up', '--yes', '--skip-preview')).code, 0)
  assert.deepEqual(await objects(engine), everything('album'))
  project.write('Pulumi.yaml', program({ ...stack, album: table('song') }))
  await project.up()
  assert.deepEqual(await objects(engine), everything('song'))
  assert.equal(await project.isChanged('--refresh'), false)

  // what no resource deletes is not removed
  const { code, stdout, stderr } = await project.run('destroy', '--yes', '--skip-preview')
  assert.notEqual(code, 0)
  assert.match(stdout + stderr, /svc:index:InsertPermission hand in table song/)
  assert.deepEqual(await objects(engine), ['song', 'song hand'])
})
