/** 300 resources: what a preview asks the engine, and in how many requests an update is written. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Engine } from '../../engine.ts'
import { startRow } from '../../terraform/many-resources.ts'
import { type MetadataProxy, startMetadataProxy } from '../../terraform/metadata-proxy.ts'
import { newRun } from './music.ts'
import { type Deployed, deploy, type Resource, refreshed } from './small-engine.ts'

const RESOURCES = 300

let engine: Engine
let proxy: MetadataProxy
let nothing: unknown
let made: Deployed
const cleanUps: (() => Promise<void> | void)[] = []
const suite = { after: (cleanUp: () => Promise<void> | void) => cleanUps.push(cleanUp) }
before(async () => {
  engine = await startRow(RESOURCES, suite)
  proxy = await startMetadataProxy(engine, suite)
  nothing = JSON.parse((await engine.metadata('export_metadata', {})).text)
})
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})

const mine = { owner: { _eq: 'X-Svc-User-Id' } }

/** Tables in a row, each with a relationship to the one before and a permission through it. */
function row(wrong: number | null = null): readonly Resource[] {
  const count = Math.ceil((RESOURCES + 1) / 3)
  return Array.from({ length: count }, (_, i): readonly Resource[] => [
    { name: `t${i}`, kind: 'Table', inputs: { table: { name: `t${i}` } } },
    {
      name: `r${i}`,
      kind: 'ObjectRelationship',
      inputs: (of) => ({ table: of(`t${i}`).table, name: 'before', foreignKeyColumns: ['before_id'] }),
      after: [`t${i}`, `t${i - 1}`],
    },
    {
      name: `p${i}`,
      kind: 'SelectPermission',
      inputs: (of) => ({
        table: of(`t${i}`).table,
        role: 'user',
        columns: ['id', i === wrong ? 'ownr' : 'owner'],
        filter: i === 0 ? mine : { before: mine },
      }),
      after: i === 0 ? ['t0'] : [`t${i}`, `r${i}`],
    },
  ])
    .flat()
    .filter(({ name }) => name !== 'r0')
    .slice(0, RESOURCES)
}

for (const [parallel, most] of [
  [10, 75],
  [50, 45],
] as const)
  test(`at ${parallel} at a time ${RESOURCES} resources are made in at most ${most} requests`, async (t) => {
    await engine.metadata('replace_metadata', nothing)
    proxy.forget()
    proxy.delay = 100
    made = await deploy(await newRun(proxy, t), row(), new Map(), { parallel })
    proxy.delay = 0
    assert.deepEqual([...made.failed], [])
    assert.equal(made.states.size, RESOURCES)
    t.diagnostic(`${proxy.writes().length} requests`)
    assert.ok(proxy.writes().length <= most, `${proxy.writes().length} requests`)
  })

test('what was made is read, compared and found unchanged with one export and one request for inconsistent objects, and goes', async (t) => {
  const { states } = made
  assert.equal(states.size, RESOURCES)
  proxy.forget()
  const plugin = await newRun(proxy, t)
  assert.deepEqual([...(await refreshed(plugin, states))], [...states])
  assert.deepEqual((await deploy(plugin, row(), states, { preview: true })).steps, [])
  assert.deepEqual([proxy.exports().length, proxy.seen.length], [1, 2])
  const { failed } = await deploy(await newRun(proxy, t), [], states)
  assert.deepEqual([...failed], [])
  assert.equal((await engine.metadata('export_metadata', {})).text.includes('"t1"'), false)
})

test('all of them are previewed with one export; one wrong column fails exactly that resource', async (t) => {
  await engine.metadata('replace_metadata', nothing)
  proxy.forget()
  const { steps, failed } = await deploy(await newRun(proxy, t), row(50), new Map(), { preview: true })
  assert.equal(steps.length, RESOURCES)
  assert.deepEqual([...failed.keys()], ['p50'])
  assert.match(failed.get('p50') ?? '', /^columns\[1\]: .*"ownr"/)
  assert.equal(proxy.exports().length, 1)
  assert.equal(proxy.writes().length, 0)
})
