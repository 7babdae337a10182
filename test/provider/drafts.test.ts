/** An apply that is held to a draft: all that it writes leads there, or is refused at its resource. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import type { Provider, Values } from '../../provider/src/core/index.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { apply, deploy, newRun, plan, shown } from './deploy.ts'
import { createChainOfTables } from './stack.ts'

let engine: Engine
before(async () => {
  const { url } = await createTestDatabase()
  await createChainOfTables(url, 3)
  engine = await startEngine({ databaseUrl: url })
})
after(() => engine.stop())
beforeEach(async () => {
  const { status, text } = await engine.metadata('clear_metadata', {})
  assert.equal(status, 200, text)
})

const table = (i: number) => ({ table: { schema: 'public', name: `t${i}` } })
const permission = (more: Values = {}): Values => ({
  ...table(0),
  role: 'user',
  columns: ['id'],
  filter: '{}',
  ...more,
})

type Program = readonly (readonly [kind: string, prior: Values | null, config: Values])[]

/** The hash of a draft of what a plan of this program makes. */
async function draftOf(program: Program): Promise<string> {
  const id = randomUUID()
  const run = newRun(engine, { plan_id: id })
  for (const [kind, prior, config] of program) assert.deepEqual((await plan(run, kind, prior, config)).diagnostics, [])
  const { body } = await engine.metadata('bulk_keep_going', [], { dry_run: { plan: id, draft: true } })
  return String(body.draft?.hash)
}

const applied = async (run: Provider, program: Program) => {
  const said: unknown[] = []
  for (const [kind, prior, config] of program)
    said.push(...(await apply(run, kind, prior, config)).diagnostics.map(shown))
  return said
}

const exported = async () => (await engine.metadata('export_metadata', {})).body

const program: Program = [
  ['Table', null, table(0)],
  ['SelectPermission', null, permission()],
  ['CustomType', null, { name: 'Mood', values: [{ value: 'GOOD' }] }],
  ['CustomType', null, { name: 'Size', values: [{ value: 'BIG' }] }],
]

test('a program makes what was drafted of it, piece by piece, and again after a part of it', async () => {
  const draft = await draftOf(program)
  assert.match(draft, /^[0-9a-f]{64}$/)
  const half = program.slice(0, 3)
  assert.deepEqual(await applied(newRun(engine, { draft }), half), [])
  const run = newRun(engine, { draft, adopt_existing: true })
  assert.deepEqual(await applied(run, program), [])
  const made = await exported()
  await engine.metadata('clear_metadata', {})
  assert.deepEqual(await applied(newRun(engine), program), [])
  assert.deepEqual(await exported(), made)
})

test('another program is refused at the resource that differs, and what is as drafted is made', async () => {
  const draft = await draftOf(program)
  const run = newRun(engine, { draft })
  const wider: Program = [
    ['Table', null, table(0)],
    ['SelectPermission', null, permission({ columns: ['id', 'before_id'] })],
    ['Table', null, table(1)],
    ['CustomType', null, { name: 'Mood', values: [{ value: 'GOOD' }, { value: 'BAD' }] }],
  ]
  const makes = `this is not what the draft ${draft} makes of`
  assert.deepEqual(await applied(run, wider), [
    ['error', `${makes} select_permission user in table t0 in source default`, ''],
    ['error', `${makes} table t1 in source default`, ''],
    ['error', `${makes} custom_types custom_types`, ''],
  ])
  assert.deepEqual((await exported()).sources[0].tables, [table(0)])
})

test('nothing more is written once another client has changed what the draft leaves as it was', async () => {
  const draft = await draftOf(program)
  await deploy(newRun(engine, { draft }), 'Table', null, table(0))
  const limits = await engine.metadata('set_api_limits', { disabled: false, depth_limit: { global: 9 } })
  assert.equal(limits.status, 200, limits.text)
  const [error, ...others] = (await apply(newRun(engine, { draft }), 'SelectPermission', null, permission()))
    .diagnostics
  assert.deepEqual(others, [])
  assert.match(
    error?.summary ?? '',
    /^after the draft [0-9a-f]{64} was made of version \d+ another client has changed api_limits.*: make it again$/,
  )
  assert.equal((await exported()).sources[0].tables[0].select_permissions, undefined)
})

test('a draft of a changed program takes objects away and changes them, and leaves no mixture of old and new', async () => {
  const run = newRun(engine)
  await deploy(run, 'Table', null, table(0))
  const before = await deploy(run, 'SelectPermission', null, permission())
  const wanted = permission({ columns: ['before_id'], filter: '{"id":{"_eq":1}}' })
  const draft = await draftOf([['SelectPermission', before, wanted]])
  const mixed = permission({ columns: ['before_id'] })
  const [error] = await applied(newRun(engine, { draft }), [['SelectPermission', before, mixed]])
  assert.match(String(error), /this is not what the draft/)
  assert.deepEqual(await applied(newRun(engine, { draft }), [['SelectPermission', before, wanted]]), [])
})

test('an unknown draft is an error of the setting, before anything is written', async () => {
  const version = (await engine.metadata('export_metadata', {}, { version: 2 })).body.resource_version
  const [error] = await applied(newRun(engine, { draft: '0'.repeat(64) }), [['Table', null, table(0)]])
  assert.match(String(error), /has no draft 0{64}, or it has expired,draft$/)
  assert.equal((await engine.metadata('export_metadata', {}, { version: 2 })).body.resource_version, version)
})

test('a condition that cannot be held to is refused', async () => {
  const sql = { type: 'run_sql', as_drafted: '0'.repeat(64), args: { sql: 'SELECT 1' } }
  assert.equal((await engine.post('/v2/query', sql)).body.code, 'not-supported')
  const { body } = await engine.metadata('apply_draft', { hash: '0'.repeat(64) }, { as_drafted: '0'.repeat(64) })
  assert.equal(body.code, 'not-supported')
})
