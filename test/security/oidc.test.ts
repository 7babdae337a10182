/** Tokens of OIDC providers at the metadata API: which count, for what, and whom the engine asks. */
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Answer, type Engine, startEngine } from '../engine.ts'
import { type IssuerKey, newKey, seconds, startIssuer } from './oidc-issuer.ts'

const by = (token: string) => ({ 'x-svc-admin-secret': null, 'x-svc-access-token': token })

const ask = (engine: Engine, token: string, type = 'export_metadata', more: object = {}): Promise<Answer> =>
  engine.post('/v1/metadata', { type, args: {}, ...more }, by(token))

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('a token of an OIDC provider', async (t) => {
  const [engine, issuer, stranger] = await Promise.all([startEngine({}, t), startIssuer(t), startIssuer(t)])
  const other = await startEngine({ databaseUrl: engine.databaseUrl }, t)
  const claims = {
    sub: 'repo:acme/shop:ref:refs/heads/main',
    repository: 'acme/shop',
    ref: 'refs/heads/main',
    run_id: '77',
    aud: 'svc',
  }
  const trust = {
    name: 'ci',
    issuer: issuer.url,
    audiences: ['svc', 'https://svc.test'],
    claims: { sub: 'repo:acme/shop:*', ref: ['refs/heads/main', 'refs/heads/release/*'] },
    scopes: [{ allow: 'plan' }],
  }
  const made = await engine.metadata('create_oidc_trust', trust)
  assert.equal(made.status, 200, made.text)
  assert.equal((await engine.metadata('create_oidc_trust', trust)).body.code, 'already-exists')
  const refused = async (token: string, why: string, at = engine) => {
    const { status, body, text } = await ask(at, token)
    assert.deepEqual(
      [status, body],
      [401, { path: '$', error: 'the access token is unknown, expired or revoked', code: 'access-denied' }],
      `${why}: ${text}`,
    )
  }

  await t.test('counts for what its trust allows, and nothing else', async () => {
    const token = await issuer.token(claims)
    assert.equal((await ask(engine, token)).status, 200)
    assert.equal((await ask(engine, token, 'clear_metadata', { dry_run: true })).status, 200)
    const change = await ask(engine, token, 'clear_metadata')
    assert.deepEqual([change.status, change.body.code], [403, 'access-denied'])
    assert.match(change.body.error, /the access token "ci" does not allow this: it needs the scope "change"/)
    for (const type of ['create_oidc_trust', 'list_oidc_trusts', 'drop_oidc_trust', 'create_access_token'])
      assert.equal((await ask(engine, token, type)).status, 403)
    const graphql = await engine.post('/v1/graphql', { query: '{ __typename }' }, by(token))
    assert.match(graphql.text, /access tokens count for the metadata API alone/)
    // as the bearer of Authorization a JWT is a user's, whatever the mode makes of it
    const bearer = { 'x-svc-admin-secret': null, authorization: `Bearer ${token}` }
    assert.equal((await engine.post('/v1/metadata', { type: 'export_metadata', args: {} }, bearer)).status, 401)
    for (const aud of ['https://svc.test', ['elsewhere', 'svc']])
      assert.equal((await ask(engine, await issuer.token({ ...claims, aud }))).status, 200)
    for (const algorithm of ['ES256', 'ES384', 'EdDSA', 'PS256', 'RS512']) {
      const key = newKey(`of ${algorithm}`, algorithm)
      issuer.keys = [issuer.keys[0] as IssuerKey, key]
      assert.equal((await ask(other, await issuer.token(claims, key))).status, 200, algorithm)
    }
  })

  await t.test('is refused with one answer when anything of it is wrong: 150 of them', async () => {
    const [key] = issuer.keys as readonly [IssuerKey]
    const now = seconds()
    const good = await issuer.token(claims)
    const [head = '', payload = '', signature = ''] = good.split('.')
    const pem = key.public.export({ type: 'spki', format: 'pem' }).toString()
    const jwk = JSON.stringify(key.public.export({ format: 'jwk' }))
    const wrong: (readonly [string, string])[] = []
    const of = async (why: string, changed: object, signer?: IssuerKey) =>
      wrong.push([why, await issuer.token({ ...claims, ...changed }, signer)])
    for (let i = 0; i < 60; i++) {
      const at = Math.floor((i * payload.length) / 60)
      const flipped = payload[at] === 'A' ? 'B' : 'A'
      wrong.push([
        `payload changed at ${at}`,
        `${head}.${payload.slice(0, at)}${flipped}${payload.slice(at + 1)}.${signature}`,
      ])
    }
    for (let i = 0; i < 20; i++) {
      const at = Math.floor((i * (signature.length - 1)) / 20)
      const flipped = signature[at] === 'A' ? 'B' : 'A'
      wrong.push([
        `signature changed at ${at}`,
        `${head}.${payload}.${signature.slice(0, at)}${flipped}${signature.slice(at + 1)}`,
      ])
    }
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '', 'RS1', 'HS256', 'ES256', 'PS256', 'RS384', 'EdDSA', 'dir'])
      for (const end of ['', signature])
        wrong.push([`algorithm ${alg}`, `${part({ alg, kid: key.id })}.${payload}.${end}`])
    for (const secret of [pem, pem.trim(), jwk, key.id, ''])
      for (const alg of ['HS256', 'HS384', 'HS512']) {
        const signed = `${part({ alg, kid: key.id })}.${payload}`
        const mac = createHmac(`sha${alg.slice(2)}`, secret)
          .update(signed)
          .digest('base64url')
        wrong.push([`${alg} with the public key`, `${signed}.${mac}`])
      }
    for (const header of [
      { alg: 'RS256', kid: key.id, jwk: key.public.export({ format: 'jwk' }) },
      { alg: 'RS256', kid: key.id, jku: `${stranger.url}/keys` },
      { alg: 'RS256', kid: key.id, crit: ['exp'] },
      { alg: 'RS256', kid: '../../etc/passwd' },
    ])
      wrong.push([JSON.stringify(header), `${part(header)}.${payload}.${signature}`])
    const forger = { ...newKey('x'), id: key.id }
    await of('signed by another key of the same name', {}, forger)
    await of('signed by an unknown key', {}, newKey('unknown'))
    for (const exp of [0, 1, now - 11, now - 3600, -1, now + 90_000, String(now + 300), null])
      await of(`exp ${exp}`, { exp: exp as number })
    wrong.push(['no exp', await issuer.token({ ...claims, exp: undefined as unknown as number })])
    for (const changed of [{ nbf: now + 60 }, { iat: now + 60 }, { nbf: 'x' as unknown as number }])
      await of(JSON.stringify(changed), changed)
    for (const aud of [
      'SVC',
      'svc ',
      '',
      'svc.test',
      'https://svc.test/',
      [],
      ['a', 'b'],
      null,
      1,
      { svc: true },
      undefined,
    ])
      await of(`audience ${JSON.stringify(aud)}`, { aud: aud as string })
    for (const iss of [
      stranger.url,
      `${issuer.url}/`,
      issuer.url.toUpperCase(),
      '',
      null,
      1,
      [issuer.url],
      'x\0y',
      undefined,
    ])
      await of(`issuer ${JSON.stringify(iss)}`, { iss: iss as string })
    for (const sub of [
      'repo:acme/shop',
      'repo:acme/shop2:ref',
      'xrepo:acme/shop:',
      'repo:ACME/shop:x',
      '',
      null,
      {},
      undefined,
    ])
      await of(`subject ${JSON.stringify(sub)}`, { sub: sub as string })
    for (const ref of ['refs/heads/main2', 'refs/heads/release', 'refs/pull/1/merge', ['refs/tags/v1'], undefined])
      await of(`ref ${JSON.stringify(ref)}`, { ref })
    wrong.push(['of a stranger', await stranger.token(claims)])
    for (const token of ['a.b.c', '..', `${head}.${payload}.`, `${good}.x`, `${part([])}.${payload}.${signature}`])
      wrong.push(['malformed', token])
    wrong.push(['too long', await issuer.token({ ...claims, filler: 'x'.repeat(7_000) })])
    assert.ok(wrong.length >= 150, String(wrong.length))
    for (const [why, token] of wrong) await refused(token, why)
    assert.equal((await ask(engine, good)).status, 200)
    // an issuer that no admin named is never called, and what tokens name calls nothing
    assert.deepEqual(stranger.requests, [])
    for (const token of [good, ...wrong.map(([, one]) => one)])
      if (token.length > 20) assert.ok(!engine.log.some((line) => line.includes(token)))
  })

  await t.test('is refused once its key is gone, and the issuer is asked a few times in a minute at most', async () => {
    const [key] = issuer.keys as readonly [IssuerKey]
    const next = newKey('two', 'ES256')
    // both hold while the new one is spread
    issuer.keys = [key, next]
    for (const signer of [key, next]) assert.equal((await ask(engine, await issuer.token(claims, signer))).status, 200)
    issuer.keys = [next]
    const third = newKey('three', 'ES256')
    issuer.keys = [next, third]
    const rotated = await startEngine({ databaseUrl: engine.databaseUrl }, t)
    assert.equal((await ask(rotated, await issuer.token(claims, third))).status, 200)
    await refused(await issuer.token(claims, key), 'withdrawn', rotated)
    const before = issuer.requests.length
    for (let i = 0; i < 30; i++)
      await refused(await issuer.token(claims, { ...next, id: `guess ${i}` }), 'guess', rotated)
    assert.ok(issuer.requests.length - before <= 12, String(issuer.requests.length - before))
  })

  await t.test('that counts once is refused when it comes again, at another instance too', async () => {
    const once = { ...trust, name: 'once', audiences: ['deploy'], single_use: true }
    assert.equal((await engine.metadata('create_oidc_trust', once)).status, 200)
    const deploy = { ...claims, aud: 'deploy' }
    for (let i = 0; i < 10; i++) {
      const token = await issuer.token({ ...deploy, jti: randomUUID() }, issuer.keys[0])
      const at = i % 2 === 0 ? engine : other
      assert.equal((await ask(at, token)).status, 200)
      await refused(token, 'replayed')
      await refused(token, 'replayed', other)
    }
    await refused(await issuer.token(deploy, issuer.keys[0]), 'without a jti')
    const jti = randomUUID()
    const [a, b] = await Promise.all([engine, other].map(async (at) => ask(at, await issuer.token({ ...deploy, jti }))))
    assert.deepEqual([a?.status, b?.status].sort(), [200, 401])
  })

  await t.test('is refused at every instance once its trust is dropped or changed', async () => {
    const token = await issuer.token(claims)
    assert.equal((await ask(other, token)).status, 200)
    await engine.metadata('update_oidc_trust', { ...trust, scopes: [{ allow: 'read' }] })
    assert.equal((await ask(other, token, 'clear_metadata', { dry_run: true })).status, 403)
    await engine.metadata('drop_oidc_trust', { name: 'ci' })
    await refused(token, 'dropped', other)
    const { body } = await engine.metadata('list_oidc_trusts', {})
    assert.deepEqual(
      body.oidc_trusts.map(({ name }: { name: string }) => name),
      ['once'],
    )
    for (const type of ['update_oidc_trust', 'drop_oidc_trust'])
      assert.equal(
        (await engine.metadata(type, type === 'drop_oidc_trust' ? { name: 'ci' } : trust)).body.code,
        'not-exists',
      )
  })

  await t.test('names who changed something: subject, repository and run', async () => {
    await engine.metadata('create_oidc_trust', { ...trust, scopes: [{ allow: 'change' }] })
    const collection = { type: 'create_query_collection', args: { name: 'c', definition: { queries: [] } } }
    const headers = { ...by(await issuer.token(claims)), 'x-svc-actor': 'by hand' }
    const { status, text } = await engine.post('/v1/metadata', collection, headers)
    assert.equal(status, 200, text)
    const { body } = await engine.metadata('get_metadata_changes', { since_resource_version: 1 })
    assert.equal(
      body.changes.at(-1).by.actor,
      'oidc ci repo:acme/shop:ref:refs/heads/main (repository acme/shop, run_id 77): by hand',
    )
  })

  await t.test('of an issuer whose configuration is another one is refused', async () => {
    for (const configuration of [
      { issuer: 'https://else.where' },
      { jwks_uri: 'http://127.0.0.1:1/keys' },
      { jwks_uri: 5 },
    ]) {
      stranger.configuration = configuration
      const name = JSON.stringify(configuration)
      await engine.metadata('create_oidc_trust', { ...trust, name, issuer: stranger.url })
      await refused(await stranger.token(claims), name)
    }
  })
})

test('a trust that trusts everyone, or is malformed, is not made', async (t) => {
  const engine = await startEngine({}, t)
  const github = 'https://token.actions.githubusercontent.com'
  const good = {
    name: 'x',
    issuer: github,
    audiences: ['svc'],
    claims: { repository: 'acme/*' },
    scopes: [{ allow: 'read' }],
  }
  for (const wrong of [
    { name: '' },
    { issuer: 'http://issuer.example.com' },
    { issuer: 'https://u:p@issuer.example.com' },
    { issuer: 'https://issuer.example.com?x' },
    { issuer: 'file:///etc' },
    { audiences: [] },
    { audiences: [''] },
    { claims: {} },
    { claims: { repository: [] } },
    { claims: { repository: 1 } },
    { claims: { ref: 'refs/heads/main' } },
    { claims: { repository: '*' } },
    { claims: { repository: '*/shop' } },
    { claims: { sub: 'repo:*' } },
    { claims: { sub: 'repo:acme*' } },
    { claims: { repository: ['acme/shop', '*'] } },
    { issuer: 'https://gitlab.com', claims: { sub: 'project_path:*' } },
    { issuer: 'https://app.terraform.io', claims: { terraform_run_phase: 'plan' } },
    { issuer: 'https://api.pulumi.com/oidc', claims: { sub: 'pulumi:deploy:*' } },
    { issuer: 'https://api.pulumi.com/oidc/v2', claims: { sub: 'pulumi:*' } },
    { issuer: 'https://own.example.com', claims: { sub: '*' } },
    { scopes: [] },
    { scopes: [{ allow: 'all' }] },
    { scope: [{ allow: 'read' }] },
    { single_use: 'yes' },
  ]) {
    const { status, body, text } = await engine.metadata('create_oidc_trust', { ...good, ...wrong })
    assert.deepEqual([status, body.code], [400, 'parse-failed'], JSON.stringify(wrong) + text)
  }
  assert.equal((await engine.metadata('create_oidc_trust', good)).status, 200)
})
