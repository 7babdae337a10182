import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, test } from 'node:test'
import { type JWTPayload, SignJWT } from 'jose'
import { untrustedCertificate, untrustedKey } from '../../../../test/cli/untrusted-certificate.ts'
import { FatalError } from '../../config/index.ts'
import { ApiError } from '../../errors.ts'
import { createHttpClient } from '../../http-client/index.ts'
import { silent } from '../../observe/index.ts'
import { type Authentication, type Headers, readAuthMode, startAuthentication } from '../index.ts'

const http = createHttpClient({
  allowPrivateAddresses: true,
  maxResponseBytes: 100_000,
  tlsAllowlist: () => [],
  report: silent,
})
const now = () => Math.floor(Date.now() / 1000)
const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const rsaConfig = { type: 'RS256', key: pem(rsa.publicKey) }
const secretText = 'a secret of more than sixty-four characters, since HS512 asks for that many'

const session = {
  'x-svc-allowed-roles': ['editor', 'viewer'],
  'X-Svc-Default-Role': 'viewer',
  'X-Svc-Org': '12',
  'x-svc-admin-secret': 'never a variable',
  other: 1,
}
const payload = (claims: unknown = session, more: JWTPayload = {}): JWTPayload => ({
  'https://svc.io/jwt/claims': claims,
  ...more,
})

const sign = (claims: JWTPayload, alg = 'RS256', key: KeyObject | Uint8Array = rsa.privateKey, kid?: string) =>
  new SignJWT(claims).setProtectedHeader({ alg, ...(kid !== undefined && { kid }) }).sign(key)

type Config = Readonly<Record<string, unknown>>

async function modeOf(config: Config | readonly Config[], unauthorizedRole: string | null = null) {
  const mode = readAuthMode({
    secrets: ['admin secret'],
    unauthorizedRole,
    authHook: null,
    authHookMode: 'GET',
    authHookSendRequestBody: true,
    jwtSecret: Array.isArray(config) ? null : JSON.stringify(config),
    jwtSecrets: Array.isArray(config) ? JSON.stringify(config) : null,
  })
  const { authenticate, close } = await startAuthentication(mode, { http, report: silent })
  const ask = async (headers: Headers): Promise<Authentication> =>
    authenticate({ headers, requestId: 'r', graphqlRequest: async () => null })
  return { ask, close }
}

const bearer = (token: string, more: Headers = {}): Headers => ({ authorization: `Bearer ${token}`, ...more })

async function fault(asked: Promise<unknown>): Promise<string> {
  try {
    await asked
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    assert.deepEqual([error.status, error.path.toString()], [400, '$'])
    return `${error.code}: ${error.message}`
  }
  return assert.fail('was accepted')
}

const fatal = (config: unknown): Promise<string> =>
  modeOf(config as Config).then(
    () => assert.fail('was accepted'),
    (error: unknown) => {
      assert.ok(error instanceof FatalError, String(error))
      return error.message
    },
  )

test('who brings a token is asked for it with each request, who brings a secret or nothing need not be', async () => {
  const { ask } = await modeOf(rsaConfig, 'anonymous')
  const isOfHeaders = async (headers: Headers) => (await ask(headers)).isOfHeaders ?? false
  assert.equal(await isOfHeaders(bearer(await sign(payload()))), false)
  assert.equal(await isOfHeaders({ 'x-svc-admin-secret': 'admin secret' }), true)
  assert.equal(await isOfHeaders({}), true)
})

describe('a token of each algorithm', () => {
  const pairs = {
    RS256: rsa,
    RS384: rsa,
    RS512: rsa,
    ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    ES512: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
    Ed25519: generateKeyPairSync('ed25519'),
  }
  for (const [type, { publicKey, privateKey }] of Object.entries(pairs))
    test(`${type} is verified with its public key`, async () => {
      const { ask } = await modeOf({ type, key: pem(publicKey) })
      const token = await sign(payload(), type, privateKey)
      assert.deepEqual((await ask(bearer(token))).session, {
        role: 'viewer',
        variables: new Map([
          ['x-svc-org', '12'],
          ['x-svc-role', 'viewer'],
        ]),
        backendOnly: false,
      })
      const [head, body] = token.split('.')
      assert.equal(
        await fault(ask(bearer(`${head}.${body}.${Buffer.alloc(64, 1).toString('base64url')}`))),
        'invalid-jwt: Could not verify JWT: JWSError JWSInvalidSignature',
      )
    })
  for (const type of ['HS256', 'HS384', 'HS512'])
    test(`${type} is verified with its secret`, async () => {
      const { ask } = await modeOf({ type, key: secretText })
      const { session } = await ask(bearer(await sign(payload(), type, Buffer.from(secretText))))
      assert.equal(session.role, 'viewer')
    })
  test('EdDSA is the other name of Ed25519, and a key of RSA takes RS and PS of each size', async () => {
    const { ask } = await modeOf({ type: 'Ed25519', key: pem(pairs.Ed25519.publicKey) })
    await ask(bearer(await sign(payload(), 'EdDSA', pairs.Ed25519.privateKey)))
    const { ask: askRsa } = await modeOf(rsaConfig)
    for (const alg of ['RS384', 'RS512', 'PS256', 'PS384', 'PS512']) await askRsa(bearer(await sign(payload(), alg)))
  })
  test('a public key in PKCS#1 or in a certificate is read', async () => {
    const { ask } = await modeOf({
      type: 'RS512',
      key: rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    })
    await ask(bearer(await sign(payload())))
    const certified = await modeOf({ type: 'ES256', key: untrustedCertificate })
    await certified.ask(bearer(await sign(payload(), 'ES256', createPrivateKey(untrustedKey))))
  })
})

describe('a forged token', () => {
  const refusal = 'invalid-jwt: Could not verify JWT: JWSError JWSInvalidSignature'
  const b64 = (json: unknown) => Buffer.from(JSON.stringify(json)).toString('base64url')
  test('signed with the public key as a secret, or with another key, or not at all, is refused', async () => {
    const { ask } = await modeOf(rsaConfig)
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
    for (const token of [
      await sign(payload(), 'HS256', Buffer.from(rsaConfig.key)),
      await sign(payload(), 'RS256', other.privateKey),
      `${b64({ alg: 'none' })}.${b64(payload())}.`,
      `${b64({ alg: 'RS256' })}.${b64(payload())}.`,
      `${b64({ alg: 'constructor' })}.${b64(payload())}.AAAA`,
    ])
      assert.equal(await fault(ask(bearer(token))), refusal)
  })
  test('a payload changed after signing is refused', async () => {
    const { ask } = await modeOf(rsaConfig)
    const [head, , signature] = (await sign(payload())).split('.')
    assert.equal(
      await fault(ask(bearer(`${head}.${b64(payload({ ...session, 'x-svc-org': '13' }))}.${signature}`))),
      refusal,
    )
  })
  test('what is no token says what it is', async () => {
    const { ask } = await modeOf(rsaConfig)
    const why = async (token: string) =>
      (await fault(ask(bearer(token)))).replace('invalid-jwt: Could not verify JWT: ', '')
    assert.match(await why('abc'), /^JWSError \(CompactDecodeError Invalid number of parts: Expected 3 parts; got 1\)$/)
    assert.match(await why('a.b.c'), /^JWSError \(CompactDecodeError/)
    assert.match(
      await why(`${b64({ alg: 'RS256', crit: ['b64'], b64: false })}.e30.AA`),
      /^JWSError \(CompactDecodeError/,
    )
    assert.match(await why(`${b64({ alg: 'RS256' })}.W10.AA`), /^JWTClaimsSetDecodeError/)
  })
})

test('time, audience and issuer are checked, with the leeway that is allowed', async () => {
  const { ask } = await modeOf({ ...rsaConfig, audience: ['one', 'two'], issuer: 'me' })
  const why = async (more: JWTPayload) =>
    (await fault(ask(bearer(await sign(payload(session, more)))))).replace('invalid-jwt: Could not verify JWT: ', '')
  assert.equal(await why({ exp: now() - 1 }), 'JWTExpired')
  assert.equal(await why({ nbf: now() + 60 }), 'JWTNotYetValid')
  assert.equal(await why({ iat: now() + 60 }), 'JWTIssuedAtFuture')
  assert.equal(await why({ aud: 'three' }), 'JWTNotInAudience')
  assert.equal(await why({ iss: 'you' }), 'JWTNotInIssuer')
  for (const more of [{}, { aud: 'one' }, { aud: ['x', 'two'], iss: 'me', exp: now() + 60, iat: now() }])
    await ask(bearer(await sign(payload(session, more))))
  const lenient = await modeOf({ ...rsaConfig, allowed_skew: 90 })
  const exp = now() - 60
  const { expiresAt } = await lenient.ask(bearer(await sign(payload(session, { exp, nbf: now() + 60 }))))
  assert.equal(expiresAt, (exp + 90) * 1000)
})

describe('the place of the token', () => {
  const missing = "invalid-headers: Missing 'Authorization' or 'Cookie' header in JWT authentication mode"
  test('is the Authorization header, as Bearer', async () => {
    const { ask } = await modeOf(rsaConfig)
    assert.equal(await fault(ask({})), missing)
    for (const authorization of ['Basic abc', 'Bearer', 'abc', 'Bearer a b'])
      assert.equal(await fault(ask({ authorization })), 'invalid-headers: Malformed Authorization header')
  })
  test('may be a cookie', async () => {
    const { ask } = await modeOf({ ...rsaConfig, header: { type: 'Cookie', name: 'token' } })
    const token = await sign(payload())
    assert.equal((await ask({ cookie: `a=b; token=${token}; c` })).session.role, 'viewer')
    for (const cookie of ['a=b', `other=${token}`, 'token=']) assert.equal(await fault(ask({ cookie })), missing)
    assert.equal(await fault(ask(bearer(token))), missing)
  })
  test('may be a header of any name, whose value is the token', async () => {
    const { ask } = await modeOf({ ...rsaConfig, header: { type: 'CustomHeader', name: 'X-Token' } })
    assert.equal((await ask({ 'x-token': await sign(payload()) })).session.role, 'viewer')
    assert.equal(await fault(ask({})), missing)
  })
  test('without a token the unauthorized role is used, whose other variables are the client’s', async () => {
    const { ask } = await modeOf(rsaConfig, 'anonymous')
    const { session } = await ask({ 'x-svc-role': 'admin', 'x-svc-id': '1' })
    assert.deepEqual([session.role, session.variables.get('x-svc-id')], ['anonymous', '1'])
    assert.match(await fault(ask(bearer('abc'))), /^invalid-jwt/)
  })
})

describe('several secrets', () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const configs = [
    { ...rsaConfig, issuer: 'one' },
    { type: 'ES256', key: pem(other.publicKey), issuer: 'two' },
  ]
  test('are chosen by the issuer of the token', async () => {
    const { ask } = await modeOf(configs)
    await ask(bearer(await sign(payload(session, { iss: 'one' }))))
    await ask(bearer(await sign(payload(session, { iss: 'two' }), 'ES256', other.privateKey)))
    await ask(bearer(await sign(payload(), 'ES256', other.privateKey)))
    const why = async (iss: string) => fault(ask(bearer(await sign(payload(session, { iss })))))
    assert.equal(await why('three'), 'invalid-jwt: Could not verify JWT: JWTNotInIssuer')
    assert.equal(await why('two'), 'invalid-jwt: Could not verify JWT: JWSError JWSInvalidSignature')
  })
  test('of different places take one token', async () => {
    const { ask } = await modeOf([rsaConfig, { ...rsaConfig, header: { type: 'Cookie', name: 't' } }])
    const token = await sign(payload())
    await ask({ cookie: `t=${token}` })
    assert.equal(
      await fault(ask(bearer(token, { cookie: `t=${token}` }))),
      'invalid-headers: Could not verify JWT: Multiple JWTs found',
    )
  })
})

describe('the claims', () => {
  const why = async (config: Config, claims: JWTPayload) => {
    const { ask } = await modeOf({ ...rsaConfig, ...config })
    return fault(ask(bearer(await sign(claims))))
  }
  const roleOf = async (config: Config, claims: JWTPayload) => {
    const { ask } = await modeOf({ ...rsaConfig, ...config })
    return (await ask(bearer(await sign(claims)))).session
  }

  test('are found by namespace or path, as an object or as text', async () => {
    assert.equal((await roleOf({ claims_namespace: 'ns' }, { ns: session })).role, 'viewer')
    assert.equal((await roleOf({ claims_namespace_path: "$.a['b%c']" }, { a: { 'b%c': session } })).role, 'viewer')
    assert.equal((await roleOf({ claims_namespace_path: '$' }, session)).role, 'viewer')
    const text = { claims_format: 'stringified_json' }
    assert.equal((await roleOf(text, payload(JSON.stringify(session)))).role, 'viewer')
    assert.equal(await why({ claims_namespace: 'ns' }, payload()), "jwt-invalid-claims: claims key: 'ns' not found")
    assert.equal(
      await why({ claims_namespace_path: '$.a.b' }, payload()),
      "jwt-invalid-claims: claims not found at claims_namespace_path: '$.a.b'",
    )
    assert.equal(await why({}, payload('x')), 'jwt-invalid-claims: expecting a json object when claims_format is json')
    assert.equal(
      await why(text, payload()),
      'jwt-invalid-claims: expecting a string when claims_format is stringified_json',
    )
    assert.equal(
      await why(text, payload('{')),
      "jwt-invalid-claims: expecting stringified json at: 'https://svc.io/jwt/claims', but found: {",
    )
  })

  test('need the allowed roles and a default role of the right form, and texts', async () => {
    const { 'x-svc-allowed-roles': roles, 'X-Svc-Default-Role': role, ...rest } = session
    assert.equal(
      await why({}, payload({ ...rest, 'x-svc-default-role': role })),
      'jwt-missing-role-claims: JWT claim does not contain "x-svc-allowed-roles"',
    )
    assert.equal(
      await why({}, payload({ ...rest, 'x-svc-allowed-roles': roles })),
      'jwt-missing-role-claims: JWT claim does not contain "x-svc-default-role"',
    )
    assert.equal(
      await why({}, payload({ ...session, 'x-svc-allowed-roles': 'user' })),
      'jwt-invalid-claims: invalid "x-svc-allowed-roles"; should be a list of roles: parsing [] failed, expected Array, but encountered String',
    )
    assert.equal(
      await why({}, payload({ ...rest, 'x-svc-allowed-roles': roles, 'x-svc-default-role': ['viewer'] })),
      'jwt-invalid-claims: invalid "x-svc-default-role"; should be a single role name: parsing Text failed, expected String, but encountered Array',
    )
    assert.equal(
      await why({}, payload({ ...session, 'x-svc-user-id': 1 })),
      'jwt-invalid-claims: x-svc-* claims: parsing Text failed, expected String, but encountered Number',
    )
  })

  test('let a request choose one of the allowed roles; the default role must be one itself', async () => {
    const { ask } = await modeOf(rsaConfig)
    const token = await sign(payload())
    assert.equal((await ask(bearer(token, { 'x-svc-role': 'editor', 'x-svc-org': '99' }))).session.role, 'editor')
    const refusal = 'access-denied: Your requested role is not in allowed roles'
    assert.equal(await fault(ask(bearer(token, { 'x-svc-role': 'admin' }))), refusal)
    assert.equal(await why({}, payload({ ...session, 'X-Svc-Default-Role': 'admin' })), refusal)
    const chosen = (await ask(bearer(token, { 'x-svc-org': '99' }))).session
    assert.equal(chosen.variables.get('x-svc-org'), '12')
  })

  test('are mapped from paths with defaults, and from literals', async () => {
    const claims_map = {
      'x-svc-allowed-roles': { path: '$.access.roles', default: ['viewer'] },
      'x-svc-default-role': { path: '$.access.first' },
      'x-svc-org': { path: '$.orgs[1]' },
      'x-svc-user-id': { path: "$.['https://shop.example/claims'].user.id" },
      'x-svc-kind': 'fixed',
    }
    const given = {
      'https://shop.example/claims': { user: { id: '7' } },
      access: { roles: ['editor'], first: 'editor' },
      orgs: ['1', '2'],
    }
    const session = await roleOf({ claims_map }, given)
    assert.deepEqual(Object.fromEntries(session.variables), {
      'x-svc-role': 'editor',
      'x-svc-org': '2',
      'x-svc-user-id': '7',
      'x-svc-kind': 'fixed',
    })
    assert.equal((await roleOf({ claims_map }, { ...given, access: { first: 'viewer' } })).role, 'viewer')
    assert.equal(
      await why({ claims_map }, { ...given, orgs: [] }),
      'jwt-invalid-claims: JWT claim from claims_map, "x-svc-org" not found',
    )
    assert.match(await why({ claims_map }, { ...given, orgs: [1, 2] }), /^jwt-invalid-claims: x-svc-\* claims: /)
    assert.match(
      await why({ claims_map: { ...claims_map, 'x-svc-default-role': { path: '$.orgs' } } }, given),
      /^jwt-invalid-claims: invalid "x-svc-default-role"; should be a role: /,
    )
  })
})

test('a configuration that cannot be served is refused with the reason and without the key', async () => {
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [{ type: 'HS256', key: 'geheim' }, /Key size too small; should be atleast 32 characters/],
    [{ type: 'HS512', key: 'geheim'.repeat(7) }, /should be atleast 64 characters/],
    [{ type: 'RS256', key: 'geheim' }, /no public key or certificate/],
    [{ type: 'ES384', key: rsaConfig.key }, /does not fit the type ES384/],
    [{ type: 'none', key: 'geheim' }, /type: expected one of/],
    [{ key: 'geheim' }, /type is missing/],
    [{ type: 'RS256' }, /key and jwk_url are missing/],
    [{ ...rsaConfig, jwk_url: 'http://localhost/' }, /not both/],
    [{ jwk_url: 'file:///etc/passwd' }, /expected a URL of http or https/],
    [{ ...rsaConfig, claims_namespace: 'a', claims_namespace_path: '$' }, /not both/],
    [{ ...rsaConfig, claims_namespace_path: '$..' }, /no JSON path/],
    [{ ...rsaConfig, claims_format: 'yaml' }, /expected json or stringified_json/],
    [{ ...rsaConfig, claims_map: {} }, /x-svc-allowed-roles is expected but not present/],
    [{ ...rsaConfig, header: { type: 'Cookie' } }, /Cookie needs a name/],
    [{ ...rsaConfig, audience: 1 }, /audience: expected/],
    [{ ...rsaConfig, allowed_skew: -1 }, /allowed_skew: expected/],
    [[], /a JSON array of JWT configurations/],
    ['x', /expected a JSON object/],
  ]
  for (const [config, reason] of cases) {
    const message = await fatal(config)
    assert.match(message, reason)
    assert.ok(message.startsWith('Fatal Error:- Environment variable SVC_GRAPHQL_JWT_SECRET'), message)
    assert.ok(!message.includes('geheim'))
  }
})
