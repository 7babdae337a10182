/**
 * A proxy before an emulator that fails as the service and the network do. Job ids that it has passed on are answered with
 * 409, which the emulator itself does not know: it runs such a job once more.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { failure } from './rest-double.ts'

/** What becomes of one request: passed on, refused before, or cut once it was passed on. */
export type Fault = 'none' | 429 | 503 | 'cut'

export interface FaultProxy {
  readonly url: string
  /** Jobs that the emulator has run, by their SQL. */
  readonly jobs: readonly string[]
  readonly faults: Readonly<Record<string, number>>
}

type WithAfter = { after(cleanUp: () => Promise<void>): void }

/** `next` says what becomes of the next request for a job or a result. */
export async function startFaultProxy(t: WithAfter, target: string, next: () => Fault): Promise<FaultProxy> {
  const jobs: string[] = []
  const known = new Set<string>()
  const faults: Record<string, number> = {}
  const server = createServer(async (request, response) => {
    const body = await readText(request)
    const isStart = request.method === 'POST' && /\/jobs$/.test((request.url ?? '').split('?')[0] ?? '')
    const fault = isStart || /\/queries\//.test(request.url ?? '') ? next() : 'none'
    if (fault !== 'none') faults[fault] = (faults[fault] ?? 0) + 1
    const refuse = (status: number, message: string) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(failure(status, message, 'backendError').body))
    }
    if (typeof fault === 'number') return refuse(fault, 'Try again')
    if (isStart) {
      const { jobReference, configuration } = JSON.parse(body)
      if (known.has(jobReference.jobId)) return refuse(409, `Already Exists: Job ${jobReference.jobId}`)
      known.add(jobReference.jobId)
      jobs.push(configuration.query.query)
    }
    const method = request.method ?? 'GET'
    const passed = await fetch(target + request.url, { method, ...(body !== '' && { body }) })
    const text = await passed.text()
    if (fault === 'cut') return response.destroy()
    response.writeHead(passed.status, { 'content-type': 'application/json' })
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, jobs, faults }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
