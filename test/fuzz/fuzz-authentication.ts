/**
 * Headers and tokens that no client sends by accident: no error but the modes' own, no session that they do not allow.
 */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { type Headers, readAuthMode, startAuthentication } from '../../engine/src/auth/index.ts'
import { ApiError } from '../../engine/src/errors.ts'
import { createHttpClient } from '../../engine/src/http-client/index.ts'
import { silent } from '../../engine/src/observe/index.ts'
import type { Session } from '../../engine/src/session.ts'
import { seededRandom } from '../admin/random.ts'

const namespace = 'https://svc.io/jwt/claims'
const claims = { 'x-svc-allowed-roles': ['user', 'editor'], 'x-svc-default-role': 'user', 'x-svc-user-id': '12' }
const names = [
  'authorization',
  'cookie',
  'x-svc-role',
  'x-svc-user-id',
  'x-svc-admin-secret',
  'x-svc-access-key',
  'x-svc-use-backend-only-permissions',
  'x-svc-allowed-roles',
  'x-forwarded-for',
]
const odd = [
  '',
  ' ',
  'admin',
  'user',
  'editor',
  'Bearer',
  'true',
  'null',
  '__proto__',
  '\x00',
  'é',
  '%00',
  '{}',
  '[]',
  'a'.repeat(5000),
]

/** Throws what is found. */
export async function fuzzAuthentication(rounds: number, seed: number): Promise<void> {
  const { next: random, pick } = seededRandom(seed)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = publicKey.export({ type: 'spki', format: 'pem' })
  const http = createHttpClient({
    allowPrivateAddresses: true,
    maxResponseBytes: 1,
    tlsAllowlist: () => [],
    report: silent,
  })
  const start = async (jwtSecret: string | null, unauthorizedRole: string | null) =>
    startAuthentication(
      readAuthMode({
        secrets: ['the right secret'],
        unauthorizedRole,
        authHook: null,
        authHookMode: 'GET',
        authHookSendRequestBody: true,
        jwtSecret,
        jwtSecrets: null,
      }),
      { http, report: silent },
    )
  const jwt = await start(JSON.stringify({ type: 'ES256', key }), null)
  const anonymous = await start(JSON.stringify({ type: 'ES256', key }), 'anonymous')
  const secret = await start(null, 'anonymous')
  const signed = await new SignJWT({ [namespace]: claims }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey)

  const mutated = (text: string): string => {
    const at = Math.floor(random() * (text.length + 1))
    switch (Math.floor(random() * 6)) {
      case 0:
        return text.slice(0, at) + pick([...'abcXYZ0189-_.=+/ \0é']) + text.slice(at + 1)
      case 1:
        return text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 20))
      case 2:
        return text.slice(0, at) + pick(odd) + text.slice(at)
      case 3:
        return `${Buffer.from(JSON.stringify({ alg: pick(['none', 'HS256', 'ES256', 'ES384', '', '__proto__']) })).toString('base64url')}${text.slice(text.indexOf('.'))}`
      case 4: {
        const [head, , signature] = text.split('.')
        const other = { [namespace]: { ...claims, 'x-svc-allowed-roles': ['admin'], 'x-svc-default-role': 'admin' } }
        return `${head}.${Buffer.from(JSON.stringify(other)).toString('base64url')}.${signature}`
      }
      default:
        return text
    }
  }
  const headers = (): Headers => {
    const given: Record<string, string> = Object.create(null)
    for (let i = Math.floor(random() * 4); i > 0; i--) given[pick(names)] = pick(odd)
    const token = random() < 0.5 ? mutated(signed) : mutated(mutated(signed))
    if (random() < 0.8) given.authorization = `${pick(['Bearer ', 'bearer ', 'Bearer  ', 'Basic ', ''])}${token}`
    return given
  }
  const ask = async (mode: typeof jwt, given: Headers): Promise<Session | null> => {
    try {
      return (await mode.authenticate({ headers: given, requestId: 'r', graphqlRequest: async () => null })).session
    } catch (error) {
      assert.ok(error instanceof ApiError, `${JSON.stringify(given)}: ${String(error)}`)
      assert.ok(error.status === 400 || error.status === 401, `${JSON.stringify(given)}: ${error.status}`)
      return null
    }
  }
  for (let round = 0; round < rounds; round++) {
    const given = headers()
    const reported = JSON.stringify({ seed, round, given })
    const byToken = await ask(jwt, given)
    if (byToken) {
      const { role, variables } = byToken
      assert.ok(['user', 'editor'].includes(role), reported)
      assert.deepEqual(Object.fromEntries(variables), { 'x-svc-user-id': '12', 'x-svc-role': role }, reported)
    }
    const either = await ask(anonymous, given)
    if (either && !byToken) {
      assert.equal(either.role, 'anonymous', reported)
      assert.ok(!given.authorization, reported)
    }
    const bySecret = await ask(secret, given)
    if (bySecret) {
      assert.equal(bySecret.role, 'anonymous', reported)
      assert.equal(bySecret.variables.get('x-svc-role'), 'anonymous', reported)
      assert.equal(bySecret.backendOnly, false, reported)
    }
  }
  http.close()
}
