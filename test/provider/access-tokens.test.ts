/** Access tokens and OIDC trusts as resources: made, read, changed in place, deleted; the value of a token is in no state. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Provider, Values } from '../../provider/src/core/index.ts'
import { type Engine, startEngine } from '../engine.ts'
import { newRun, plan } from './deploy.ts'

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
