/** In a thread of its own: reads by key as a role, some hundred a second, timed from when each was due. */
import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const { url, secret, perSecond, tables } = workerData as {
  readonly url: string
  readonly secret: string
  readonly perSecond: number
  readonly tables: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 20 })
let latencies: number[] = []
let sent = 0

function ask(due: number): void {
  const body = JSON.stringify({ query: `query { t${sent++ % Math.min(50, tables)}_by_pk(id: 1) { id name } }` })
  const asked = request(
    `${url}/v1/graphql`,
    {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json',
        'x-svc-admin-secret': secret,
        'x-svc-role': 'role_5',
        'x-svc-user-id': 'x',
      },
    },
    (answer) => {
      const isError = answer.statusCode !== 200
      answer.resume().on('end', () => latencies.push(isError ? Number.POSITIVE_INFINITY : performance.now() - due))
    },
  )
  asked.on('error', () => latencies.push(Number.POSITIVE_INFINITY))
  asked.end(body)
}

let due = performance.now()
setInterval(() => {
  const now = performance.now()
  for (; due <= now; due += 1000 / perSecond) ask(due)
}, 1)

parentPort?.on('message', () => {
  parentPort?.postMessage(latencies)
  latencies = []
})
