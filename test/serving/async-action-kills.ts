/**
 * Asynchronous actions while engines are killed (SIGKILL): each handler is called at most once, and what a kill has
 * interrupted stays visible as such.
 */
import assert from 'node:assert/strict'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startHandlers } from './action-handlers.ts'

export interface AsyncCounts {
  readonly answered: number
  /** The engine that called, or was about to call, was killed. */
  readonly interrupted: number
  /** Of those: the handler was called. */
  readonly interruptedCalls: number
  readonly kills: number
}

/** So many calls are asked for, by one client after the other, of two engines, one of which is killed now and then. */
export async function killBetweenCalls(calls: number, kills: number): Promise<AsyncCounts> {
  const handlers = await startHandlers()
  const called = new Map<number, number>()
  handlers.on('/job', async ({ body }) => {
    const { n } = body.input
    called.set(n, (called.get(n) ?? 0) + 1)
    await pause(Math.random() * 40)
    return { json: n }
  })
  const { url: databaseUrl, drop } = await createTestDatabase()
  const start = () => startEngine({ databaseUrl, env: { SVC_GRAPHQL_ASYNC_ACTIONS_FETCH_INTERVAL: '20' } })
  const engines: Engine[] = [await start()]
  try {
    const definition = {
      kind: 'asynchronous',
      handler: `${handlers.url}/job`,
      arguments: [{ name: 'n', type: 'Int!' }],
      output_type: 'Int',
      timeout: 1,
    }
    const made = await engines[0]?.metadata('create_action', { name: 'job', definition })
    assert.equal(made?.status, 200, made?.text)
    engines.push(await start())
    const asked = new Map<number, string>()
    let killed = 0
    for (let n = 0; n < calls; n++) {
      if (killed < kills && n === Math.floor(((killed + 1) * calls) / (kills + 1))) {
        const [victim] = engines.splice(killed % 2, 1)
        victim?.kill('SIGKILL')
        await victim?.ended
        engines.push(await start())
        killed += 1
      }
      const { body } = (await engines[n % 2]?.post('/v1/graphql', { query: `mutation { job(n: ${n}) }` })) ?? {}
      asked.set(n, body.data.job)
    }
    const rows = await settled(databaseUrl)
    const byId = new Map(rows.map((row) => [row.id, row]))
    const counts = { answered: 0, interrupted: 0, interruptedCalls: 0, kills: killed }
    for (const [n, id] of asked) {
      const row = byId.get(id)
      const times = called.get(n) ?? 0
      assert.ok(times <= 1, `the handler was called ${times} times for ${n}`)
      if (row?.status === 'completed') {
        assert.deepEqual([row.response_payload, times], [n, 1])
        counts.answered += 1
      } else {
        assert.match(JSON.stringify(row?.errors), /the engine ended while the handler was called/)
        counts.interrupted += 1
        counts.interruptedCalls += times
      }
    }
    assert.equal(rows.length, calls)
    // a kill interrupts a batch at most
    assert.ok(counts.interrupted <= 10 * killed, `${counts.interrupted} interrupted by ${killed} kills`)
    return counts
  } finally {
    for (const engine of engines) engine.kill('SIGKILL')
    for (const engine of engines) await engine.ended
    await handlers.close()
    await drop()
  }
}

/** All rows, once each has come to its end. The time of those in hand is made over as soon as they alone are left. */
async function settled(databaseUrl: string) {
  const before = performance.now()
  for (;;) {
    const rows = await runOnDatabase(
      databaseUrl,
      'SELECT id, status, response_payload, errors FROM svc_catalog.svc_action_log',
    )
    const open = rows.filter(({ status }) => status !== 'completed' && status !== 'error')
    if (open.length === 0) return rows
    assert.ok(performance.now() - before < 60_000, `${open.length} rows never end`)
    // three seconds are longer than a handler may take
    if (open.every(({ status }) => status === 'processing') && performance.now() - before > 3000)
      await runOnDatabase(
        databaseUrl,
        `UPDATE svc_catalog.svc_action_log SET deadline = now() WHERE status = 'processing'`,
      )
    await pause(100)
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
