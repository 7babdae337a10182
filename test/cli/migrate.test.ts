/** `svc migrate` on a real engine: transactions, two at a time, the state that Hasura's command line keeps. */
import assert from 'node:assert/strict'
import { cp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { runCli } from '../../provider/src/cli/index.ts'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { createSvcFolder } from './svc.ts'

describe('svc migrate', () => {
  let engine: Engine
  let url: string
  before(async () => {
    url = (await createTestDatabase()).url
    engine = await startEngine({ databaseUrl: url })
  })
  after(() => engine.stop())
  beforeEach(async () => {
    await runOnDatabase(url, 'DROP SCHEMA IF EXISTS svc_migrations CASCADE; DROP TABLE IF EXISTS a, b, c')
    await setRecorded({})
  })

  const setRecorded = (state: object) => engine.metadata('set_catalog_state', { type: 'cli', state })
  const reported = async () => (await engine.metadata('get_catalog_state', {})).body.cli_state.migrations?.default ?? {}
  const tables = async () => {
    const sql = `SELECT relname FROM pg_class WHERE relkind = 'r' AND relname IN ('a', 'b', 'c') ORDER BY 1`
    const { body } = await engine.post('/v2/query', { type: 'run_sql', args: { sql, read_only: true } })
    return body.result.slice(1).flat().join()
  }
  async function projectOf(t: TestContext, migrations: Readonly<Record<string, readonly [string, string?]>>) {
    const folder = await createSvcFolder(engine, t)
    for (const [name, [up, down]] of Object.entries(migrations)) {
      await folder.write(`migrations/default/${name}/up.sql`, up)
      if (down !== undefined) await folder.write(`migrations/default/${name}/down.sql`, down)
    }
    const migrate = async (...args: readonly string[]) => {
      const texts = { out: '', err: '' }
      const code = await runCli(['migrate', ...args], {
        cwd: folder.path,
        environment: { SVC_GRAPHQL_ENDPOINT: engine.url, SVC_GRAPHQL_ADMIN_SECRET: engine.secret },
        out: { write: (text) => (texts.out += text) },
        problems: { write: (text) => (texts.err += text) },
        signal: new AbortController().signal,
      })
      return { code, ...texts }
    }
    const states = async () =>
      Object.fromEntries(
        JSON.parse((await migrate('status', '--json')).out).sources[0].migrations.map(
          ({ version, state }: { version: string; state: string }) => [version, state],
        ),
      )
    return { folder, migrate, states }
  }
  const three = {
    '1_a': ['CREATE TABLE a (id int) -- no semicolon', 'DROP TABLE a'],
    '2_b': ['CREATE TABLE b (id int);', 'DROP TABLE b;'],
    '10_c': ['CREATE TABLE c (id int);', 'DROP TABLE c;'],
  } as const

  test('goes up and down, by number and version, and records them in the catalogue', async (t) => {
    const { migrate, states } = await projectOf(t, three)
    assert.equal((await migrate('apply', '--up', '1')).out, 'default: 1_a applied\n')
    assert.deepEqual(await states(), { 1: 'applied', 2: 'pending', 10: 'pending' })
    assert.equal((await migrate('apply')).out, 'default: 2_b applied\ndefault: 10_c applied\n')
    assert.equal(await tables(), 'a,b,c')
    assert.deepEqual(await reported(), { 1: false, 2: false, 10: false })
    assert.equal((await migrate('apply', '--goto', '1')).out, 'default: 10_c rolled back\ndefault: 2_b rolled back\n')
    assert.equal(await tables(), 'a')
    assert.deepEqual(await reported(), { 1: false })
    assert.equal((await migrate('apply', '--version', '10')).out, 'default: 10_c applied\n')
    assert.equal((await migrate('apply', '--down', 'all')).out, 'default: 10_c rolled back\ndefault: 1_a rolled back\n')
    assert.equal(await tables(), '')
  })

  test('what the database has becomes the first migration, which it has, and which makes the same in another one', async (t) => {
    await runOnDatabase(
      url,
      `CREATE TABLE a (id int PRIMARY KEY, name text DEFAULT 'x;y'); CREATE TABLE b (id int REFERENCES a);
       CREATE OR REPLACE FUNCTION later() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT count(*) FROM b';
       CREATE SCHEMA IF NOT EXISTS shop; CREATE TABLE IF NOT EXISTS shop.c (id int)`,
    )
    t.after(() => runOnDatabase(url, 'DROP SCHEMA shop CASCADE; DROP FUNCTION later; DROP TABLE b, a'))
    const { folder, migrate, states } = await projectOf(t, {})
    const made = await migrate('create', 'init', '--from-server', '--schema', 'public,shop')
    if (/pg_dump/.test(made.err)) return t.skip(made.err)
    assert.deepEqual([made.code, made.err], [0, ''])
    const [, path = ''] = /^(\S+) is what default has\n$/.exec(made.out) ?? []
    const up = await readFile(join(folder.path, path, 'up.sql'), 'utf8')
    assert.match(up, /CREATE TABLE public\.a/)
    assert.doesNotMatch(up, /svc_catalog|svc_migrations|OWNER/)
    assert.deepEqual(Object.values(await states()), ['applied'])
    assert.equal((await migrate('apply')).out, 'default: nothing to do\n')
    const other = await createTestDatabase()
    t.after(other.drop)
    const configuration = { connection_info: { database_url: other.url } }
    await engine.metadata('pg_add_source', { name: 'other', configuration })
    t.after(async () => void (await engine.metadata('pg_drop_source', { name: 'other' })))
    await cp(join(folder.path, 'migrations/default'), join(folder.path, 'migrations/other'), { recursive: true })
    const applied = await migrate('apply', '--source', 'other')
    assert.deepEqual([applied.code, applied.err], [0, ''])
    const again = await migrate('create', 'again', '--from-server', '--schema', 'public,shop', '--source', 'other')
    const [, second = ''] = /^(\S+) is/.exec(again.out) ?? []
    assert.equal(await readFile(join(folder.path, second, 'up.sql'), 'utf8'), up)
    assert.match((await migrate('create', 'x', '--from-server', '--up-sql', 'SELECT 1')).err, /leave out --up-sql/)
  })

  test('one that fails leaves nothing, and says why', async (t) => {
    const { migrate, states } = await projectOf(t, {
      '1_a': three['1_a'],
      '2_b': ['CREATE TABLE b (id int); SELECT nonsense;'],
    })
    const { code, out, err } = await migrate('apply')
    assert.equal(code, 1)
    assert.equal(out, 'default: 1_a applied\n')
    assert.match(err, /^error: default: 2_b: .*"nonsense" does not exist/)
    assert.equal(await tables(), 'a')
    assert.deepEqual(await states(), { 1: 'applied', 2: 'pending' })
    const back = await migrate('apply', '--version', '2', '--type', 'down')
    assert.equal(back.out, 'default: nothing to do\n')
  })

  test('the password of an address that the database repeats is in no output', async (t) => {
    const up = `DO $$ BEGIN RAISE EXCEPTION 'cannot open postgres://u:canary@h/d'; END $$;`
    const { migrate } = await projectOf(t, { '1_a': [up] })
    for (const flags of [[], ['--json']]) {
      const { code, out, err } = await migrate('apply', ...flags)
      assert.equal(code, 1)
      assert.match(out + err, /cannot open postgres:\/\/u:\*\*\*@h\/d/)
      assert.doesNotMatch(out + err, /canary/)
    }
  })

  test('two at a time do each step once', async (t) => {
    const slow = { '1_a': ['CREATE TABLE a (id int); SELECT pg_sleep(0.5);'], '2_b': three['2_b'] } as const
    const { migrate } = await projectOf(t, slow)
    const runs = await Promise.all([migrate('apply'), migrate('apply')])
    assert.deepEqual(
      runs.map(({ code, err }) => [code, err]),
      [
        [0, ''],
        [0, ''],
      ],
    )
    const applied = runs.flatMap(({ out }) => out.split('\n').filter((line) => line.endsWith(' applied')))
    assert.deepEqual(applied.sort(), ['default: 1_a applied', 'default: 2_b applied'])
    assert.equal(await tables(), 'a,b')
  })

  test('outside of a transaction a failure is half applied until a user decides', async (t) => {
    const { migrate, states } = await projectOf(t, {
      '1_a': ['-- svc: no transaction\nCREATE TABLE a (id int); SELECT nonsense;'],
    })
    assert.equal((await migrate('apply')).code, 1)
    assert.deepEqual(await states(), { 1: 'half applied' })
    assert.match((await migrate('apply')).err, /half applied/)
    const decided = await migrate('apply', '--version', '1', '--skip-execution')
    assert.equal(decided.out, 'default: 1_a marked as applied\n')
    assert.deepEqual(await states(), { 1: 'applied' })
  })

  test("what Hasura's command line applied is recorded, what it took back is asked about", async (t) => {
    await setRecorded({ settings: { migration_mode: 'true' }, migrations: { default: { 1: false } } })
    const { migrate, states } = await projectOf(t, three)
    assert.deepEqual(await states(), { 1: 'applied', 2: 'pending', 10: 'pending' })
    assert.equal((await migrate('apply', '--up', '1')).out, 'default: 2_b applied\n')
    assert.deepEqual(await reported(), { 1: false, 2: false })
    await setRecorded({ settings: { migration_mode: 'true' }, migrations: { default: { 1: false } } })
    assert.deepEqual(await states(), { 1: 'applied', 2: 'rolled back?', 10: 'pending' })
    assert.equal((await migrate('apply')).code, 1)
    const decided = await migrate('apply', '--version', '2', '--skip-execution')
    assert.equal(decided.out, 'default: 2_b marked as applied\n', decided.err)
    assert.deepEqual(await states(), { 1: 'applied', 2: 'applied', 10: 'pending' })
  })

  test('a squashed migration is there where all of its parts are, and is run where none is', async (t) => {
    const { folder, migrate, states } = await projectOf(t, three)
    await migrate('apply')
    const squashed = await migrate('squash', '--from', '1', '--to', '2', '--name', 'begin')
    assert.equal(squashed.out, 'migrations/default/2_begin stands for 2 migrations\n', squashed.err)
    assert.deepEqual((await readdir(join(folder.path, 'migrations/default'))).sort(), ['10_c', '2_begin'])
    assert.deepEqual(await states(), { 2: 'applied', 10: 'applied' })
    assert.equal((await migrate('apply')).out, 'default: nothing to do\n')
    assert.equal(
      (await migrate('apply', '--down', 'all')).out,
      'default: 10_c rolled back\ndefault: 2_begin rolled back\n',
    )
    assert.equal(await tables(), '')
    assert.deepEqual(await reported(), {})
    assert.equal((await migrate('apply')).out, 'default: 2_begin applied\ndefault: 10_c applied\n')
    assert.equal(await tables(), 'a,b,c')
  })

  test('neither a squash nor a deletion loses what it cannot make again', async (t) => {
    const { folder, migrate } = await projectOf(t, three)
    await folder.write('migrations/default/1_a/notes.md', 'why')
    const names = async () => (await readdir(join(folder.path, 'migrations/default'))).sort()
    const before = await names()
    assert.match((await migrate('squash', '--from', '1', '--name', 'so what')).err, /"so what" is no name/)
    assert.match((await migrate('squash', '--from', '1')).err, /1_a would be removed with notes.md: move that away/)
    assert.match((await migrate('delete', '--all', '--force')).err, /1_a would be removed with notes.md/)
    assert.deepEqual(await names(), before)
  })

  test('deleting removes files and record, and nothing of the database', async (t) => {
    const { folder, migrate, states } = await projectOf(t, three)
    await migrate('apply')
    assert.match((await migrate('delete', '--version', '10')).err, /--force/)
    assert.equal((await migrate('delete', '--version', '10', '--server')).code, 0)
    assert.deepEqual(await states(), { 1: 'applied', 2: 'applied', 10: 'pending' })
    assert.equal((await migrate('delete', '--all', '--force')).code, 0)
    assert.deepEqual(await readdir(join(folder.path, 'migrations/default')), [])
    assert.equal(await tables(), 'a,b,c')
    assert.deepEqual(await reported(), {})
  })
})
