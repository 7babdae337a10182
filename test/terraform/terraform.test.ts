/** What Terraform itself brings along: addresses of providers, values that are not known yet, lines of files, other spellings. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMusicTables } from '../cli/music-tables.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startMetadataProxy } from './metadata-proxy.ts'
import { createTerraformFolder, events, requiredProvider, SOURCE, VERSION, withoutTerraform } from './terraform.ts'

const skip = withoutTerraform

async function startMusic(t: TestContext): Promise<Engine> {
  const database = await createTestDatabase()
  await createMusicTables(database.url)
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  return engine
}

const artist = `
resource "svc_table" "artist" {
  table = { name = "artist" }
}
`

test('a mistake is shown at its line, with the whole path', { skip }, async (t) => {
  const folder = await createTerraformFolder(await startMusic(t), t)
  await folder.write(
    'main.tf',
    `${requiredProvider}${artist}
resource "svc_select_permission" "artist" {
  table = svc_table.artist.table
  role  = "user"
  columns = [
    "id",
    "nmae",
  ]
  filter = jsonencode({ _and = [{ owner = { _eqq = "x" } }] })
}

resource "svc_select_permission" "other" {
  table   = svc_table.artist.table
  role    = "other"
  columns = ["id"]
  filter  = jsonencode({ _and = [{ owner = { _eqq = "x" } }] })
}
`,
  )
  const { code, stdout } = await folder.run('plan', '-json')
  assert.equal(code, 1)
  const reported = events(stdout).flatMap(({ diagnostic }) => (diagnostic ? [diagnostic] : []))
  assert.deepEqual(reported.map(({ address, snippet }) => [address, snippet?.code.trim().split('\n')[0]]).sort(), [
    ['svc_select_permission.artist', 'columns = ['],
    ['svc_select_permission.other', 'filter  = jsonencode({ _and = [{ owner = { _eqq = "x" } }] })'],
  ])
  const [columns = '', filter = ''] = reported.map(({ summary }) => summary).toSorted()
  assert.match(columns, /^columns\[1\]: .*"nmae"/)
  assert.match(filter, /^filter\._and\[0\]\.owner\._eqq: /)
})

test('a misspelt key of JSON and a key that GraphQL cannot name are shown at their lines, with the remedy', {
  skip,
}, async (t) => {
  const engine = await startMusic(t)
  const sql = 'CREATE TABLE label (id integer, CONSTRAINT "label-key" PRIMARY KEY (id))'
  assert.equal((await engine.post('/v2/query', { type: 'run_sql', args: { sql } })).status, 200)
  const folder = await createTerraformFolder(engine, t)
  const plan = async (resource: string) => {
    await folder.write('main.tf', `${requiredProvider}${resource}`)
    const { stdout } = await folder.run('plan', '-json')
    return events(stdout).flatMap(({ diagnostic }) =>
      diagnostic ? [[diagnostic.summary, diagnostic.snippet?.code.trim()]] : [],
    )
  }
  const returns = `returns_inline = jsonencode({ fields = [{ name = "id", type = { scalar = "integer" }, descripton = "" }] })`
  assert.deepEqual(
    await plan(`resource "svc_native_query" "q" {
  root_field_name = "q"
  code = "SELECT 1 AS id"
  ${returns}
}
`),
    [['returns_inline.fields[0].descripton: there is no such key, did you mean "description"?', returns]],
  )
  const [[summary = '', line] = []] = await plan(`resource "svc_table" "label" {
  table = { name = "label" }
}
`)
  assert.match(summary, /^table: .*ALTER TABLE "public"\."label" RENAME CONSTRAINT "label-key" TO label_key$/)
  assert.equal(line, 'table = { name = "label" }')
})

test('other spellings of the same are no difference', { skip }, async (t) => {
  const engine = await startMusic(t)
  const folder = await createTerraformFolder(engine, t)
  const declare = (columns: string, filter: string, limit: string) =>
    folder.write(
      'main.tf',
      `${requiredProvider}${artist}
resource "svc_select_permission" "artist" {
  table   = svc_table.artist.table
  role    = "user"
  columns = ${columns}
  filter  = ${filter}
  limit   = ${limit}
}
`,
    )
  await declare('["name", "id"]', `jsonencode({ owner = { _eq = "X" }, id = { _gt = 1 } })`, '10')
  await folder.apply()
  assert.equal(await folder.isChanged(), false)
  await declare('["id", "name", "id"]', `"{ \\"id\\": {\\"_gt\\": 1.0}, \\"owner\\": {\\"_eq\\": \\"X\\"} }"`, '"10"')
  assert.equal(await folder.isChanged(), false)
  const drop = { table: 'artist', role: 'user' }
  await engine.metadata('pg_drop_select_permission', drop)
  const permission = { columns: ['name', 'id'], filter: { id: { _gt: 1 }, owner: { _eq: 'X' } }, limit: 10 }
  await engine.metadata('pg_create_select_permission', { ...drop, permission })
  assert.equal(await folder.isChanged(), false)
})

test('an engine that is made in the same apply is one warning in its plan', { skip }, async (t) => {
  const engine = await startMusic(t)
  const folder = await createTerraformFolder(engine, t)
  folder.environment.SVC_GRAPHQL_ENDPOINT = undefined
  await folder.write(
    'main.tf',
    `${requiredProvider}
resource "terraform_data" "engine" {
  input = "${engine.url}"
}

provider "svc" {
  endpoint = terraform_data.engine.output
}
${artist}
resource "svc_table" "album" {
  table = { name = "album" }
}
`,
  )
  const { code, stdout } = await folder.run('plan', '-json')
  assert.equal(code, 0, stdout)
  const reported = events(stdout).flatMap(({ diagnostic }) => (diagnostic ? [diagnostic.severity] : []))
  assert.deepEqual(reported, ['warning'])
  assert.match(await folder.apply(), /3 added/)
  assert.equal(await folder.isChanged(), false)
})

test('without an endpoint it says what to give', { skip }, async (t) => {
  const folder = await createTerraformFolder({ url: '', secret: '' }, t)
  folder.environment.SVC_GRAPHQL_ENDPOINT = undefined
  await folder.write('main.tf', `${requiredProvider}${artist}`)
  const { stderr } = await folder.run('plan', '-no-color')
  assert.match(stderr, /endpoint is required[\s\S]*SVC_GRAPHQL_ENDPOINT/)
})

test('two engines are managed side by side by two configurations of the provider', { skip }, async (t) => {
  const [one, other] = [await startMusic(t), await startMusic(t)]
  const folder = await createTerraformFolder(one, t)
  await folder.write(
    'main.tf',
    `${requiredProvider}
provider "svc" {
  alias    = "other"
  endpoint = "${other.url}"
}
${artist}
resource "svc_table" "other" {
  provider = svc.other
  table    = { name = "album" }
}
`,
  )
  await folder.apply()
  const tables = async (engine: Engine) =>
    (await engine.metadata('export_metadata', {})).body.sources[0].tables.map(
      ({ table }: { table: { name: string } }) => table.name,
    )
  assert.deepEqual([await tables(one), await tables(other)], [['artist'], ['album']])
})

test('a resource moves from the provider under another address', { skip }, async (t) => {
  const engine = await startMusic(t)
  const folder = await createTerraformFolder(engine, t, [SOURCE, 'mirror.example.com/acme/svc'])
  const from = (source: string) =>
    `terraform {\n  required_providers {\n    svc = { source = "${source}", version = "${VERSION}" }\n  }\n}\n`
  await folder.write('main.tf', `${from('mirror.example.com/acme/svc')}${artist}`)
  await folder.apply()
  await folder.write(
    'main.tf',
    `${from('svc/svc')}
moved {
  from = svc_table.artist
  to   = svc_table.renamed
}

resource "svc_table" "renamed" {
  table = { name = "artist" }
}
`,
  )
  await folder.succeed('init', '-no-color')
  assert.match(await folder.apply(), /0 added, 0 changed, 0 destroyed/)
  assert.equal((await folder.state()).resources[0]?.name, 'renamed')
  assert.equal(await folder.isChanged(), false)
})

test('it runs below a package of ES modules, with any working directory and the Node that is installed', {
  skip,
}, async (t) => {
  const folder = await createTerraformFolder(await startMusic(t), t)
  folder.environment.PATH = process.env.PATH
  await folder.write('package.json', '{ "type": "module" }')
  await folder.write('main.tf', `${requiredProvider}${artist}`)
  assert.equal(await folder.isChanged(), true)
})

test('where Node is missing the error says so', { skip }, async (t) => {
  const folder = await createTerraformFolder(await startMusic(t), t)
  await folder.write('main.tf', `${requiredProvider}${artist}`)
  await folder.succeed('init', '-no-color')
  const bin = await mkdtemp(join(tmpdir(), 'svc-bin-'))
  t.after(() => rm(bin, { recursive: true }))
  for (const program of ['terraform', 'sh'])
    await symlink(spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim(), join(bin, program))
  folder.environment.PATH = bin
  const { stderr } = await folder.run('plan', '-no-color')
  assert.match(stderr.replace(/\s+/g, ' '), /Node\.js was not found: this provider needs version 20 or later/)
})

test('the engine receives who changes it, and a plan that shows no difference writes nothing', { skip }, async (t) => {
  const engine = await startMusic(t)
  const proxy = await startMetadataProxy(engine, t)
  const folder = await createTerraformFolder(proxy, t)
  folder.environment.GITHUB_RUN_ID = '77'
  folder.environment.GITHUB_REPOSITORY = 'a/b'
  await folder.write('main.tf', `${requiredProvider}${artist}`)
  await folder.apply()
  const [write] = proxy.writes()
  assert.match(String(write?.headers['x-svc-actor']), /github a\/b run 77/)
  assert.match(String(write?.headers['user-agent']), /terraform/)
  proxy.forget()
  assert.deepEqual(await folder.applied(), [])
  assert.equal(proxy.writes().length, 0)
})

test('a change of timeouts changes nothing in the engine', { skip }, async (t) => {
  const engine = await startMusic(t)
  const proxy = await startMetadataProxy(engine, t)
  const folder = await createTerraformFolder(proxy, t)
  await folder.write('main.tf', `${requiredProvider}${artist}`)
  await folder.apply()
  await folder.write(
    'main.tf',
    `${requiredProvider}
resource "svc_table" "artist" {
  table    = { name = "artist" }
  timeouts = { create = "1m", delete = "30s" }
}
`,
  )
  proxy.forget()
  assert.deepEqual(await folder.applied(), ['svc_table.artist update'])
  assert.equal(await folder.isChanged(), false)
  assert.equal(proxy.writes().length, 0)
  await folder.succeed('destroy', '-no-color', '-auto-approve')
})
