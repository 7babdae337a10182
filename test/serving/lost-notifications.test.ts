/** Notifications of the catalogue that get lost silently (docs/operations.md): what they announce is served all the same. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startTcpProxy } from './tcp-proxy.ts'

/** What becomes of the answers on connections that listen. */
type Loss = 'none' | 'notifications' | 'everything'

/** Messages of PostgreSQL's protocol, without those that are lost. */
function losing(loss: () => Loss): (bytes: Buffer) => Buffer {
  let rest = Buffer.alloc(0)
  let listens = false
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    const passed: Buffer[] = []
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const message = rest.subarray(0, rest.readUInt32BE(1) + 1)
      rest = rest.subarray(message.length)
      const type = String.fromCharCode(message[0] ?? 0)
      if (type === 'C' && message.includes('LISTEN')) listens = true
      const isLost = loss() === 'everything' ? listens : loss() === 'notifications' && type === 'A'
      if (!isLost) passed.push(message)
    }
    return Buffer.concat(passed)
  }
}

test('a change is served by all instances although its notification is lost silently', async (t) => {
  const database = await createTestDatabase(t)
  let loss: Loss = 'none'
  const proxy = await startTcpProxy(database.url, () => losing(() => loss))
  t.after(() => proxy.close())
  // nothing waits for the poll
  const env = { SVC_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL: '3600000' }
  const writer = await startEngine({ databaseUrl: database.url, env }, t)
  const follower = await startEngine(
    { databaseUrl: database.url, env: { ...env, SVC_GRAPHQL_METADATA_DATABASE_URL: proxy.url } },
    t,
  )
  const times: string[] = []
  for (const next of ['none', 'notifications', 'notifications', 'everything', 'everything', 'none'] as const) {
    loss = next
    const name = `c${times.length}`
    const { status } = await writer.metadata('create_query_collection', { name, definition: { queries: [] } })
    const answered = performance.now()
    assert.equal(status, 200)
    await follower.observed('metadata-synchronised')
    times.push(`${next} ${(performance.now() - answered).toFixed(0)}`)
  }
  t.diagnostic(`milliseconds: ${times.join(', ')}`)
})
