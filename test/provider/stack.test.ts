/** Many resources at once against a real engine: how many requests, in which order, and what a failing one does. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { newRun, plan } from './deploy.ts'
import { startProxy } from './proxy.ts'
import { applyStack, chainOfResources, createChainOfTables, shuffled } from './stack.ts'

const tables = 100
let engine: Engine
before(async () => {
  const database = await createTestDatabase()
  await createChainOfTables(database.url, tables)
  engine = await startEngine({ databaseUrl: database.url })
})
after(() => engine.stop())
beforeEach(async () => {
  const { status, text } = await engine.metadata('clear_metadata', {})
  assert.equal(status, 200, text)
})

const exported = async () => {
  const { body } = await engine.metadata('export_metadata', {})
  const all: { select_permissions?: unknown[]; object_relationships?: unknown[] }[] = body.sources[0].tables
  const count = (of: (table: (typeof all)[number]) => unknown[] | undefined) =>
    all.reduce((sum, table) => sum + (of(table)?.length ?? 0), 0)
  return [all.length, count((table) => table.object_relationships), count((table) => table.select_permissions)]
}

for (const [parallelism, most] of [
  [10, 75],
  [50, 45],
] as const)
  test(`300 new resources, writes of 100 ms, ${parallelism} at a time: at most ${most} write requests and one export`, async (t) => {
    const proxy = await startProxy(engine, t)
    proxy.before = async ({ dryRun, type }) => {
      if (type.startsWith('bulk') && !dryRun) await pause(100)
      return undefined
    }
    const resources = shuffled(
      chainOfResources(tables, () => true),
      7,
    )
    const { states, failed } = await applyStack(
      newRun(proxy, { preview_checks: 'off' }),
      resources,
      new Map(),
      parallelism,
    )
    assert.deepEqual([...failed], [])
    assert.equal(states.size, 300)
    assert.deepEqual(await exported(), [tables, tables, tables])
    t.diagnostic(`${proxy.writes().length} writes`)
    assert.ok(proxy.writes().length <= most, `${proxy.writes().length} write requests`)
    assert.equal(proxy.exports(), 1)
    const again = newRun(proxy)
    for (const { name, kind, config } of resources) {
      const state = states.get(name)
      assert.ok(state)
      assert.deepEqual((await again.read(kind, state)).state, state)
      assert.deepEqual((await plan(again, kind, state, config)).changed, [])
    }
    assert.equal(proxy.exports(), 2)
  })

for (const parallelism of [1, 10, 64])
  test(`half of the references are plain strings, ${parallelism} at a time: done after at most 3 applies, nothing twice`, async (t) => {
    const resources = shuffled(
      chainOfResources(tables, (i) => i % 2 === 0),
      11,
    )
    let states: ReadonlyMap<string, Record<string, unknown>> = new Map()
    const failures: number[] = []
    for (let runs = 0; runs < 3 && states.size < resources.length; runs++) {
      const result = await applyStack(
        newRun(engine, { preview_checks: 'off' }),
        resources,
        states as never,
        parallelism,
      )
      for (const { summary, detail } of result.failed.values()) {
        assert.doesNotMatch(summary, /exists already/)
        assert.match(`${summary}\n${detail}`, /If this configuration (tracks|makes)/)
      }
      failures.push(result.failed.size)
      states = result.states
    }
    t.diagnostic(`failed: ${failures.join(', ')}`)
    assert.equal(states.size, resources.length)
    assert.deepEqual(await exported(), [tables, tables, tables])
  })

test('300 new resources are planned without an error in any order, and only one with a wrong column is refused', async () => {
  for (const parallelism of [1, 10, 64]) {
    const run = newRun(engine)
    const resources = shuffled(
      chainOfResources(tables, () => true),
      parallelism,
    )
    const wrong = resources.findIndex(({ kind }) => kind === 'SelectPermission')
    const queue = [...resources.entries()]
    const reported: string[] = []
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [i, { name, kind, config }] = next
        const own = i === wrong ? { ...config, columns: ['id', 'ownr'] } : config
        const { diagnostics } = await plan(run, kind, null, own)
        // one at a time, what something needs always comes too late for it
        for (const { severity, summary, path } of diagnostics)
          if (parallelism > 1 || severity === 'error')
            reported.push(`${i === wrong} ${severity} ${path.join('.')} ${summary}`)
        assert.ok(name)
      }
    }
    await Promise.all(Array.from({ length: parallelism }, work))
    assert.deepEqual(reported.length, 1, reported.join('\n'))
    assert.match(reported[0] ?? '', /^true error columns columns\[1\]: .*column "ownr" does not exist/)
  }
})
