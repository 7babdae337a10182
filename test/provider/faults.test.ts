/** Other writers, broken connections, an unavailable engine: nothing twice, nothing lost, nothing overwritten. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Values } from '../../provider/src/core/index.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { apply, deploy, destroy, newRun, plan, shown } from './deploy.ts'
import { startProxy } from './proxy.ts'
import { applyStack, chainOfResources, createChainOfTables } from './stack.ts'

const tables = 10
let databaseUrl: string
let engine: Engine
before(async () => {
  databaseUrl = (await createTestDatabase()).url
  await createChainOfTables(databaseUrl, tables)
  engine = await startEngine({ databaseUrl })
})
after(() => engine.stop())
beforeEach(async () => {
  const { status, text } = await engine.metadata('clear_metadata', {})
  assert.equal(status, 200, text)
})

const t = (i: number): Values => ({ schema: 'public', name: `t${i}` })
const permission = (more: Values = {}): Values => ({
  table: t(0),
  role: 'user',
  columns: ['id'],
  filter: '{}',
  ...more,
})
const everything = chainOfResources(tables, () => true)

async function must(type: string, args: object): Promise<void> {
  const { status, text } = await engine.metadata(type, args)
  assert.equal(status, 200, text)
}

const version = async (): Promise<number> =>
  (await engine.metadata('export_metadata', {}, { version: 2 })).body.resource_version

/** Customizes table 9 as fast as the engine answers, until asked to stop; how often it did. */
function otherClient(): { readonly stop: () => Promise<number> } {
  let running = true
  const writing = (async () => {
    await must('pg_track_table', { table: t(9) })
    let times = 0
    for (; running; times++)
      await must('pg_set_table_customization', { table: t(9), configuration: { comment: `${times}` } })
    return times
  })()
  return {
    stop() {
      running = false
      return writing
    },
  }
}

test('while another client writes all the time, everything is made once and nothing of theirs is lost', async (context) => {
  const proxy = await startProxy(engine, context)
  const other = otherClient()
  const { states, failed } = await applyStack(
    newRun(proxy),
    everything
      .filter(({ name }) => name !== 'table 9')
      .map((one) => ({ ...one, after: one.after.filter((name) => name !== 'table 9') })),
    new Map(),
    10,
  )
  const others = await other.stop()
  assert.deepEqual([...failed], [])
  assert.equal(states.size, everything.length - 1)
  const { body } = await engine.metadata('export_metadata', {})
  const theirs = body.sources[0].tables.find(({ table }: { table: Values }) => table.name === 't9')
  assert.equal(theirs.configuration.comment, `${others - 1}`)
  context.diagnostic(`${others} changes by others, ${proxy.writes().length} writes`)
})

test('while another client writes without a pause, 50 updates go through in seconds', async (context) => {
  const roles = Array.from({ length: 50 }, (_, i) => permission({ role: `role ${i}` }))
  const run = newRun(engine)
  await deploy(run, 'Table', null, { table: t(0) })
  const states = await Promise.all(roles.map((one) => deploy(run, 'SelectPermission', null, one)))
  const other = otherClient()
  const begin = Date.now()
  const late = newRun(engine, { preview_checks: 'off' })
  const update = (i: number) => apply(late, 'SelectPermission', states[i] ?? {}, { ...roles[i], limit: 5 })
  // most together, some one after the other as a tool with few slots has it
  const together = await Promise.all(states.slice(10).map((_, i) => update(i + 10)))
  for (let i = 0; i < 10; i++) together.push(await update(i))
  const seconds = (Date.now() - begin) / 1000
  const times = await other.stop()
  assert.deepEqual(
    together.flatMap(({ diagnostics }) => diagnostics),
    [],
  )
  assert.ok(seconds < 20, `${seconds} s`)
  context.diagnostic(`${seconds} s during ${times} changes by another client`)
})

test('what another client changed and changed back meanwhile is no conflict', async (context) => {
  const proxy = await startProxy(engine, context)
  const mine = await deploy(newRun(engine), 'Table', null, { table: t(9), comment: 'mine' })
  const customize = (comment: string) => must('pg_set_table_customization', { table: t(9), configuration: { comment } })
  let bulks = 0
  proxy.before = async ({ type, dryRun }) => {
    if (!type.startsWith('bulk') || dryRun || ++bulks > 3) return undefined
    await customize('theirs')
    await customize('mine')
    return undefined
  }
  await deploy(newRun(proxy), 'Table', mine, { table: t(9), comment: 'new' })
  assert.equal(bulks, 4)
})

test('a change of its own object by another client is not overwritten, and only that is refused', async (context) => {
  const proxy = await startProxy(engine, context)
  const run = newRun(engine)
  await deploy(run, 'Table', null, { table: t(0) })
  const mine = await deploy(run, 'SelectPermission', null, permission())
  const also = await deploy(run, 'SelectPermission', null, permission({ role: 'guest' }))
  let meddled = false
  proxy.before = async ({ type, dryRun }) => {
    if (!type.startsWith('bulk') || dryRun || meddled) return undefined
    meddled = true
    await must('pg_drop_select_permission', { table: t(0), role: 'user' })
    await must('pg_create_select_permission', {
      table: t(0),
      role: 'user',
      permission: { columns: ['id', 'owner'], filter: {} },
    })
    return undefined
  }
  const late = newRun(proxy)
  const [refused, stored] = await Promise.all([
    apply(late, 'SelectPermission', mine, permission({ limit: 5 })),
    apply(late, 'SelectPermission', also, permission({ role: 'guest', limit: 5 })),
  ])
  assert.ok(meddled)
  assert.deepEqual(refused.diagnostics.map(shown), [
    ['error', 'columns: another client has changed it since the plan was made', 'columns'],
  ])
  assert.equal(refused.state, mine)
  assert.deepEqual(stored.diagnostics, [])
  const found = await newRun(engine).read('SelectPermission', mine)
  assert.deepEqual(found.state?.columns, ['id', 'owner'])
  assert.equal(found.state?.limit, null)
})

test('the outcome of a request whose answer never arrives is read: what was stored is not made again', async (context) => {
  const proxy = await startProxy(engine, context)
  let bulks = 0
  proxy.before = async ({ type, dryRun }) =>
    type.startsWith('bulk') && !dryRun && bulks++ % 2 === 0 ? 'cut' : undefined
  const { states, failed } = await applyStack(newRun(proxy), everything, new Map(), 10)
  assert.deepEqual([...failed], [])
  assert.equal(states.size, everything.length)
  assert.ok(bulks > 2)
})

test('a request that never arrives is sent again', async (context) => {
  const proxy = await startProxy(engine, context)
  let bulks = 0
  proxy.before = async ({ type, dryRun }) =>
    type.startsWith('bulk') && !dryRun && bulks++ % 2 === 0 ? 'refuse' : undefined
  const { states, failed } = await applyStack(newRun(proxy), everything, new Map(), 10)
  assert.deepEqual([...failed], [])
  assert.equal(states.size, everything.length)
})

test('an engine killed and started again in the middle of an apply costs time and nothing else', async (context) => {
  let own = await startEngine({ databaseUrl, env: { SVC_GRAPHQL_SERVER_PORT: '0' } })
  const target = { url: own.url, secret: own.secret }
  const proxy = await startProxy(target, context)
  let bulks = 0
  proxy.before = async ({ type, dryRun }) => {
    if (!type.startsWith('bulk') || dryRun || ++bulks !== 2) return undefined
    own.kill('SIGKILL')
    await own.ended
    own = await startEngine({ databaseUrl }, context)
    target.url = own.url
    return 'refuse'
  }
  const { states, failed } = await applyStack(newRun(proxy), everything, new Map(), 10)
  assert.deepEqual([...failed], [])
  assert.equal(states.size, everything.length)
})

test('what names a table that is never made is refused at once, with the output to refer to', async () => {
  const begin = performance.now()
  // who waits for what others write waits so long
  const run = newRun(engine, { preview_checks: 'off' }, { wait: 600_000 })
  const { state, diagnostics } = await apply(run, 'SelectPermission', null, permission())
  assert.equal(state, null)
  assert.deepEqual(diagnostics.map(shown), [['error', 'table: table "t0" does not exist in source: default', 'table']])
  assert.match(diagnostics[0]?.detail ?? '', /table = Table\.table/)
  assert.ok(performance.now() - begin < 60_000)
})

test('what names a table that is being made waits for it, and only as long as another one runs', async () => {
  const run = newRun(engine, { preview_checks: 'off' })
  const [made, tracked] = await Promise.all([
    apply(run, 'SelectPermission', null, permission()),
    apply(run, 'Table', null, { table: t(0) }),
  ])
  assert.deepEqual([made.diagnostics, tracked.diagnostics], [[], []])
})

test('a write that may take longer than a timer can count is not over at once', async (context) => {
  const proxy = await startProxy(engine, context)
  const run = newRun(proxy, { preview_checks: 'off', request_timeout: 1e9 })
  let isTimed = () => {}
  const timed = new Promise<void>((resolve) => {
    isTimed = resolve
  })
  const arrived = new Promise<void>((resolve) => {
    proxy.before = async ({ type }) => {
      if (type.startsWith('bulk')) resolve()
      await (type.startsWith('bulk') && timed)
      return undefined
    }
  })
  const first = apply(run, 'Table', null, { table: t(0) })
  await Promise.race([arrived, first])
  const planned = { source: 'default', table: t(1), is_enum: false }
  const second = run.apply({ kind: 'Table', prior: null, planned, config: null, timeoutMilliseconds: 2 ** 31 })
  isTimed()
  assert.deepEqual([(await first).diagnostics, (await second).diagnostics], [[], []])
})

test('a table and what is in it go in any order', async () => {
  const run = newRun(engine)
  const { states } = await applyStack(run, everything, new Map(), 10)
  const all = everything.map(({ name, kind }) => ({ kind, state: states.get(name) ?? {} }))
  const gone = newRun(engine)
  await Promise.all(all.map(({ kind, state }) => destroy(gone, kind, state)))
  const { body } = await engine.metadata('export_metadata', {})
  assert.deepEqual(body.sources[0].tables, [])
})

test('what is there already and equal is taken over where that is wanted, else reported with its id', async () => {
  await deploy(newRun(engine), 'Table', null, { table: t(0) })
  await deploy(newRun(engine), 'SelectPermission', null, permission())
  const before = await version()
  const adopting = newRun(engine, { adopt_existing: true })
  assert.deepEqual((await plan(adopting, 'SelectPermission', null, permission())).diagnostics, [])
  const adopted = await apply(adopting, 'SelectPermission', null, permission())
  assert.deepEqual(adopted.diagnostics, [])
  assert.equal(await version(), before)
  const refused = await apply(newRun(engine), 'SelectPermission', null, permission())
  assert.match(
    refused.diagnostics[0]?.detail ?? '',
    /It is equal\. Import it by the id "default\/public\/t0\/user", or set adopt_existing/,
  )
  const planned = await plan(adopting, 'SelectPermission', null, permission({ limit: 3 }))
  const differing = await apply(
    newRun(engine, { adopt_existing: true }),
    'SelectPermission',
    null,
    permission({ limit: 3 }),
  )
  assert.deepEqual(planned.diagnostics.map(shown), [])
  assert.match(differing.diagnostics[0]?.summary ?? '', /exists already and differs/)
  assert.match(differing.diagnostics[0]?.detail ?? '', /limit: null -> 3/)
})

test('a password is in no error', async () => {
  const { diagnostics } = await apply(newRun(engine, { preview_checks: 'off' }), 'Source', null, {
    name: 'broken',
    database_url: 'postgres://nobody:canary-password@127.0.0.1:1/none',
  })
  assert.equal(diagnostics.length, 1)
  assert.doesNotMatch(JSON.stringify(diagnostics), /canary/)
})

test('why a database cannot be reached stands at the attribute that says where it is', async () => {
  for (const checks of ['off', 'error']) {
    const database_url = 'postgres://nobody@127.0.0.1:1/none'
    const values = { name: 'broken', database_url }
    const run = newRun(engine, { preview_checks: checks })
    const { diagnostics } =
      checks === 'off' ? await apply(run, 'Source', null, values) : await plan(run, 'Source', null, values)
    assert.match(diagnostics[0]?.summary ?? '', /connection error \(.*ECONNREFUSED/, checks)
    assert.deepEqual(diagnostics[0]?.path, ['database_url'], checks)
  }
})

test('an engine that is not there is one error a resource when applied or read', async () => {
  const run = newRun({ url: 'http://127.0.0.1:1', secret: '' })
  const { state, diagnostics } = await apply(run, 'Table', null, { table: t(0) })
  assert.equal(state, null)
  assert.match(diagnostics[0]?.summary ?? '', /cannot reach the engine at http:\/\/127\.0\.0\.1:1: connection refused/)
  const read = await run.read('Table', { id: 'default/public/t0', source: 'default', table: t(0) })
  assert.equal(read.diagnostics[0]?.severity, 'error')
})

test('stopped, a run answers what it has not sent with an error', async () => {
  const run = newRun(engine)
  run.stop()
  const { diagnostics } = await run.apply({
    kind: 'Table',
    prior: null,
    planned: { source: 'default', table: t(0), is_enum: false },
    config: null,
  })
  assert.deepEqual(diagnostics.map(shown), [['error', 'interrupted', '']])
})

test('an engine with another catalogue than the one that is wanted is refused before anything is read or written', async () => {
  const { state } = await newRun(engine).readData('metadata', { show_secrets: null })
  const catalog = String(state?.catalog_id)
  await deploy(newRun(engine, { catalog_id: catalog }), 'Table', null, { table: t(1) })
  const before = await version()
  const other = newRun(engine, { catalog_id: 'another' })
  const reported = [
    ...(await plan(other, 'Table', null, { table: t(2) })).diagnostics,
    ...(await other.apply({ kind: 'Table', prior: null, planned: { source: 'default', table: t(2) }, config: null }))
      .diagnostics,
    ...(await other.read('Table', { source: 'default', table: t(1), id: 'default/public/t1' })).diagnostics,
    ...(await other.readData('metadata', { show_secrets: null })).diagnostics,
  ]
  assert.deepEqual(
    reported.map(shown),
    Array.from({ length: 4 }, () => [
      'error',
      `the engine at ${engine.url} has the catalogue ${catalog}, not another`,
      'catalog_id',
    ]),
  )
  assert.equal(await version(), before)
})
