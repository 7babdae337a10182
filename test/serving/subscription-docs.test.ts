/** The examples of docs/subscriptions.md: SQL is run, operations are sent, messages are compared. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { blocksOf } from '../console-examples.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { openSocket, type TestSocket } from '../websocket-client.ts'

test('the examples of docs/subscriptions.md do what they say', async (t) => {
  const database = await createTestDatabase(t)
  const interval = 'MULTIPLEXED_REFETCH_INTERVAL'
  const engine = await startEngine(
    {
      databaseUrl: database.url,
      env: { [`SVC_GRAPHQL_LIVE_QUERIES_${interval}`]: '50', [`SVC_GRAPHQL_STREAMING_QUERIES_${interval}`]: '50' },
    },
    t,
  )
  let socket: TestSocket | null = null
  let compared = 0
  for (const { language, text } of blocksOf(readFileSync('docs/subscriptions.md', 'utf8'))) {
    if (language === 'sql') await runOnDatabase(database.url, text)
    if (language === 'graphql') {
      socket?.close()
      socket = await openSocket(engine, {
        protocol: 'graphql-transport-ws',
        init: { 'x-svc-admin-secret': engine.secret },
      })
      socket.send({ id: '1', type: 'subscribe', payload: { query: text } })
    }
    if (language === 'text') await speak(engine, text)
    if (language !== 'json') continue
    const json = JSON.parse(text)
    if (typeof json.type === 'string') {
      const { status, text: said } = await engine.metadata(json.type, json.args)
      assert.equal(status, 200, said)
    } else {
      assert.deepEqual((await socket?.next())?.payload, { data: json })
      compared += 1
    }
  }
  assert.equal(compared, 5)
  socket?.close()
})

/** Lines of what is sent and what comes. */
async function speak(engine: Engine, text: string): Promise<void> {
  const socket = await openSocket(engine, { protocol: 'graphql-transport-ws' })
  let received = 0
  for (const line of text.trim().split('\n')) {
    const message = JSON.parse(line.slice(2).replace('SECRET', engine.secret))
    if (line.startsWith('→')) {
      // the first keep-alive comes whatever is said
      if (message.type === 'connection_init') while (socket.all.length === 0) await once(socket.socket, 'message')
      socket.send(message)
      continue
    }
    while (socket.all.length <= received) await once(socket.socket, 'message')
    assert.deepEqual(socket.all[received++], message)
  }
  assert.equal((await socket.closed).code, 1000)
}
