import assert from 'node:assert/strict'
import pg from 'pg'
import { type Random, seededRandom } from '../admin/random.ts'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { type PostgresServer, startPostgres } from '../postgres-server.ts'
import { openSocket } from '../websocket-client.ts'
import {
  advance,
  createNotes,
  expected,
  headersOf,
  mostLeast,
  owners,
  type Person,
  people,
  roundOf,
  selections,
  type Variant,
} from './oracle.ts'
import { changed, permissions, table, track } from './session-metadata.ts'
import type { AskedRead, Clock, Live, Payload, Streamed } from './session-state.ts'

export interface Effort {
  readonly rounds: number
  /** Requests over HTTP and operations over sockets that are under way at a time, of each. */
  readonly load: number
  readonly seed: number
  /** Restarts of the database, spread over the rounds: in an orderly way and as a crash by turns. */
  readonly restarts: number
}

export interface Found {
  /** Answers that were compared with the oracle, by transport. */
  readonly compared: Readonly<Record<string, number>>
  readonly wrong: readonly string[]
}

const protocols = ['graphql-ws', 'graphql-transport-ws'] as const

/**
 * Sessions of several roles ask the same questions over HTTP and both websocket protocols, once, live and streaming, while
 * rows and permissions change and the database restarts. Every answer is compared with what its session may see; in the end
 * every subscription has the latest state and every stream all of its rows once.
 */
export async function runSessions({ rounds, load, seed, restarts }: Effort): Promise<Found> {
  const random = seededRandom(seed)
  const server = await startPostgres()
  // a crash loses no commit, so that every answer after it is of a round that the oracle knows
  await runOnDatabase(server.url, 'ALTER ROLE postgres SET synchronous_commit = on')
  const engine = await startEngine({
    databaseUrl: server.url,
    env: {
      SVC_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: '20',
      SVC_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: '20',
      SVC_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_BATCH_SIZE: '4',
      SVC_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_BATCH_SIZE: '4',
      SVC_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE: 'false',
      SVC_GRAPHQL_ENABLED_LOG_TYPES: 'startup',
      SVC_GRAPHQL_LOG_LEVEL: 'debug',
    },
  })
  try {
    return await runOn(engine, server, random, { rounds, load, seed, restarts })
  } finally {
    await engine.stop()
    await server.stop()
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function runOn(engine: Engine, server: PostgresServer, random: Random, effort: Effort): Promise<Found> {
  let client = await connect(server.url)
  await client.query(createNotes)
  const { status, text } = await engine.metadata('bulk', [...track, ...permissions('all')])
  assert.equal(status, 200, text)

  const clock: Clock = { committed: 0, begun: 0, variants: new Set(['all']), seen: new Set(), away: false }
  const compared: Record<string, number> = {}
  const wrong: string[] = []
  const fail = (what: string) => {
    if (wrong.length < 20) wrong.push(what)
  }
  let stopped = false

  /** What an answer may rest on that is asked for now. */
  const begin = () => {
    const variants = new Set(clock.variants)
    clock.seen.add(variants)
    return { since: clock.committed, wasAway: clock.away, variants }
  }
  const check = (transport: string, asked: AskedRead, began: ReturnType<typeof begin>, payload: Payload) => {
    clock.seen.delete(began.variants)
    if (payload.errors !== undefined && payload.errors !== null) {
      if (!began.wasAway && !clock.away) fail(`${transport}: ${JSON.stringify(payload.errors)}`)
      return
    }
    const { person, selection, least } = asked
    const data = payload.data ?? {}
    const round = roundOf(data)
    const isOfItsTime = round >= began.since && round <= clock.begun
    const got = JSON.stringify(data)
    const isRight = [...began.variants].some((variant) => expected(person, selection, least, round, variant) === got)
    compared[transport] = (compared[transport] ?? 0) + 1
    if (!isRight || !isOfItsTime)
      fail(`${transport}, ${JSON.stringify(person)}, ${selections[selection]}, round ${round} of ${began.since} to ${clock.begun}, ${[...began.variants]}: ${got}`) // biome-ignore format: one line
  }
  const change = async (variant: Variant) => {
    const before = clock.variants
    const both = new Set([...before, variant])
    clock.variants = both
    for (const variants of clock.seen) variants.add(variant)
    const { status } = await engine.metadata('bulk', changed(variant))
    // one that failed may have been stored, and be served later
    if (status === 200 && !clock.away) clock.variants = new Set([variant])
  }
  const comment = (round: number) =>
    engine.metadata('pg_set_table_customization', { table, configuration: { comment: `round ${round}` } })

  const sockets = await Promise.all(
    people.flatMap((person) =>
      protocols.map(async (protocol) => {
        const socket = await openSocket(engine, { protocol, init: { 'x-svc-admin-secret': engine.secret, ...headersOf(person) } }) // biome-ignore format: one line
        return { person, protocol, socket }
      }),
    ),
  )
  // ids of messages that wait, and what becomes of them
  const once = new Map<string, (payload: Payload) => void>()
  const live: Live[] = []
  const streams: Streamed[] = []
  for (const [at, { person, protocol, socket }] of sockets.entries()) {
    const own = new Map<string, (payload: Payload) => void>()
    const subscribe = (id: string, query: string, variables: object, take: (payload: Payload) => void) => {
      own.set(id, take)
      socket.send({ id, type: protocol === 'graphql-ws' ? 'start' : 'subscribe', payload: { query, variables } })
    }
    socket.socket.on('message', (data) => {
      const { id, type, payload } = JSON.parse(String(data))
      if (type !== 'data' && type !== 'next' && type !== 'error') return
      const result: Payload = type === 'error' ? { errors: payload } : payload
      const waiting = once.get(id)
      if (waiting) {
        once.delete(id)
        waiting(result)
      } else own.get(id)?.(result)
    })
    for (let selection = 0; selection < selections.length; selection++) {
      const least = random.below(mostLeast + 1)
      const one: Live = { asked: { person, selection, least }, last: '', round: 0 }
      live.push(one)
      const query = `subscription${selection === 0 ? '' : ' ($least: Int!)'} { ${selections[selection]} }`
      subscribe(`${at}.${selection}`, query, selection === 0 ? {} : { least }, (payload) => {
        if (payload.errors !== undefined && payload.errors !== null) return
        const data = payload.data ?? {}
        const round = roundOf(data)
        const got = JSON.stringify(data)
        const isRight = (['all', 'half'] as const).some((v) => expected(person, selection, least, round, v) === got)
        compared[`live, ${protocol}`] = (compared[`live, ${protocol}`] ?? 0) + 1
        if (!isRight || round < one.round) fail(`live, ${protocol}, ${JSON.stringify(person)}, ${selections[selection]}, round ${round} after ${one.round}: ${got}`) // biome-ignore format: one line
        one.last = got
        one.round = round
      })
    }
    const streamed: Streamed = { person, ids: [] }
    streams.push(streamed)
    subscribe(
      `${at}.stream`,
      'subscription { entry_stream(batch_size: 3, cursor: {initial_value: {id: 0}}) { id owner } }',
      {},
      ({ data }) => {
        const rows = (data?.entry_stream ?? []) as readonly { readonly id: number; readonly owner: number }[]
        compared[`streamed, ${protocol}`] = (compared[`streamed, ${protocol}`] ?? 0) + rows.length
        for (const { id, owner } of rows) {
          if (isFiltered(person) && owner !== person.owner)
            fail(`streamed, ${protocol}, ${JSON.stringify(person)}: a row of ${owner}`)
          streamed.ids.push(id)
        }
      },
    )
  }

  const oneOf = (): AskedRead => ({
    person: random.pick(people),
    selection: random.below(selections.length),
    least: random.below(mostLeast + 1),
  })
  const bodyOf = ({ selection, least }: AskedRead) => ({
    query: `query${selection === 0 ? '' : ' ($least: Int!)'} { ${selections[selection]} }`,
    variables: selection === 0 ? {} : { least },
  })
  const askHttp = async () => {
    while (!stopped) {
      const asked = oneOf()
      const began = begin()
      const { body, text } = await engine.post('/v1/graphql', bodyOf(asked), headersOf(asked.person))
      check('HTTP', asked, began, body ?? { errors: text })
    }
  }
  let numbers = 0
  const askSocket = async () => {
    while (!stopped) {
      const { person, protocol, socket } = random.pick(sockets)
      const asked = { ...oneOf(), person }
      const id = `once${numbers++}`
      const began = begin()
      const answered = new Promise<Payload>((resolve) => once.set(id, resolve))
      socket.send({ id, type: protocol === 'graphql-ws' ? 'start' : 'subscribe', payload: bodyOf(asked) })
      check(`asked, ${protocol}`, asked, began, await answered)
    }
  }
  const asking = Promise.all(Array.from({ length: effort.load }, () => [askHttp(), askSocket()]).flat())

  const restartAt = new Set(
    Array.from({ length: effort.restarts }, (_, i) => Math.floor(((i + 1) * effort.rounds) / (effort.restarts + 1))),
  )
  let entries = 0
  let variant: Variant = 'all'
  for (let round = 1; round <= effort.rounds; round++) {
    clock.begun = round
    await client.query(advance, [round])
    clock.committed = round
    const first = entries + 1
    entries += 2 * owners
    await client.query(`INSERT INTO entry SELECT n, n % ${owners}, $1 FROM generate_series($2::int, $3::int) n`, [
      round,
      first,
      entries,
    ])
    if (round % 4 === 2) await comment(round)
    if (round % 3 === 0) {
      variant = variant === 'all' ? 'half' : 'all'
      await change(variant)
    }
    if (restartAt.has(round)) {
      clock.away = true
      const [mode, other]: readonly ['fast' | 'immediate', Variant] = [
        round % 2 === 0 ? 'fast' : 'immediate',
        variant === 'all' ? 'half' : 'all',
      ]
      await Promise.all([server.restart(mode), change(other).then(() => change(variant))])
      client = await connect(server.url)
      // whatever became of those
      await until(async () => (await engine.metadata('bulk', changed(variant))).status === 200)
      clock.variants = new Set([variant])
      await until(async () => (await Promise.all(Array.from({ length: 20 }, () => engine.post('/v1/graphql', { query: '{ note(limit: 1) { id } }' })))).every(({ body }) => body.data)) // biome-ignore format: one line
      clock.away = false
    }
    const before = { ...compared }
    await until(async () => (compared.HTTP ?? 0) > (before.HTTP ?? 0) + effort.load)
  }

  const isCurrent = ({ asked: { person, selection, least }, last }: Live) =>
    last === expected(person, selection, least, effort.rounds, variant)
  const isWhole = ({ person, ids }: Streamed) => ids.length >= (isFiltered(person) ? entries / owners : entries)
  await until(async () => live.every(isCurrent) && streams.every(isWhole), 30_000).catch(() => {
    for (const one of live) if (!isCurrent(one)) fail(`not current: ${JSON.stringify(one)}`)
    for (const one of streams) if (!isWhole(one)) fail(`not whole: ${JSON.stringify(one)}`)
  })
  for (const { person, ids } of streams) {
    const all = Array.from({ length: entries }, (_, i) => i + 1)
    const own = isFiltered(person) ? all.filter((id) => id % owners === person.owner) : all
    if (JSON.stringify(own) !== JSON.stringify(ids)) fail(`a stream of ${JSON.stringify(person)}: ${ids}`)
  }
  stopped = true
  await asking
  for (const { socket } of sockets) socket.socket.terminate()
  await client.end()
  return { compared, wrong }
}

/** Of `entry`: the others see all of it. */
const isFiltered = ({ role }: Person): boolean => role === 'owner' || role === 'team'

async function until(holds: () => Promise<boolean>, most = 60_000): Promise<void> {
  const end = performance.now() + most
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('it took too long')
    await new Promise((resolve) => setImmediate(resolve))
  }
}
