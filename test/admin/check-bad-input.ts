import assert from 'node:assert/strict'
import type { Engine } from '../engine.ts'
import { badBody, type Endpoint } from './bad-bodies.ts'
import { seededRandom } from './random.ts'

/** No body may take longer; the machine may be busy. */
const timeout = 20_000

/**
 * Sends `count` bodies that are wrong to an endpoint. Each must get a clear error; a 5xx, a success or silence throws,
 * with the seed. Metadata is afterwards what it was before, to the byte.
 */
export async function checkBadInput(engine: Engine, endpoint: Endpoint, seed: number, count: number): Promise<void> {
  const random = seededRandom(seed)
  const before = await engine.metadata('export_metadata', {}, { version: 2 })
  for (let i = 0; i < count; i++) {
    const body = badBody(random, endpoint)
    try {
      await checkOne(engine, endpoint, body)
    } catch (error) {
      const shown = body.length > 600 ? `${body.subarray(0, 600)}… (${body.length} bytes)` : String(body)
      const message = error instanceof Error ? error.message : String(error)
      throw new Error(`${endpoint}, seed ${seed}, body ${i}: ${shown}\n${message}`)
    }
  }
  const after = await engine.metadata('export_metadata', {}, { version: 2 })
  assert.equal(after.text, before.text, 'metadata is what it was')
}

async function checkOne(engine: Engine, endpoint: Endpoint, body: Buffer): Promise<void> {
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeout} ms`)), timeout)
  const answer = await Promise.race([engine.send('POST', endpoint, body), tooLong]).finally(() => clearTimeout(timer))
  const shown = `${answer.status} ${answer.text.slice(0, 500)}`
  if (endpoint === '/v1/graphql') {
    // what is no request of GraphQL over HTTP has the status 400, an error in a request 200
    assert.ok(answer.status === 200 || answer.status === 400, `not refused as it should be: ${shown}`)
    assert.ok(Array.isArray(answer.body?.errors) && answer.body.errors.length > 0, `not refused: ${shown}`)
    for (const error of answer.body.errors)
      checkText(error.message, error.extensions?.path, error.extensions?.code, shown)
    return
  }
  assert.ok(answer.status >= 400 && answer.status < 500, `not refused as it should be: ${shown}`)
  checkText(answer.body?.error, answer.body?.path, answer.body?.code, shown)
}

function checkText(message: unknown, path: unknown, code: unknown, shown: string): void {
  assert.ok(typeof message === 'string' && message !== '', `no message: ${shown}`)
  assert.ok(typeof path === 'string' && path.startsWith('$'), `no path: ${shown}`)
  assert.ok(typeof code === 'string' && /^[a-z-]+$/.test(code), `no code: ${shown}`)
  assert.ok(!/\bat [\w./<>]+ \(|node:internal|\.ts:\d+/.test(shown), `a stack trace: ${shown}`)
}
