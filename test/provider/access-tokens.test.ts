/**
 * Access tokens and OIDC trusts as resources: made, read, changed in place, deleted; the value of a token is in no state. And as
 * commands of svc, with those of owners.
 */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { JsonObject } from '@svc/schema'
import { runCli } from '../../provider/src/cli/index.ts'
import type { Provider, Values } from '../../provider/src/core/index.ts'
import { recordNamed } from '../../provider/src/resources/index.ts'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { deploy, newRun, plan } from './deploy.ts'

let engine: Engine
before(async () => {
  engine = await startEngine()
})
after(() => engine.stop())

async function applied(
  run: Provider,
  kind: string,
  prior: Values | null,
  config: Values | null,
): Promise<Values | null> {
  const { planned, diagnostics } = await plan(run, kind, prior, config)
  assert.deepEqual(diagnostics, [])
  const done = await run.apply({ kind, prior, planned, config })
  assert.deepEqual(done.diagnostics, [])
  return done.state
}

const tokenOf = (letter: string) => `svct_${letter.repeat(43)}`

const may = async (token: string, type: string): Promise<number> =>
  (await engine.post('/v1/metadata', { type, args: {} }, { 'x-svc-admin-secret': null, 'x-svc-access-token': token }))
    .status

test('a token is made with a value that no state has, read, changed, sent again and deleted', async () => {
  const kind = 'AccessToken'
  const config = (more: Values): Values => ({
    name: 'ci',
    scopes: [{ allow: 'read', sources: null, kinds: null, roles: null }],
    value_wo: tokenOf('a'),
    value_wo_version: 1,
    ...more,
  })
  const made = await applied(newRun(engine), kind, null, config({}))
  assert.ok(made)
  assert.equal(made.id, 'ci')
  assert.ok(!JSON.stringify(made).includes(tokenOf('a')))
  assert.equal(await may(tokenOf('a'), 'export_metadata'), 200)
  assert.equal(await may(tokenOf('a'), 'clear_metadata'), 403)
  assert.deepEqual(await newRun(engine).read(kind, made), { state: made, diagnostics: [] })
  assert.deepEqual((await plan(newRun(engine), kind, made, config({ value_wo: tokenOf('b') }))).changed, [])

  // other scopes leave the value, whatever an ephemeral one is now
  const scopes = [{ allow: 'change', sources: ['default'], kinds: null, roles: null }]
  const changed = await applied(newRun(engine), kind, made, config({ scopes, value_wo: tokenOf('b') }))
  assert.ok(changed)
  assert.equal(await may(tokenOf('a'), 'export_metadata'), 200)
  assert.equal(await may(tokenOf('b'), 'export_metadata'), 401)
  const rotated = await applied(
    newRun(engine),
    kind,
    changed,
    config({ scopes, value_wo: tokenOf('b'), value_wo_version: 2 }),
  )
  assert.ok(rotated)
  assert.equal(await may(tokenOf('a'), 'export_metadata'), 401)
  assert.equal(await may(tokenOf('b'), 'export_metadata'), 200)

  // drift
  await engine.metadata('update_access_token', { name: 'ci', scopes: [{ allow: 'sql' }] })
  const { state } = await newRun(engine).read(kind, rotated)
  assert.deepEqual(state?.scopes, [{ allow: 'sql', sources: null, kinds: null, roles: null, owners: null }])
  await applied(newRun(engine), kind, rotated, null)
  assert.equal(await may(tokenOf('b'), 'export_metadata'), 401)
  assert.deepEqual((await newRun(engine).read(kind, rotated)).state, null)
})

test('a token without a value, or with a short one, is refused without a word of it', async () => {
  for (const value_wo of [null, 'svct_short-secret-value']) {
    const config = { name: 'x', scopes: [{ allow: 'read' }], value_wo, value_wo_version: 1 }
    const run = newRun(engine)
    const { planned } = await plan(run, 'AccessToken', null, config)
    const { state, diagnostics } = await run
      .apply({ kind: 'AccessToken', prior: null, planned, config })
      .catch((error: Error) => ({ state: null, diagnostics: [{ summary: error.message }] }))
    assert.equal(state, null)
    assert.match(JSON.stringify(diagnostics), /expected .{0,2}svct_/)
    assert.doesNotMatch(JSON.stringify(diagnostics), /short-secret/)
  }
})

test('an OIDC trust is made, read, changed in place, replaced under another name and deleted', async () => {
  const kind = 'OidcTrust'
  const config: Values = {
    name: 'plan',
    issuer: 'https://gitlab.com',
    audiences: ['svc'],
    claims: { project_path: ['acme/*'], ref: ['main', 'next'] },
    scopes: [{ allow: 'plan', sources: null, kinds: null, roles: null }],
    single_use: false,
  }
  const made = await applied(newRun(engine), kind, null, config)
  assert.ok(made)
  assert.deepEqual(await newRun(engine).read(kind, made), { state: made, diagnostics: [] })
  assert.deepEqual((await plan(newRun(engine), kind, made, config)).changed, [])
  const names = async () => {
    const { body } = await engine.metadata('list_oidc_trusts', {})
    return body.oidc_trusts.map((trust: { name: string; audiences: string[] }) => [trust.name, trust.audiences])
  }
  const changed = await applied(newRun(engine), kind, made, { ...config, audiences: ['svc', 'more'] })
  assert.deepEqual(await names(), [['plan', ['more', 'svc']]])
  const renamed = await applied(newRun(engine), kind, changed, { ...config, name: 'plans' })
  assert.deepEqual(await names(), [['plans', ['svc']]])
  await applied(newRun(engine), kind, renamed, null)
  assert.deepEqual(await names(), [])
  const { diagnostics } = await plan(newRun(engine), kind, null, { ...config, claims: { ref: ['main'] } })
  assert.match(JSON.stringify(diagnostics), /none of them names an owner/)
})

test('a token that expires is refused then, the resource says so, and a later time with another value renews it', async () => {
  const kind = 'AccessToken'
  const config = (expires_at: string | null, letter: string, value_wo_version: number): Values => ({
    name: 'short',
    scopes: [{ allow: 'read', sources: null, kinds: null, roles: null }],
    value_wo: tokenOf(letter),
    value_wo_version,
    expires_at,
  })
  const made = await applied(newRun(engine), kind, null, config('2100-01-01T00:00:00Z', 'c', 1))
  assert.ok(made)
  assert.equal(made.expires_at, '2100-01-01T00:00:00Z')
  assert.deepEqual(await newRun(engine).read(kind, made), { state: made, diagnostics: [] })
  // an older engine knows no expiry of an update: one that stays without it says nothing of it
  const update = (prior: JsonObject, value: JsonObject) =>
    recordNamed(kind)?.store.update?.('short', value, prior)?.args
  const [until, never] = [{ name: 'short', expires_at: '2100-01-01T00:00:00Z' }, { name: 'short' }]
  assert.deepEqual(
    [update(until, until), update(never, never), update(until, never), update(never, until)],
    [until, never, { ...never, expires_at: 'never' }, until],
  )
  const forever = await applied(newRun(engine), kind, made, config(null, 'c', 1))
  assert.equal((await newRun(engine).read(kind, forever ?? made)).state?.expires_at, null)

  await runOnDatabase(
    engine.databaseUrl,
    `UPDATE svc_catalog.access_tokens SET expires_at = '2020-01-01T00:00:00Z' WHERE name = 'short'`,
  )
  assert.equal(await may(tokenOf('c'), 'export_metadata'), 401)
  const { state, diagnostics } = await newRun(engine).read(kind, forever ?? made)
  assert.equal(state?.expires_at, '2020-01-01T00:00:00Z')
  assert.match(JSON.stringify(diagnostics), /"warning".*AccessToken short does not hold.*set a later expires_at/)
  const past = config('2020-01-01T00:00:00Z', 'd', 2)
  const { planned } = await plan(newRun(engine), kind, state ?? null, past)
  const refused = await newRun(engine).apply({ kind, prior: state ?? null, planned, config: past })
  assert.match(JSON.stringify(refused.diagnostics), /"expires_at\\" is past/)

  await applied(newRun(engine), kind, state ?? null, config('2100-01-01T00:00:00Z', 'd', 2))
  assert.equal(await may(tokenOf('c'), 'export_metadata'), 401)
  assert.equal(await may(tokenOf('d'), 'export_metadata'), 200)
})

/** One command of svc in this process; what it prints, without the line break at its end. */
async function svc(cwd: string, ...args: readonly string[]) {
  const texts = { out: '', problems: '' }
  const code = await runCli(args, {
    cwd,
    environment: { SVC_GRAPHQL_ENDPOINT: engine.url, SVC_GRAPHQL_ADMIN_SECRET: engine.secret },
    out: { write: (text) => (texts.out += text) },
    problems: { write: (text) => (texts.problems += text) },
    signal: new AbortController().signal,
  })
  return { code, out: texts.out.trimEnd(), problems: texts.problems.trimEnd() }
}

test('svc token makes, lists, rotates and revokes tokens, and shows a value once', async () => {
  const limited = '{"allow":"change","sources":["default"],"roles":["user"]}'
  const made = await svc(
    tmpdir(),
    'token',
    'create',
    'cli',
    '--scope',
    'plan',
    '--scope',
    limited,
    '--expires-in',
    '90d',
  )
  assert.deepEqual([made.code, made.out.split('\n').length], [0, 1], made.problems)
  assert.match(made.problems, /value of cli, which is shown nowhere else; it holds until \d{4}-/)
  assert.equal(await may(made.out, 'export_metadata'), 200)
  const rotated = await svc(tmpdir(), 'token', 'rotate', 'cli', '--overlap', '1h', '--json')
  const { token, expires_at } = JSON.parse(rotated.out)
  const days = (Date.parse(expires_at) - Date.now()) / 86_400_000
  assert.ok(days > 89.9 && days < 90.1, 'as long as the one before')
  for (const value of [made.out, token]) assert.equal(await may(value, 'export_metadata'), 200)
  const listed = await svc(tmpdir(), 'token', 'list')
  assert.match(listed.out, /^cli, plan and change \(roles user, sources default\), until \d{4}-/m)
  assert.match(listed.out, /^cli \(its value before\), .*, until \d{4}-/m)
  const asJson = await svc(tmpdir(), 'token', 'list', '--json')
  assert.deepEqual(JSON.parse(asJson.out).filter(({ name }: { name: string }) => name === 'cli').length, 2)
  for (const value of [made.out, token]) assert.ok(!`${listed.out}${asJson.out}`.includes(value))
  assert.equal((await svc(tmpdir(), 'token', 'revoke', 'cli')).code, 0)
  for (const value of [made.out, token]) assert.equal(await may(value, 'export_metadata'), 401)
  for (const wrong of [['--scope', '{"allow":'], ['--scope', 'all'], ['--scope', 'plan', '--expires-in', 'soon'], []])
    assert.equal((await svc(tmpdir(), 'token', 'create', 'wrong', ...wrong)).code, 1)
})

test('svc owner shows, sets, releases and hands over, and an apply that changes nothing claims what has no owner', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-owner-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'metadata'))
  await writeFile(join(folder, 'config.yaml'), 'version: 3\n')
  for (const name of ['one', 'two'])
    await engine.metadata('create_query_collection', { name, definition: { queries: [] } })
  assert.equal((await svc(folder, 'metadata', 'export')).code, 0)
  const owners = async (...more: readonly string[]) => (await svc(folder, 'owner', 'show', ...more)).out.split('\n')
  const one = ['--object', '{"type":"query_collection","key":{"name":"one"}}']
  assert.deepEqual(await owners('--object', 'query_collection'), ['nothing is owned'])
  assert.equal((await svc(folder, 'owner', 'set', 'shop', ...one)).out, '1 object changed hands')
  // it takes nothing from others
  assert.equal((await svc(folder, 'owner', 'set', 'blog', ...one)).out, '0 objects changed hands')
  const applied = await svc(folder, '--owner', 'blog', 'metadata', 'apply')
  assert.equal(applied.code, 0, applied.problems)
  assert.match(applied.problems, /^[1-9]\d* objects? without an owner: owned by blog now$/m)
  const both = ['query_collection one: shop', 'query_collection two: blog']
  assert.deepEqual(await owners('--object', 'query_collection'), both)
  assert.equal((await svc(folder, 'owner', 'hand-over', 'shop', 'blog')).out, '1 object changed hands')
  assert.equal(JSON.parse((await owners('--of', 'blog', '--json')).join('\n')).length > 1, true)
  assert.match((await svc(folder, 'owner', 'release', 'blog')).out, /^[2-9]\d* objects changed hands$/)
  assert.deepEqual(await owners(), ['nothing is owned'])

  // a drift check says which tokens end soon, next to its answer
  for (const [name, days] of [
    ['soon', 13],
    ['late', 15],
  ] as const)
    await engine.metadata('create_access_token', { name, scopes: [{ allow: 'read' }], expires_in: days * 86_400 })
  const drift = await svc(folder, 'drift')
  assert.deepEqual([drift.code, drift.out], [0, 'no drift'])
  assert.match(drift.problems, /^note: the access token soon expires at \d{4}-\S+Z$/)
  const { tokens } = JSON.parse((await svc(folder, 'drift', '--json')).out)
  const [{ expires_at }] = tokens
  assert.deepEqual(tokens, [{ name: 'soon', expires_at, expired: false }])
  for (const name of ['soon', 'late']) {
    const { body } = await engine.metadata('rotate_access_token', { name })
    const { code, problems } = await svc(folder, '--token', body.token, 'drift')
    const said = `note: the access token of this run expires at ${body.expires_at}`
    assert.deepEqual([code, problems], [0, name === 'soon' ? said : ''])
  }
})

test('a stack with an owner claims with its first write what it has imported or taken over and no one owns', async () => {
  const collection = (name: string): Values => ({ name, queries: [] })
  for (const name of ['imported', 'taken', 'read', 'deleted', 'others'])
    await engine.metadata('create_query_collection', { name, definition: { queries: [] } })
  const objects = [{ type: 'query_collection', key: { name: 'others' } }]
  await engine.metadata('set_object_owners', { owner: 'blog', objects })
  const kind = 'QueryCollection'
  const config = { owner: 'shop', adopt_existing: true }
  const stateOf = async (run: Provider, id: string) => {
    const { state } = run.importStub(kind, id)
    return (await run.read(kind, state ?? {})).state
  }
  const owners = async () => {
    const { body } = await engine.metadata('get_object_owners', { objects: [{ type: 'query_collection' }] })
    return body.owners.map(({ object, owner }: { object: { name: string }; owner: string }) => [object.name, owner])
  }
  const run = newRun(engine, config)
  const state = await stateOf(run, 'imported')
  assert.ok(state)
  // neither what the program only reads, as by `get` in Pulumi, nor what it deletes is claimed
  await stateOf(run, 'read')
  await run.plan({ kind, prior: await stateOf(run, 'deleted'), proposed: null, config: null })
  // a plan writes nothing, and what is as declared is no write
  assert.deepEqual((await plan(run, kind, state, collection('imported'))).changed, [])
  assert.deepEqual(await owners(), [['query_collection others', 'blog']])

  await deploy(run, kind, null, collection('taken'))
  await deploy(run, kind, null, collection('made'))
  assert.deepEqual((await owners()).sort(), [
    ['query_collection imported', 'shop'],
    ['query_collection made', 'shop'],
    ['query_collection others', 'blog'],
    ['query_collection taken', 'shop'],
  ])
  const version = async () => (await engine.metadata('export_metadata', {})).headers['x-svc-resource-version']
  const before = Number(await version())
  const next = newRun(engine, config)
  assert.deepEqual((await next.read(kind, state)).state, state)
  await deploy(next, kind, null, collection('more'))
  assert.equal(Number(await version()), before + 1, 'what is owned is not claimed again')
})
