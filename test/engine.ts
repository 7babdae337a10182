/**
 * The real engine as a process of its own, for tests: `const engine = await startEngine({ databaseUrl }, t)`.
 * It logs with level debug, so that tests can wait for what it observes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { createInterface } from 'node:readline'
import type { Observation, ObservationOf } from '../engine/src/observe/index.ts'
import { createTestDatabase, stopBeforeDrop } from './postgres.ts'

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The parsed text; undefined when it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
}

/** A null header is not sent; the admin secret is unless a header says otherwise. */
export type RequestHeaders = Readonly<Record<string, string | string[] | null>>

export type Engine = {
  readonly url: string
  readonly secret: string
  readonly databaseUrl: string
  readonly pid: number
  post(path: string, body: unknown, headers?: RequestHeaders): Promise<Answer>
  get(path: string, headers?: RequestHeaders): Promise<Answer>
  /** Bytes as they are, with any method. */
  send(method: string, path: string, body: Buffer | string | null, headers?: RequestHeaders): Promise<Answer>
  /** POST /v1/metadata; `more`: further keys next to type and args. */
  metadata(type: string, args: unknown, more?: object): Promise<Answer>
  /**
   * The next observation of a kind (that fits), also one made before the call: each is given once.
   * Rejects when the engine ends.
   */
  observed<K extends Observation['kind']>(
    kind: K,
    fits?: (observation: ObservationOf<K>) => boolean,
  ): Promise<ObservationOf<K>>
  /** Log lines so far; those of a request may come after its answer: wait for them with `logged`. */
  readonly log: readonly string[]
  /** The first log line, also a past one, that has all of these texts. Rejects when the engine ends. */
  logged(...texts: readonly string[]): Promise<string>
  kill(signal?: NodeJS.Signals): void
  /** Asks it to stop and waits for the end. A second call waits too. */
  stop(): Promise<void>
  /** Exit code, or null after a signal. */
  readonly ended: Promise<number | null>
}

export type EngineOptions = {
  /** Without one, an empty database is made. */
  readonly databaseUrl?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Null starts an engine without an admin secret. */
  readonly secret?: string | null
  readonly args?: readonly string[]
  /** Once it resolves, the process is killed, even one that does not serve yet. */
  readonly killedAfter?: Promise<unknown>
}

type WithAfter = { after(cleanUp: () => Promise<void>): void }

/** Starts an engine on a free port and waits until it serves. Rejects with the end of its log when it ends instead. */
export async function startEngine(options: EngineOptions = {}, t?: WithAfter): Promise<Engine> {
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase()).url
  const secret = options.secret === undefined ? 'test-secret' : options.secret
  const child = spawnEngine(databaseUrl, secret, options)
  options.killedAfter?.then(() => child.kill('SIGKILL'))
  const log: string[] = []
  const observations = new Observations()
  const lines = new EventEmitter().setMaxListeners(0)
  const receive = (line: string, isCut: boolean) => {
    log.push(line)
    lines.emit('line', line)
    const observation = isCut ? null : readObservation(line)
    if (observation) observations.add(observation)
  }
  // what a stream ends with is no line: a killed engine may leave half of one
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface(stream).on('line', (line) => receive(line, stream.readableEnded))
  const ended = once(child, 'close').then(([code]) => {
    observations.end(new Error(`the engine ended (${code ?? child.signalCode}):\n${log.slice(-10).join('\n')}`))
    return code as number | null
  })
  const { url } = await observations.next('server-started')
  const agent = new Agent({ keepAlive: true })
  const send: Engine['send'] = (method, path, body, headers = {}) =>
    sendRequest(agent, new URL(path, url), method, body, {
      'content-type': 'application/json',
      ...(secret !== null && { 'x-svc-admin-secret': secret }),
      ...headers,
    })
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
    agent.destroy()
  }
  t?.after(stop)
  stopBeforeDrop(databaseUrl, stop)
  const logged: Engine['logged'] = async (...texts) => {
    const fits = (line: string) => texts.every((text) => line.includes(text))
    const past = log.find(fits)
    if (past !== undefined) return past
    return new Promise((resolve, reject) => {
      const take = (line: string) => {
        if (!fits(line)) return
        lines.off('line', take)
        resolve(line)
      }
      lines.on('line', take)
      ended.then(() => reject(new Error(`the engine ended without a line that has ${texts.join(', ')}`)))
    })
  }
  const post: Engine['post'] = (path, body, headers) => send('POST', path, JSON.stringify(body), headers)
  return {
    url,
    secret: secret ?? '',
    databaseUrl,
    pid: child.pid ?? 0,
    log,
    logged,
    ended,
    send,
    post,
    get: (path, headers) => send('GET', path, null, headers),
    metadata: (type, args, more = {}) => post('/v1/metadata', { type, args, ...more }),
    observed: (kind, fits) => observations.next(kind, fits),
    kill: (signal = 'SIGKILL') => child.kill(signal),
    stop,
  }
}

/** Its lifeline ends it when this process is killed. */
function spawnEngine(databaseUrl: string, secret: string | null, { env = {}, args = [] }: EngineOptions): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_GRAPHQL_'))
  return spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      // one module where many tests run (tools/test/bundle-program.ts), unless hooks change its sources
      (env.NODE_OPTIONS === undefined ? process.env.SVC_TEST_ENGINE : undefined) ??
        new URL('../engine/bin/svc-engine.js', import.meta.url).pathname,
      ...args,
    ],
    {
      env: {
        ...Object.fromEntries(inherited),
        SVC_LAUNCHER_LIFELINE: '3',
        // starting takes half as long with it
        NODE_COMPILE_CACHE: new URL('../node_modules/.cache/engine-under-test', import.meta.url).pathname,
        SVC_GRAPHQL_DATABASE_URL: databaseUrl,
        SVC_GRAPHQL_SERVER_PORT: '0',
        SVC_GRAPHQL_LOG_LEVEL: 'debug',
        ...(secret !== null && { SVC_GRAPHQL_ADMIN_SECRET: secret }),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
  )
}

function readObservation(line: string): Observation | null {
  if (!line.includes('"type":"observation"')) return null
  return JSON.parse(line).detail as Observation
}

class Observations {
  readonly #untaken: Observation[] = []
  readonly #waiting: { readonly take: (observation: Observation) => boolean; readonly fail: (error: Error) => void }[] =
    []
  #end: Error | null = null

  add(observation: Observation): void {
    const at = this.#waiting.findIndex(({ take }) => take(observation))
    if (at >= 0) this.#waiting.splice(at, 1)
    else this.#untaken.push(observation)
  }

  end(error: Error): void {
    this.#end = error
    for (const { fail } of this.#waiting.splice(0)) fail(error)
  }

  next<K extends Observation['kind']>(
    kind: K,
    fits: (observation: ObservationOf<K>) => boolean = () => true,
  ): Promise<ObservationOf<K>> {
    const isIt = (observation: Observation): observation is ObservationOf<K> =>
      observation.kind === kind && fits(observation as ObservationOf<K>)
    const at = this.#untaken.findIndex(isIt)
    if (at >= 0) return Promise.resolve(this.#untaken.splice(at, 1)[0] as ObservationOf<K>)
    if (this.#end) return Promise.reject(this.#end)
    return new Promise((resolve, fail) => {
      const take = (observation: Observation) => {
        if (!isIt(observation)) return false
        resolve(observation)
        return true
      }
      this.#waiting.push({ take, fail })
    })
  }
}

function sendRequest(
  agent: Agent,
  url: URL,
  method: string,
  body: Buffer | string | null,
  headers: RequestHeaders,
): Promise<Answer> {
  const given = Object.entries(headers).filter((entry): entry is [string, string | string[]] => entry[1] !== null)
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers: Object.fromEntries(given) }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) })
      })
    })
    sent.once('error', reject)
    sent.end(body ?? undefined)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
