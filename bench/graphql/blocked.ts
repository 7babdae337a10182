import pg from 'pg'
import { graphqlRequest, startBenchEngine } from './contestants.ts'
import { Client, openLoad, quantile } from './load.ts'
import { median } from './measure-queries.ts'
import { byKey } from './queries.ts'
import type { Effort } from './run.ts'
import { createStore, run } from './store.ts'

const LOCKED_FOR = 7000
const SLEEPER = 10_001

/**
 * Reads by key, 500 a second: idle; while a table that ten clients read is locked for 7 s; and while a statement that is
 * small for others takes 2,500 ms, sent once a second.
 */
export async function measureBlocked({ rounds }: Effort): Promise<void> {
  const store = await createStore()
  const engine = await startBenchEngine(store)
  await run(
    store.data,
    `CREATE OR REPLACE FUNCTION sleep_row(track) RETURNS text LANGUAGE sql STABLE AS
      $$ SELECT 'slept' || CASE WHEN ($1).id = ${SLEEPER} THEN pg_sleep(2.5)::text ELSE '' END $$`,
  )
  const target = engine.target(byKey)
  const album = graphqlRequest('query ($p: Int!) { album_by_pk(id: $p) { id title } }', { p: 1 })
  const sleep = (id: number) => graphqlRequest('query ($p: Int!) { track_by_pk(id: $p) { sleep_row } }', { p: id })
  const p99 = async () => quantile((await openLoad(target, 500, LOCKED_FOR)).latencies, 0.99)
  const figures: { idle: number; locked: number; asleep: number }[] = []
  for (let round = 0; round < rounds; round++) {
    await warm(engine.port, [album, sleep(SLEEPER + 1)])
    const idle = await p99()
    const lock = new pg.Client({ connectionString: store.data })
    await lock.connect()
    await lock.query('BEGIN; LOCK TABLE album')
    const blocked = Array.from({ length: 10 }, () => askOnce(engine.port, album))
    const locked = await p99()
    await lock.end()
    await Promise.all(blocked)
    await warm(engine.port, [sleep(SLEEPER + 1)])
    const sleeping: Promise<void>[] = []
    const timer = setInterval(() => sleeping.push(askOnce(engine.port, sleep(SLEEPER))), 1000)
    const asleep = await p99()
    clearInterval(timer)
    await Promise.all(sleeping)
    figures.push({ idle, locked, asleep })
  }
  engine.stop()
  const row = (of: (figure: (typeof figures)[number]) => number) => median(figures.map(of)).toFixed(2)
  console.table([
    {
      'p99 idle ms': row(({ idle }) => idle),
      'p99 locked ms': row(({ locked }) => locked),
      times: row(({ idle, locked }) => locked / idle),
      'p99 beside 2,500 ms': row(({ asleep }) => asleep),
      'times ': row(({ idle, asleep }) => asleep / idle),
    },
  ])
}

async function askOnce(port: number, request: Buffer): Promise<void> {
  const client = await Client.open(port)
  await client.ask(request)
  client.close()
}

/** Until they share a connection with others. */
async function warm(port: number, requests: readonly Buffer[]): Promise<void> {
  const client = await Client.open(port)
  for (const request of requests) for (let i = 0; i < 2000; i++) await client.ask(request)
  client.close()
}
