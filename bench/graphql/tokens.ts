import { createHmac, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { type Contestant, cpuOf, startBenchEngine } from './contestants.ts'
import { closedLoad, type Target } from './load.ts'
import { median } from './measure-queries.ts'
import { byKey } from './queries.ts'
import type { Effort } from './run.ts'
import { createStore, role, storeId } from './store.ts'

/** More tokens than any cache of verified ones should hold: each request has one of its own. */
const tokens = 20_000
const connections = 10

/**
 * What a token adds to a read by key, in microseconds of the engine's CPU: the same request with the admin secret and a
 * role, compared with one with a token that was seen before, and one with a token of its own.
 */
export async function measureTokens({ rounds, milliseconds }: Effort): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const secret = randomBytes(32).toString('hex')
  const kinds = [
    { type: 'RS256', key: publicKey.export({ type: 'spki', format: 'pem' }), sign: signRsa(privateKey) },
    {
      type: 'HS256',
      key: secret,
      sign: (text: string) => createHmac('sha256', secret).update(text).digest('base64url'),
    },
  ]
  const table: object[] = []
  for (const { type, key, sign } of kinds) {
    const engine = await startBenchEngine(await createStore(), undefined, {
      SVC_GRAPHQL_JWT_SECRET: JSON.stringify({ type, key }),
    })
    const made = Array.from({ length: tokens }, (_, i) => tokenRequest(token(type, i, sign), i))
    const targets: Readonly<Record<string, Target>> = {
      'admin secret': engine.target(byKey),
      'one token': { port: engine.port, request: () => first(made) },
      'a token each': { port: engine.port, request: (i) => made[i % tokens] ?? first(made) },
    }
    const figures = await inTurn(engine, targets, rounds, milliseconds)
    const plain = figures['admin secret'] ?? Number.NaN
    for (const name of ['one token', 'a token each'])
      table.push({
        type,
        name,
        'µs CPU': Math.round(figures[name] ?? Number.NaN),
        'more than the secret': Math.round((figures[name] ?? Number.NaN) - plain),
      })
    engine.stop()
  }
  console.table(table)
}

async function inTurn(
  engine: Contestant,
  targets: Readonly<Record<string, Target>>,
  rounds: number,
  milliseconds: number,
): Promise<Readonly<Record<string, number>>> {
  const all = Object.entries(targets)
  const measured = new Map(all.map(([name]) => [name, [] as number[]]))
  for (const [, target] of all) await closedLoad(target, connections, 3000)
  for (let round = 0; round < rounds; round++)
    for (const [name, target] of round % 2 === 0 ? all : all.toReversed()) {
      const before = cpuOf(engine.pid)
      const { latencies } = await closedLoad(target, connections, milliseconds)
      measured.get(name)?.push(((cpuOf(engine.pid) - before) * 1000) / latencies.length)
    }
  return Object.fromEntries([...measured].map(([name, list]) => [name, median(list)]))
}

const signRsa = (key: KeyObject) => (text: string) => createSign('RSA-SHA256').update(text).sign(key, 'base64url')

function token(alg: string, i: number, sign: (text: string) => string): string {
  const claims = { 'x-svc-allowed-roles': [role], 'x-svc-default-role': role, 'x-svc-store-id': String(storeId) }
  const payload = { sub: `user ${i}`, exp: 4_102_444_800, 'https://svc.io/jwt/claims': claims }
  const text = [{ alg, typ: 'JWT' }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${sign(text)}`
}

function tokenRequest(bearer: string, i: number): Buffer {
  const body = JSON.stringify({ query: byKey.graphql, variables: { p: byKey.parameter(i) } })
  const head = [
    'POST /v1/graphql HTTP/1.1',
    'host: 127.0.0.1',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `authorization: Bearer ${bearer}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function first(list: readonly Buffer[]): Buffer {
  const [one] = list
  if (!one) throw new Error('there are no requests')
  return one
}
