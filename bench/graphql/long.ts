import { freePort, graphqlRequest, startBenchEngine } from './contestants.ts'
import { Client } from './load.ts'
import { longRequests, longTable, longTableSql } from './long-requests.ts'
import { median } from './measure-queries.ts'
import { byKey } from './queries.ts'
import type { Effort } from './run.ts'
import { createStore, run, storeTables } from './store.ts'

/**
 * The longest requests that the default bounds allow, one after another, each during reads by key on another
 * connection: the longest turn of the engine's event loop and the slowest of those reads.
 */
export async function measureLong({ rounds }: Effort): Promise<void> {
  const store = await createStore()
  await run(store.data, longTableSql)
  const turnsPort = await freePort()
  const engine = await startBenchEngine(store, [...storeTables, longTable], {
    NODE_OPTIONS: `--import=${new URL('turns.ts', import.meta.url)}`,
    BENCH_TURNS_PORT: String(turnsPort),
    ...(process.env.BENCH_LONG_ENV ? JSON.parse(process.env.BENCH_LONG_ENV) : {}),
  })
  const turns = async (path: string) => Number(await (await fetch(`http://127.0.0.1:${turnsPort}/${path}`)).text())
  const target = engine.target(byKey)
  const probe = await Client.open(engine.port)
  for (let i = 0; i < 1000; i++) await probe.ask(target.request(i))
  const only = process.env.BENCH_LONG
  const table: Record<string, object> = {}
  for (const [name, make] of Object.entries(longRequests)) {
    if (only && !new RegExp(only).test(name)) continue
    const figures: { turn: number; wait: number; took: number }[] = []
    const { query, variables = {} } = make()
    // another text each round: none finds its plan
    const requests = Array.from({ length: rounds }, (_, round) => graphqlRequest(`${query} #${round}`, variables))
    let answer = ''
    for (let round = 0; round < rounds; round++) {
      await turns('start')
      const request = requests[round] ?? Buffer.alloc(0)
      const begun = performance.now()
      let isOver = false
      const asked = askOnce(engine.port, request).then((text) => {
        isOver = true
        answer = text
      })
      let wait = 0
      while (!isOver) {
        const sent = performance.now()
        await probe.ask(target.request(round))
        wait = Math.max(wait, performance.now() - sent)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      await asked
      figures.push({ took: performance.now() - begun, turn: await turns('stop'), wait })
    }
    table[name] = {
      MB: ((requests[0]?.length ?? 0) / 1e6).toFixed(1),
      'longest turn': median(figures.map(({ turn }) => turn)).toFixed(0),
      'slowest read': median(figures.map(({ wait }) => wait)).toFixed(0),
      took: median(figures.map(({ took }) => took)).toFixed(0),
      answer: answer.slice(0, 110),
    }
  }
  console.table(table)
  engine.stop()
}

/** The beginning of its answer, a failure's too. */
async function askOnce(port: number, request: Buffer): Promise<string> {
  const { connect } = await import('node:net')
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    const chunks: Buffer[] = []
    let wanted = Number.POSITIVE_INFINITY
    let length = 0
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (chunks.length < 4) chunks.push(chunk)
      const head = Buffer.concat(chunks).toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      const size = /content-length: *(\d+)/i.exec(head)?.[1]
      if (end >= 0 && size) wanted = end + 4 + Number(size)
      if (length < wanted) return
      socket.destroy()
      resolve(head.slice(end + 4, end + 200))
    })
  })
}
