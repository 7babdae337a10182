import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { ApiError } from '../../../errors.ts'
import type { Observation } from '../../../observe/index.ts'
import type { CompiledQuery, ConnectionSettings } from '../../backend.ts'
import { connectionUrl } from './connection-url.ts'
import { PostgresSource } from './postgres-source.ts'
import { settingsFor } from './settings.fixture.ts'

/** What runs each script on a connection of its own. */
export const administrator =
  (url: string) =>
  async (script: string): Promise<readonly Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(script)).rows
    } finally {
      await client.end()
    }
  }

/** A source over that database, which ends with the test; its connections are known by their `application`. */
export async function openSource(t: TestContext, url: string, over: Partial<ConnectionSettings> = {}) {
  const reported: Observation[] = []
  const application = `svc_${Math.random().toString(36).slice(2)}`
  const source = new PostgresSource(settingsFor(named(url, application), over), (o) => reported.push(o))
  t.after(() => source.close())
  const administrate = administrator(connectionUrl(url))
  const connections = () =>
    administrate(`SELECT pid, query FROM pg_stat_activity WHERE application_name = '${application}'`)
  const terminate = () =>
    administrate(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = '${application}'`,
    )
  return { source, reported, application, connections, terminate }
}

function named(url: string, application: string): string {
  if (!URL.canParse(url)) return `${url} application_name=${application}`
  const parsed = new URL(url)
  parsed.searchParams.set('application_name', application)
  return parsed.href
}

/** A query of `slots` texts. */
export const plan = (text: string, slots = 0): CompiledQuery => ({
  text,
  slots: Array.from({ length: slots }, () => ({
    kind: 'constant',
    text: null,
    type: { type: { schema: 'pg_catalog', name: 'text', kind: 'base', array: false }, list: false },
  })),
  effects: 'none',
  inlined: () => text,
})

/**
 * Resolves when small statements share a connection beside the pool's: one is answered while all the others, one less
 * than `maxConnections`, are busy. Two connections alone say nothing, for the pool opens a second one where the first
 * is busy.
 */
export async function untilShared(
  source: PostgresSource,
  maxConnections: number,
  askSmall: () => Promise<unknown>,
): Promise<void> {
  const sleeping = plan('SELECT pg_sleep(0.05)::text')
  for (let isShared = false; !isShared; ) {
    for (let i = 0; i < 20; i++) await askSmall()
    const asleep = async () =>
      source.query(sleeping, []).then(
        () => false,
        () => false,
      )
    const others = Array.from({ length: maxConnections - 1 }, asleep)
    // behind them, where it has to wait for one
    const small = askSmall().then(() => true)
    isShared = await Promise.race([small, ...others])
    await Promise.all([small, ...others])
  }
}

/** How it is refused. */
export const refusal = async (promise: Promise<unknown>) => {
  try {
    await promise
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    return { code: error.code, status: error.status, path: error.path.toString(), message: error.message }
  }
  assert.fail('it was answered')
}
