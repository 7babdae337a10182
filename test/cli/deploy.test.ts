/** `svc deploy`: a project with a source of its own, from nothing, again, and where a step fails. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { runCli } from '../../provider/src/cli/index.ts'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { createSvcFolder } from './svc.ts'

describe('svc deploy', () => {
  let engine: Engine
  let url: string
  before(async () => {
    url = (await createTestDatabase()).url
    engine = await startEngine({ env: { SHOP_DATABASE_URL: url } })
  })
  after(() => engine.stop())
  beforeEach(async () => {
    await engine.metadata('replace_metadata', { version: 3, sources: [] })
    await engine.metadata('set_catalog_state', { type: 'cli', state: {} })
    await runOnDatabase(url, 'DROP SCHEMA IF EXISTS svc_migrations CASCADE; DROP TABLE IF EXISTS item, other')
  })

  const columns = async () => {
    const { body } = await engine.post('/v1/graphql', { query: '{ __type(name: "item") { fields { name } } }' })
    return body.data.__type?.fields.map(({ name }: { name: string }) => name) ?? null
  }
  const files: Readonly<Record<string, string>> = {
    'metadata/version.yaml': 'version: 3\n',
    'metadata/databases/databases.yaml': `- name: shop
  kind: postgres
  configuration: {connection_info: {database_url: {from_env: SHOP_DATABASE_URL}}}
  tables:
    - table: {schema: public, name: item}
      select_permissions:
        - {role: user, permission: {columns: [id], filter: {}}}
`,
    'migrations/shop/1_item/up.sql': 'CREATE TABLE item (id int PRIMARY KEY);',
    'migrations/shop/2_more/up.sql': 'ALTER TABLE item ADD title text;',
  }
  async function projectOf(t: TestContext, more: Readonly<Record<string, string>> = {}) {
    const folder = await createSvcFolder(engine, t)
    for (const [file, text] of Object.entries({ ...files, ...more })) await folder.write(file, text)
    const deploy = async (...args: readonly string[]) => {
      const texts = { out: '', err: '' }
      const code = await runCli(['deploy', ...args], {
        cwd: folder.path,
        environment: { SVC_GRAPHQL_ENDPOINT: engine.url, SVC_GRAPHQL_ADMIN_SECRET: engine.secret },
        out: { write: (text) => (texts.out += text) },
        problems: { write: (text) => (texts.err += text) },
        signal: new AbortController().signal,
      })
      return { code, ...texts }
    }
    return { folder, deploy }
  }

  test('adds the source, runs its migrations and applies metadata; a second run does nothing', async (t) => {
    const { deploy } = await projectOf(t)
    const tried = await deploy('--dry-run')
    assert.deepEqual(
      [tried.code, tried.out],
      [
        0,
        'sources: source shop would be added\nshop: 2 migrations, of which those would be applied that its database lacks\nmetadata: 3 to create, 0 to update, 0 to delete\nmetadata: checked by the engine once the steps before it are done\n',
      ],
      tried.err,
    )
    assert.equal(await columns(), null)
    const first = await deploy()
    assert.equal(first.code, 0, first.err)
    assert.equal(
      first.out,
      'sources: source shop added\nshop: 1_item applied\nshop: 2_more applied\nmetadata: 2 to create, 0 to update, 0 to delete\nMetadata applied\n',
    )
    assert.deepEqual(await columns(), ['id', 'title'])
    const again = await deploy()
    assert.deepEqual(
      [again.code, again.out],
      [0, 'sources: nothing to do\nshop: nothing to do\nmetadata: nothing to do\nMetadata unchanged\n'],
    )
    const judged = await deploy('--dry-run', '--json')
    assert.deepEqual(JSON.parse(judged.out), {
      dry_run: true,
      sources: [],
      migrations: [{ source: 'shop', done: [], done_elsewhere: [], failed: null }],
      metadata: { stored: false, changes: [], inconsistent: [], resource_version: null },
      error: null,
    })
  })

  test('what fails leaves the steps before it, says so, and the next run goes on from there', async (t) => {
    const { deploy, folder } = await projectOf(t, { 'migrations/shop/2_more/up.sql': 'ALTER TABLE nowhere ADD a int;' })
    const failed = await deploy('--json')
    assert.equal(failed.code, 1)
    const report = JSON.parse(failed.out)
    assert.deepEqual(
      [report.sources, report.migrations[0].done, report.metadata],
      [
        [{ change: 'create', name: 'source shop', differences: [] }],
        [{ version: '1', name: 'item', direction: 'up' }],
        null,
      ],
    )
    assert.match(
      report.error,
      /2_more: relation "nowhere" does not exist: nothing of it was stored.*run `svc deploy` again$/,
    )
    await folder.write('migrations/shop/2_more/up.sql', 'ALTER TABLE item ADD title text;')
    await folder.write(
      'metadata/databases/databases.yaml',
      (files['metadata/databases/databases.yaml'] ?? '').replace('[id]', '[id, price]'),
    )
    const refused = await deploy()
    assert.equal(refused.code, 1)
    assert.equal(
      refused.out,
      'sources: nothing to do\nshop: 2_more applied\nmetadata: 2 to create, 0 to update, 0 to delete\n',
    )
    assert.match(
      refused.err,
      /column "price" does not exist[\s\S]*error: metadata: .*Sources and migrations are done and stay/,
    )
    await folder.write('migrations/shop/3_price/up.sql', 'ALTER TABLE item ADD price int;')
    const done = await deploy()
    assert.deepEqual([done.code, await columns()], [0, ['id', 'price', 'title']], done.err)
  })

  test('a migration takes a column away and metadata its mention, in one run', async (t) => {
    const mention = (files['metadata/databases/databases.yaml'] ?? '').replace('[id]', '[id, title]')
    const { deploy, folder } = await projectOf(t, { 'metadata/databases/databases.yaml': mention })
    assert.equal((await deploy()).code, 0)
    await folder.write('migrations/shop/3_less/up.sql', 'ALTER TABLE item DROP title;')
    await folder.write('metadata/databases/databases.yaml', files['metadata/databases/databases.yaml'] ?? '')
    const { code, err } = await deploy()
    assert.deepEqual([code, await columns()], [0, ['id']], err)
  })

  test('what would be half a deployment is refused before anything is done', async (t) => {
    const stray = await projectOf(t, { 'migrations/elsewhere/1_a/up.sql': 'SELECT 1' })
    const refused = await stray.deploy()
    assert.deepEqual([refused.code, refused.out], [1, ''])
    assert.match(refused.err, /migrations\/elsewhere: the metadata has no source elsewhere/)
    const broken = await projectOf(t, {
      'migrations/shop/2_more/up.sql': '-- svc: no transaction\nSELECT 1; SELECT nonsense',
    })
    assert.equal((await broken.deploy()).code, 1)
    const half = await broken.deploy()
    assert.deepEqual([half.code, half.out], [1, ''])
    assert.match(half.err, /shop: 2: half applied/)
    const wrong = await projectOf(t, { 'metadata/cron_triggers.yaml': '- nonsense: 1\n' })
    const unread = await wrong.deploy()
    assert.deepEqual([unread.code, unread.out], [1, ''])
    assert.match(unread.err, /cron_triggers.yaml/)
  })

  test('a source that cannot be reached is not added', async (t) => {
    const databases = (files['metadata/databases/databases.yaml'] ?? '').replace(
      '{from_env: SHOP_DATABASE_URL}',
      'postgres://u:canary@127.0.0.1:1/none',
    )
    const { deploy } = await projectOf(t, { 'metadata/databases/databases.yaml': databases })
    const { code, out, err } = await deploy()
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /refused {2}source shop[\s\S]*error: sources: nothing was changed/)
    assert.doesNotMatch(err, /canary/)
    assert.deepEqual((await engine.metadata('export_metadata', {})).body.sources, [])
  })
})
