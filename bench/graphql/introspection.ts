import { connect } from 'node:net'
import { getIntrospectionQuery } from 'graphql'
import { graphqlRequest, startBenchEngine } from './contestants.ts'
import { Client } from './load.ts'
import { createTables, tablesMetadata } from './many-tables.ts'
import { median } from './measure-queries.ts'
import type { Effort } from './run.ts'

const tables = 1000

/**
 * Introspection of 1,000 tables by a role that was not seen before, and the longest that another request takes
 * meanwhile.
 */
export async function measureIntrospection({ rounds }: Effort): Promise<void> {
  const roles = Array.from({ length: rounds }, (_, i) => `role_${i}`)
  const engine = await startBenchEngine(await createTables(tables), tablesMetadata(tables, roles))
  const other = await Client.open(engine.port)
  const times: number[] = []
  const stalls: number[] = []
  let size = 0
  for (const role of roles) {
    const small = graphqlRequest('{ t0(limit: 1) { id } }', {}, role)
    for (let i = 0; i < 20; i++) await other.ask(small)
    const started = performance.now()
    let over = false
    const introspected = askAndForget(engine.port, graphqlRequest(getIntrospectionQuery(), {}, role)).then((bytes) => {
      times.push(performance.now() - started)
      size = bytes
      over = true
    })
    let longest = 0
    while (!over) {
      const begun = performance.now()
      await other.ask(small)
      longest = Math.max(longest, performance.now() - begun)
    }
    await introspected
    stalls.push(longest)
  }
  console.table([
    {
      megabytes: (size / 1e6).toFixed(1),
      'median ms': median(times).toFixed(0),
      'first ms': times[0]?.toFixed(0),
      'stall, median ms': median(stalls).toFixed(0),
      'stall, longest ms': Math.max(...stalls).toFixed(0),
    },
  ])
  engine.stop()
}

/** The bytes of an answer, which are thrown away as they come: joining them would stall this process, and so what it measures. */
function askAndForget(port: number, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0
    let expected = Number.POSITIVE_INFINITY
    const place = Buffer.alloc(65_536)
    const callback = (length: number) => {
      if (bytes === 0) {
        const [head = '', size] =
          /^HTTP\/1.1 200.*?content-length: *(\d+).*?\r\n\r\n/is.exec(place.toString('latin1', 0, length)) ?? []
        if (!size) reject(new Error(place.toString('utf8', 0, length)))
        expected = head.length + Number(size)
      }
      bytes += length
      if (bytes < expected) return true
      socket.destroy()
      resolve(bytes)
      return false
    }
    const socket = connect({ port, host: '127.0.0.1', onread: { buffer: place, callback } }, () =>
      socket.write(request),
    )
    socket.once('error', reject)
  })
}
