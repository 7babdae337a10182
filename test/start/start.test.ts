import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { othersCannotEnter } from '../enterable.ts'
import { adminSecretIn, checkout, databaseIn, makeScene, type Run, type Scene, urlOf } from './npm-start.ts'

function scene(t: TestContext): Scene {
  const made = makeScene()
  t.after(made.cleanUp)
  return made
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into where they are expected
async function answer(run: Run, home: string, path: string, body: object): Promise<any> {
  const response = await fetch(`${urlOf(run)}${path}`, {
    method: 'POST',
    headers: { 'X-Svc-Admin-Secret': adminSecretIn(home) },
    body: JSON.stringify(body),
  })
  return response.json()
}

const metadata = (run: Run, home: string, body: object) => answer(run, home, '/v1/metadata', body)

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function untilGone(pid: number): Promise<void> {
  for (let tries = 0; isRunning(pid); tries++) {
    assert.ok(tries < 6000, `process ${pid} still runs after a minute`)
    await pause(10)
  }
}

/** It says one line that says what to do, nothing else, and exits with 1. */
async function refuses(run: Run, expected: RegExp): Promise<void> {
  assert.equal(await run.exitCode, 1, run.output())
  assert.match(run.errors(), expected)
  assert.equal(run.errors().trimEnd().split('\n').length, 1, run.errors())
}

/** The life of one data directory, in order: each start goes on from what the one before left. */
const life = makeScene()
after(life.cleanUp)
const { home, start } = life

test('the first start loads, applies and asks', async () => {
  const run = start()
  await run.ready
  assert.match(run.output(), /loaded 275 artists, 347 albums, 3,503 tracks/)
  assert.match(run.output(), /plan: 80 to create, 0 to update, 0 to delete/)
  assert.match(run.output(), /80\/80 /)
  assert.match(run.output(), /X-Svc-Role: customer[\s\S]*"invoice_aggregate": \{ "aggregate": \{ "count": 7,/)
  assert.match(run.output(), /insert_invoice_one\([\s\S]*"code": "permission-error"/)
  assert.match(run.output(), /"update_customer_by_pk": \{[^}]*"company": "Harbour Records"/)
  assert.equal(statSync(join(home, 'admin-secret')).mode & 0o777, 0o600)

  const response = await fetch(`${urlOf(run)}/v1/graphql`, { method: 'POST', body: '{"query":"{ artist { name } }"}' })
  assert.match(await response.text(), /access-denied/)
  await refuses(start(), /is in use by another engine \(process \d+\)\. Stop that one first, or name another folder/)

  const sql = 'CREATE TABLE tutorial (id integer PRIMARY KEY); UPDATE customer SET company = NULL WHERE id = 6'
  assert.equal((await answer(run, home, '/v2/query', { type: 'run_sql', args: { sql } })).result_type, 'CommandOk')
  const drop = { source: 'default', table: 'genre', role: 'listener' }
  const changes = [
    { type: 'pg_track_table', args: { table: 'tutorial' } },
    { type: 'pg_drop_select_permission', args: drop },
  ]
  for (const change of changes) assert.deepEqual(await metadata(run, home, change), { message: 'success' })

  const { pid } = databaseIn(home)
  assert.ok(isRunning(pid))
  assert.equal(await run.interrupt(), 0)
  assert.ok(!isRunning(pid))
  assert.ok(!existsSync(join(home, 'postgres/postmaster.pid')), 'the database did not end in good order')
  await assert.rejects(fetch(urlOf(run)))
})

test('the next start keeps what was tracked, dropped and written since, and says how to restore the sample', async () => {
  const run = start()
  await run.ready
  const output = run.output()
  assert.match(output, /kept an earlier start has begun with it/)
  const [dropped, tracked] = [
    'select_permission listener in table genre in source default',
    'table tutorial in source default',
  ]
  assert.ok(output.includes(`\n  - ${dropped}\n  + ${tracked}\n  to have the sample`), output)
  assert.equal(output.includes('mutation {'), false)
  const rows = { type: 'run_sql', args: { sql: 'SELECT company FROM customer WHERE id = 6' } }
  assert.deepEqual((await answer(run, home, '/v2/query', rows)).result, [['company'], ['NULL']])
  const differing = async () => {
    const { tables } = (await metadata(run, home, { type: 'export_metadata', args: {} })).sources[0]
    const find = (name: string) => tables.find(({ table }: { table: { name: string } }) => table.name === name)
    return { tutorial: find('tutorial') !== undefined, listener: JSON.stringify(find('genre')).includes('"listener"') }
  }
  assert.deepEqual(await differing(), { tutorial: true, listener: false })
  const restore = /to have the sample as it was: (npx svc .*)\n/.exec(output)?.[1] ?? ''
  const restored = spawnSync('sh', ['-c', restore], { cwd: checkout, encoding: 'utf8' })
  assert.equal(restored.status, 0, restored.stderr)
  assert.deepEqual(await differing(), { tutorial: false, listener: true })
  const { pid } = databaseIn(home)
  run.child.kill('SIGKILL')
  await run.exitCode
  await untilGone(pid)
})

test('the start after a kill finds all of it and has nothing to do', async () => {
  const run = start()
  await run.ready
  assert.match(run.output(), /metadata\n {2}no changes/)
  assert.equal(await run.interrupt(), 0)
})

test('npm start that is ended by SIGTERM to npm leaves nothing behind', async () => {
  const run = start({ npm: true })
  await run.ready
  const { pid } = databaseIn(home)
  assert.ok(isRunning(pid))
  run.child.kill('SIGTERM')
  await untilGone(pid)
  assert.ok(!existsSync(join(home, 'postgres/postmaster.pid')), 'the database did not end in good order')
  await assert.rejects(fetch(urlOf(run)))
})

test('a port in use is reported with a command that takes another', async (t) => {
  const server = createServer()
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    }),
  )
  t.after(() => server.close())
  await refuses(
    start({ port }),
    new RegExp(`Port ${port} is in use\\. Free it, or take another: SVC_GRAPHQL_SERVER_PORT=${port + 1} npm start`),
  )
})

test('a PostgreSQL that does not start is reported with its reason and its log', async () => {
  appendFileSync(join(home, 'postgres/postgresql.conf'), "\nmax_wal_size = 'much'\n")
  await refuses(
    start(),
    /PostgreSQL did not start: configuration file ".*postgresql\.conf" contains errors\. Its log is .*postgres\.log/,
  )
})

test('a database of another major version is reported with both versions', async () => {
  writeFileSync(join(home, 'postgres/PG_VERSION'), '16\n')
  await refuses(start(), /was made by PostgreSQL 16, this engine brings PostgreSQL 18\. Start the engine version that/)
})

test('a data directory that is not writable is reported', { skip: othersCannotEnter() }, async (t) => {
  const { home, start } = scene(t)
  await refuses(
    start({ uid: 65534 }),
    /The data directory .* is not writable\. Make it writable, or name another folder/,
  )
  mkdirSync(home)
  writeFileSync(join(home, 'admin-secret'), 'secret', { mode: 0o644 })
  await refuses(
    start({ uid: 65534 }),
    /The data directory .* is not writable\. Make it writable, or name another folder/,
  )
})

test('a user other than root starts it too', { skip: othersCannotEnter() }, async (t) => {
  const { home, start } = scene(t)
  chmodSync(dirname(home), 0o777)
  const run = start({ uid: 65534 })
  await run.ready
  assert.equal(statSync(join(home, 'postgres')).uid, 65534)
})
