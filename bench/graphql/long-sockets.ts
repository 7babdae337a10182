import { once } from 'node:events'
import { WebSocket } from 'ws'
import { adminSecret, freePort, startBenchEngine } from './contestants.ts'
import { longTable, longTableSql } from './long-requests.ts'
import { median } from './measure-queries.ts'
import type { Effort } from './run.ts'
import { createStore, run, storeTables } from './store.ts'

const headers = { 'x-svc-admin-secret': adminSecret }
const list = <T>(length: number, make: (i: number) => T) => Array.from({ length }, (_, i) => make(i))
const subscribe = (id: number | string, query: string, variables: object = {}) =>
  JSON.stringify({ type: 'subscribe', id: `${id}`, payload: { query, variables } })

interface Clients {
  /** Opens so many acknowledged sockets. */
  open(count: number): Promise<readonly WebSocket[]>
  /** Waits until the sockets have received so many messages of these types since they were opened. */
  received(sockets: readonly WebSocket[], types: RegExp, count: number): Promise<void>
  sql(text: string): Promise<void>
}

const byId = 'query ($id: Int!) { artist_by_pk(id: $id) { id name } }'
const live = 'subscription ($id: Int!) { artist(where: { id: { _eq: $id } }) { id name } }'
const answers = /"type":"(next|error|complete)"/

/** What sockets can do at once within the default bounds. */
const attacks: Readonly<Record<string, (clients: Clients) => Promise<void>>> = {
  '1,000 subscriptions of one statement in one write': async ({ open, received }) => {
    const sockets = await open(1)
    burst(
      sockets,
      list(1000, (i) => subscribe(i, live, { id: i })),
    )
    await received(sockets, answers, 1000)
  },
  '1,000 subscriptions of different statements in one write': async ({ open, received }) => {
    const sockets = await open(1)
    burst(
      sockets,
      list(1000, (i) => subscribe(i, `subscription { artist(limit: 1) { f${i}: id } }`)),
    )
    await received(sockets, answers, 1000)
  },
  '10,000 subscriptions in one write': async ({ open, received }) => {
    const sockets = await open(1)
    burst(
      sockets,
      list(10_000, (i) => subscribe(i, `subscription { artist(limit: 1) { f${i}: id } }`)),
    )
    // an error is followed by complete
    await received(sockets, answers, 1000 + 2 * 9000)
  },
  '10,000 queries in one write': async ({ open, received }) => {
    const sockets = await open(1)
    burst(
      sockets,
      list(10_000, (i) => subscribe(i, byId, { id: i })),
    )
    await received(sockets, answers, 20_000)
  },
  '10,000 pings in one write': async ({ open, received }) => {
    const sockets = await open(1)
    burst(
      sockets,
      list(10_000, () => '{"type":"ping","payload":{"a":[1,2,3]}}'),
    )
    await received(sockets, /"type":"pong"/, 10_000)
  },
  '10,000 stops of nothing in one write': async ({ open, received }) => {
    const sockets = await open(1)
    burst(sockets, [...list(10_000, (i) => `{"type":"complete","id":"${i}"}`), '{"type":"ping"}'])
    await received(sockets, /"type":"pong"/, 1)
  },
  '500 sockets that open, subscribe and are cut off': async ({ open, received }) => {
    const sockets = await open(500)
    for (const socket of sockets) burst([socket], [subscribe(1, live, { id: 1 })])
    await received(sockets, answers, 500)
  },
  'an answer for 10,000 subscriptions of equal values': async ({ open, received, sql }) => {
    const sockets = await open(10)
    burst(
      sockets,
      list(1000, (i) => subscribe(i, live, { id: 1001 })),
    )
    await received(sockets, answers, 10_000)
    await sql('UPDATE artist SET name = name || 1 WHERE id = 1001')
    await received(sockets, answers, 20_000)
  },
  'answers for 10,000 subscriptions of different values': async ({ open, received, sql }) => {
    const sockets = await open(10)
    for (const [at, socket] of sockets.entries())
      burst(
        [socket],
        list(1000, (i) => subscribe(i, live, { id: at * 1000 + i })),
      )
    await received(sockets, answers, 10_000)
    await sql('UPDATE artist SET name = name || 1')
    await received(sockets, answers, 10_550)
  },
  '5,000 different statements polled': async ({ open, received, sql }) => {
    const sockets = await open(5)
    for (const [at, socket] of sockets.entries())
      burst(
        [socket],
        list(1000, (i) => subscribe(i, `subscription { artist(limit: 1) { f${at * 1000 + i}: name } }`)),
      )
    await received(sockets, answers, 5000)
    await sql('UPDATE artist SET name = name || 1')
    await received(sockets, answers, 10_000)
  },
  'a query with 99,000 integers in a variable': async ({ open, received }) => {
    const sockets = await open(1)
    const query = 'query ($v: [Int!]!) { long(where: { id: { _in: $v } }) { id } }'
    burst(sockets, [subscribe(1, query, { v: list(99_000, (i) => i) })])
    await received(sockets, answers, 2)
  },
  'a subscription with 99,000 integers in a variable': async ({ open, received }) => {
    const sockets = await open(1)
    const query = 'subscription ($v: [Int!]!) { long(where: { id: { _in: $v } }) { id } }'
    burst(sockets, [subscribe(1, query, { v: list(99_000, (i) => i) })])
    await received(sockets, answers, 1)
  },
  'a subscription with a text of 30 MB': async ({ open, received }) => {
    const sockets = await open(1)
    const query = 'subscription ($v: String!) { long(where: { e: { _eq: $v } }) { id } }'
    burst(sockets, [subscribe(1, query, { v: 'a"'.repeat(10_000_000) })])
    await received(sockets, answers, 1)
  },
  'a ping of 90,000 values': async ({ open, received }) => {
    const sockets = await open(1)
    burst(sockets, [JSON.stringify({ type: 'ping', payload: list(45_000, (i) => ({ i: `text ${i}` })) })])
    await received(sockets, /"type":"pong"/, 1)
  },
  'a ping of 100 MB': async ({ open, received }) => {
    const sockets = await open(1)
    burst(sockets, [JSON.stringify({ type: 'ping', payload: 'a'.repeat(100_000_000) })])
    await received(sockets, /"type":"pong"/, 1)
  },
  'a query nested 90,000 times': async ({ open, received }) => {
    const sockets = await open(1)
    const deep = `${'['.repeat(90_000)}${']'.repeat(90_000)}`
    burst(sockets, [`{"type":"subscribe","id":"1","payload":{"query":"{ __typename }","variables":{"v":${deep}}}}`])
    await received(sockets, answers, 2)
  },
  'an answer of 30 MB': async ({ open, received }) => {
    const sockets = await open(1)
    const fields = list(40, (i) => `f${i}: track { id name composer bytes milliseconds album { title } }`)
    burst(sockets, [subscribe(1, `{ ${fields.join(' ')} }`)])
    await received(sockets, answers, 2)
  },
}

function burst(sockets: readonly WebSocket[], messages: readonly string[]): void {
  for (const socket of sockets) for (const message of messages) socket.send(message)
}

/**
 * What sockets can do at once, one after another: the longest turn of the engine's event loop while they do and for two seconds
 * after, with the first subscriptions' polls in it.
 */
export async function measureLongSockets({ rounds }: Effort): Promise<void> {
  const store = await createStore()
  await run(store.data, longTableSql)
  const turnsPort = await freePort()
  const engine = await startBenchEngine(store, [...storeTables, longTable], {
    NODE_OPTIONS: `--import=${new URL('turns.ts', import.meta.url)}`,
    BENCH_TURNS_PORT: String(turnsPort),
  })
  const turns = async (path: string) => Number(await (await fetch(`http://127.0.0.1:${turnsPort}/${path}`)).text())
  const only = process.env.BENCH_LONG
  const table: Record<string, object> = {}
  for (const [name, attack] of Object.entries(attacks)) {
    if (only && !new RegExp(only).test(name)) continue
    const figures: { turn: number; took: number }[] = []
    for (let round = 0; round < rounds; round++) {
      const clients = clientsOf(engine.port, store.data)
      await turns('start')
      const begun = performance.now()
      await attack(clients)
      const took = performance.now() - begun
      await new Promise((resolve) => setTimeout(resolve, 2000))
      clients.cutOff()
      await new Promise((resolve) => setTimeout(resolve, 200))
      figures.push({ took, turn: await turns('stop') })
    }
    table[name] = {
      'longest turn': median(figures.map(({ turn }) => turn)).toFixed(0),
      took: median(figures.map(({ took }) => took)).toFixed(0),
    }
    console.log(name, table[name])
  }
  console.table(table)
  engine.stop()
}

function clientsOf(port: number, data: string): Clients & { cutOff(): void } {
  const seen = new Map<WebSocket, string[]>()
  const received: Clients['received'] = async (sockets, types, count) => {
    const isThere = () => {
      let found = 0
      for (const socket of sockets) for (const head of seen.get(socket) ?? []) if (types.test(head)) found += 1
      // a message beyond its bounds ends its socket
      return found >= count || sockets.every(({ readyState }) => readyState === WebSocket.CLOSED)
    }
    // counting at each message would keep this process busy
    while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    received,
    async open(count) {
      const opened: WebSocket[] = []
      for (let i = 0; i < count; i++) {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/graphql`, 'graphql-transport-ws')
        const heads: string[] = []
        seen.set(socket, heads)
        socket.on('error', () => {})
        socket.on('message', (bytes: Buffer) => heads.push(bytes.toString('latin1', 0, 30)))
        await once(socket, 'open')
        socket.send(JSON.stringify({ type: 'connection_init', payload: { headers } }))
        opened.push(socket)
      }
      await received(opened, /"type":"connection_ack"/, count)
      return opened
    },
    async sql(text) {
      await run(data, text)
    },
    cutOff() {
      for (const socket of seen.keys()) socket.terminate()
    },
  }
}
