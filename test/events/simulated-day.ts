/**
 * A day of cron triggers and one-off events in minutes: the clock of database and engines jumps on, once back, while
 * engines are killed (SIGKILL) and once all of them are away for long. Each tick and each one-off event is delivered,
 * or dead where it is older than its tolerance; none comes early, none is invented, and none comes twice unless the
 * engine that had sent it was killed.
 */
import assert from 'node:assert/strict'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { type Received, startReceiver } from './receiver.ts'
import { shiftClock } from './shifted-clock.ts'

export interface Day {
  readonly minutes: number
  /** Of the clock, in minutes, at most. */
  readonly longestJump: number
  /** Jumps between two kills. */
  readonly killEvery: number
  /** All engines are away for so many minutes in the middle of the day. */
  readonly stop: number
  /** In the last third of the day the clock is set back by so many minutes. */
  readonly back: number
  readonly oneOffs: number
  progress?(state: { readonly minute: number; readonly received: number; readonly kills: number }): void
}

export interface DayCounts {
  readonly delivered: number
  readonly retried: number
  readonly dead: number
  /** While no engine was there to plan them. */
  readonly skipped: number
  readonly duplicates: number
  readonly kills: number
}

const MINUTE = 60_000

interface Declared {
  readonly schedule: string
  /** The minutes of a day at which it is due, by a rule of the test's own. */
  readonly isDue: (minute: number) => boolean
  /** Attempts that fail before one succeeds. */
  readonly failures: number
  readonly retries: number
}

const triggers: Readonly<Record<string, Declared>> = {
  minutely: { schedule: '* * * * *', isDue: () => true, failures: 0, retries: 0 },
  fifth: { schedule: '*/5 * * * *', isDue: (minute) => minute % 5 === 0, failures: 0, retries: 0 },
  flaky: { schedule: '7-59/10 * * * *', isDue: (minute) => minute % 10 === 7, failures: 2, retries: 3 },
  doomed: { schedule: '0,30 * * * *', isDue: (minute) => minute % 30 === 0, failures: 99, retries: 1 },
  hourly: { schedule: '@hourly', isDue: (minute) => minute % 60 === 0, failures: 0, retries: 0 },
  noon: { schedule: '15 12 * * *', isDue: (minute) => minute === 12 * 60 + 15, failures: 0, retries: 0 },
}
const tolerance = 6 * 60

/** What is expected of a tick or a one-off event, and what came of it. */
interface Expected {
  readonly name: string
  readonly at: number
  readonly failures: number
  readonly retries: number
}

export async function simulateDay(day: Day): Promise<DayCounts> {
  const { url: databaseUrl, drop } = await createTestDatabase()
  const start = Date.UTC(2031, 4, 6, 0, 0, 30)
  const clock = await shiftClock(databaseUrl, start)
  const receiver = await startReceiver()
  const attempts = new Map<string, number>()
  const early: string[] = []
  receiver.answer(({ body, path }) => {
    const key = `${path.slice(1)} ${Date.parse(body.scheduled_time)}`
    const tried = (attempts.get(body.id) ?? 0) + 1
    attempts.set(body.id, tried)
    if (Date.parse(body.scheduled_time) > clock.now() + 1000 + day.back * MINUTE) early.push(key)
    const { failures = 0 } = triggers[path.slice(1)] ?? {}
    return { status: tried <= failures ? 500 : 200, body: '{}' }
  })
  const killed = new Map<string, number>()
  const engines: { readonly name: string; readonly engine: Engine }[] = []
  let started = 0
  const startOne = async () => {
    const name = `engine ${++started}`
    return {
      name,
      engine: await startEngine({ databaseUrl, env: { ...clock.env, ENGINE_NAME: name, HOOK: receiver.url } }),
    }
  }
  const kill = async (at: number) => {
    const [victim] = engines.splice(at, 1)
    if (!victim) return
    victim.engine.kill('SIGKILL')
    await victim.engine.ended
    killed.set(victim.name, performance.now())
  }
  try {
    engines.push(await startOne(), await startOne())
    const [first] = engines
    assert.ok(first)
    const server: Engine = first.engine
    const headers = [{ name: 'X-Engine', value_from_env: 'ENGINE_NAME' }]
    const retry = (retries: number) => ({
      num_retries: retries,
      retry_interval_seconds: 60,
      timeout_seconds: 10,
      tolerance_seconds: tolerance * 60,
    })
    for (const [name, { schedule, retries }] of Object.entries(triggers)) {
      const args = { name, schedule, webhook: `{{HOOK}}/${name}`, headers, include_in_metadata: true }
      const made = await server.metadata('create_cron_trigger', { ...args, retry_conf: retry(retries) })
      assert.equal(made.status, 200, made.text)
    }
    const begin = clock.now()
    const expected = new Map<string, Expected>()
    for (let i = 0; i < day.oneOffs; i++) {
      const at = Math.floor(begin + Math.random() * day.minutes * MINUTE)
      const args = { webhook: '{{HOOK}}/once', headers, schedule_at: new Date(at).toISOString(), retry_conf: retry(0) }
      const made = await server.metadata('create_scheduled_event', { ...args, payload: i })
      assert.equal(made.status, 200, made.text)
      expected.set(`once ${at} ${i}`, { name: 'once', at, failures: 0, retries: 0 })
    }

    const passed = () => (clock.now() - begin) / MINUTE
    let stopped: { readonly from: number; readonly to: number } | null = null
    let wentBack = false
    for (let jump = 1; passed() < day.minutes; jump++) {
      if (!stopped && day.stop > 0 && passed() > day.minutes / 3) {
        while (engines.length > 0) await kill(0)
        const from = clock.now()
        await clock.move(day.stop * MINUTE)
        stopped = { from, to: clock.now() }
        engines.push(await startOne(), await startOne())
      } else if (!wentBack && day.back > 0 && passed() > (2 * day.minutes) / 3) {
        await clock.move(-day.back * MINUTE)
        wentBack = true
      } else await clock.move((1 + Math.floor(Math.random() * day.longestJump)) * MINUTE)
      if (jump % day.killEvery === 0) {
        // in the middle of what became due
        await pause(Math.random() * 1000)
        await kill(jump % 2)
        engines.push(await startOne())
      }
      await untilQuiet(databaseUrl)
      day.progress?.({ minute: Math.round(passed()), received: receiver.received.length, kills: killed.size })
    }
    const end = clock.now()
    for (const [name, { isDue, failures, retries }] of Object.entries(triggers))
      for (let at = Math.ceil(begin / MINUTE) * MINUTE; at <= end; at += MINUTE)
        if (isDue((at / MINUTE) % (24 * 60))) expected.set(`${name} ${at}`, { name, at, failures, retries })
    // retries that are still to come
    for (let more = 0; more < 4; more++) {
      await clock.move(MINUTE + 1000)
      await untilQuiet(databaseUrl)
    }
    assert.deepEqual(early, [])
    return await count({ databaseUrl, received: receiver.received, expected, killed, stopped, end })
  } finally {
    for (const { engine } of engines) engine.kill('SIGKILL')
    for (const { engine } of engines) await engine.ended
    await receiver.close()
    clock.close()
    await drop()
  }
}

interface Outcome {
  readonly databaseUrl: string
  readonly received: readonly Received[]
  readonly expected: ReadonlyMap<string, Expected>
  readonly killed: ReadonlyMap<string, number>
  readonly stopped: { readonly from: number; readonly to: number } | null
  readonly end: number
}

/** Compares what came with what was to come. */
async function count({ databaseUrl, received, expected, killed, stopped, end }: Outcome): Promise<DayCounts> {
  const keyOf = ({ path, body }: Received) => {
    const key = `${path.slice(1)} ${Date.parse(body.scheduled_time)}`
    return body.payload === null ? key : `${key} ${body.payload}`
  }
  const rows = await runOnDatabase(
    databaseUrl,
    `SELECT id, trigger_name AS name, scheduled_time, status, tries, NULL AS payload FROM svc_catalog.svc_cron_events
     UNION ALL SELECT id, 'once', scheduled_time, status, tries, payload::text FROM svc_catalog.svc_scheduled_events`,
  )
  const states = new Map<string, { readonly status: string; readonly tries: number }>()
  for (const { name, scheduled_time, status, tries, payload } of rows) {
    const at = (scheduled_time as Date).getTime()
    if (at > end) continue
    const key = payload === null ? `${name} ${at}` : `${name} ${at} ${payload}`
    assert.ok(!states.has(key), `planned twice: ${key}`)
    states.set(key, { status: String(status), tries: Number(tries) })
  }
  const byKey = new Map<string, Received[]>()
  for (const one of received) {
    const key = keyOf(one)
    if (!expected.has(key) && Date.parse(one.body.scheduled_time) <= end) assert.fail(`invented: ${key}`)
    byKey.set(key, [...(byKey.get(key) ?? []), one])
  }
  const counts = { delivered: 0, retried: 0, dead: 0, skipped: 0, duplicates: 0, kills: killed.size }
  for (const [key, { name, at, failures, retries }] of expected) {
    const state = states.get(key)
    const times = byKey.get(key) ?? []
    if (!state) {
      // a stop that is longer than what was planned ahead: no engine was there to plan more
      assert.ok(stopped && at > stopped.from + 100 * MINUTE && at <= stopped.to, `lost: ${key}`)
      assert.equal(times.length, 0, key)
      counts.skipped += 1
      continue
    }
    const attempts = Math.min(failures, retries) + 1
    if (state.status === 'dead') {
      // due while all were away, or before they had started; one that fails may still be to be tried again then, or be tried again too late after it
      const slack = failures > 0 ? 60 : 2
      const wasLate = stopped && at < stopped.to - (tolerance - slack) * MINUTE && at > stopped.from - slack * MINUTE
      assert.ok(wasLate, `dead and was not late: ${key}`)
      counts.dead += 1
      continue
    }
    assert.equal(state.status, failures > retries ? 'error' : 'delivered', key)
    if (stopped && name !== 'once' && at > stopped.from)
      assert.ok(at >= stopped.to - (tolerance + 1) * MINUTE, `too late: ${key}`)
    assert.equal(state.tries, attempts, key)
    assert.ok(times.length >= attempts, `${key}: ${times.length} attempts`)
    let killsNeeded = times.length - attempts
    for (const [i, next] of times.slice(1).entries()) {
      const before = times[i]
      const died = killed.get(String(before?.headers['x-engine']))
      if (killsNeeded > 0 && died !== undefined && died < next.at) killsNeeded -= 1
    }
    assert.equal(killsNeeded, 0, `${key} came ${times.length} times, with no engine killed in between`)
    counts.duplicates += times.length - attempts
    counts.retried += attempts - 1
    counts.delivered += 1
  }
  return counts
}

/** Resolves when nothing that is due waits or is held. What a killed engine held is free after a while. */
async function untilQuiet(databaseUrl: string): Promise<void> {
  const due = (table: string) =>
    `SELECT 1 FROM svc_catalog.${table} WHERE status = 'locked'
       OR status = 'scheduled' AND COALESCE(next_retry_at, scheduled_time) <= now()`
  const text = `SELECT EXISTS (${due('svc_cron_events')}) OR EXISTS (${due('svc_scheduled_events')}) AS busy`
  const before = performance.now()
  for (;;) {
    const [row] = await runOnDatabase(databaseUrl, text)
    if (row?.busy === false) return
    assert.ok(performance.now() - before < 120_000, 'what is due is not delivered')
    await pause(50)
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
