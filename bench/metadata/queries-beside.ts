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
let answered = 0

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
      answer.resume().on('end', () => note(isError ? Number.POSITIVE_INFINITY : performance.now() - due))
    },
  )
  asked.on('error', () => note(Number.POSITIVE_INFINITY))
  asked.end(body)
}

let due = performance.now()
setInterval(() => {
  const now = performance.now()
  for (; due <= now; due += 1000 / perSecond) ask(due)
}, 1)

/** A request for so many latencies, and those of all reads that were sent by then. */
let wanted: { readonly atLeast: number; readonly sent: number } | null = null

function note(latency: number): void {
  latencies.push(latency)
  answered++
  answerIfDone()
}

function answerIfDone(): void {
  if (!wanted || answered < wanted.sent || latencies.length < wanted.atLeast) return
  wanted = null
  parentPort?.postMessage(latencies)
  latencies = []
}

parentPort?.on('message', (atLeast: number) => {
  wanted = { atLeast, sent }
  answerIfDone()
})
