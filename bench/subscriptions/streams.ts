/**
 * A table streamed to many at once: each socket's batches must be in order, none lost, none twice. Throws where one is not.
 */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { createTestDatabase } from '../../test/postgres.ts'
import { startBenchEngine } from '../graphql/contestants.ts'
import { run } from '../graphql/store.ts'

export interface StreamEffort {
  readonly rows: number
  readonly subscribers: number
  readonly batch: number
}

export async function measureStreams({ rows, subscribers, batch }: StreamEffort): Promise<void> {
  const data = (await createTestDatabase()).url
  await run(
    data,
    `CREATE TABLE event (id bigint PRIMARY KEY, text text);
     INSERT INTO event SELECT n, 'event number ' || n FROM generate_series(1, ${rows}) n`,
  )
  await run(data, 'VACUUM ANALYZE')
  const engine = await startBenchEngine(
    { data, metadata: (await createTestDatabase()).url },
    [{ table: { schema: 'public', name: 'event' } }],
    { SVC_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: '1', SVC_GRAPHQL_ENABLED_LOG_TYPES: 'startup' },
  )
  const began = performance.now()
  let bytes = 0
  const read = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${engine.port}/v1/graphql`, 'graphql-transport-ws', {
      headers: { 'x-svc-admin-secret': 'the secret of the benchmark' },
    })
    await once(socket, 'open')
    socket.send('{"type":"connection_init"}')
    const query = `subscription { event_stream(batch_size: ${batch}, cursor: {initial_value: {id: 0}}) { id text } }`
    socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query } }))
    let next = 1
    await new Promise<void>((resolve, reject) => {
      socket.on('close', (code) => reject(new Error(`closed with ${code} before row ${next}`)))
      socket.on('message', (message: Buffer) => {
        const text = message.toString('latin1')
        if (!text.startsWith('{"type":"next"')) return
        bytes += message.length
        for (const [, id] of text.matchAll(/"id":(\d+)/g))
          if (Number(id) !== next++) reject(new Error(`row ${id} came in the place of ${next - 1}`))
        if (next > rows) resolve()
      })
    })
    socket.removeAllListeners('close')
    socket.terminate()
  }
  await Promise.all(Array.from({ length: subscribers }, read))
  const seconds = (performance.now() - began) / 1000
  engine.stop()
  console.log(
    `streams: ${rows} rows to ${subscribers} subscribers in batches of ${batch}, each in order, none lost, none twice: ` +
      `${seconds.toFixed(1)} s, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s`,
  )
}
