/**
 * The examples of docs/limits.md, docs/authentication.md, docs/observability.md, docs/operations.md and
 * docs/postgresql.md, and the dashboard.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { exportJWK, SignJWT } from 'jose'
import { parse } from 'yaml'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { blocksOf } from '../console-examples.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const page = (name: string) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
const texts = (name: string, wanted: string): readonly string[] =>
  blocksOf(page(name)).flatMap(({ language, text }) => (language === wanted ? [text] : []))
const examples = (name: string) => texts(name, 'json').map((text) => JSON.parse(text))

test('the examples of the docs work, and the dashboard shows figures that there are', async (t) => {
  const [scrape = ''] = texts('observability', 'yaml')
  const [scraped] = parse(scrape).scrape_configs
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [config, , claims] = examples('authentication')
  const key = publicKey.export({ type: 'spki', format: 'pem' })
  const env = {
    SVC_GRAPHQL_JWT_SECRET: JSON.stringify({ ...config, key }),
    SVC_GRAPHQL_ENABLED_APIS: 'metadata,graphql,metrics',
    SVC_GRAPHQL_METRICS_SECRET: scraped.authorization.credentials,
    OTEL_COLLECTOR: 'http://127.0.0.1:9',
    OTEL_TOKEN: 't',
  }
  const engine = await startEngine({ env }, t)
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
  const asked = { 'x-svc-admin-secret': null, authorization: `Bearer ${token}`, 'x-svc-role': 'editor' }
  assert.equal((await engine.post('/v1alpha1/graphql', { query: '{ __typename }' }, asked)).status, 200)

  const [limits] = examples('limits')
  const [opentelemetry] = examples('observability')
  const { body: metadata } = await engine.metadata('export_metadata', {})
  const replaced = await engine.metadata('replace_metadata', { ...metadata, api_limits: limits.args, opentelemetry })
  assert.equal(replaced.status, 200, replaced.text)
  assert.deepEqual((await engine.observed('telemetry-started')).traces, true)
  const levels = (n: number): string => (n === 0 ? '__typename' : `a { ${levels(n - 1)} }`)
  const deep = await engine.post('/v1alpha1/graphql', { query: `{ ${levels(8)} }` }, asked)
  assert.equal(deep.body.errors[0].extensions.code, 'depth-limit-exceeded')

  const { text } = await engine.get(scraped.metrics_path, {
    authorization: `Bearer ${scraped.authorization.credentials}`,
  })
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  // a comment in statements is no figure
  const named = (source: string) =>
    [...source.replaceAll(/svc_(trace_id|catalog)/g, '').matchAll(/\b(?:svc|nodejs|process)_[a-z0-9_]+/g)].map(
      ([name]) => name.replace(/_bucket$/, ''),
    )
  const dashboard = readFileSync(new URL('../../examples/grafana/svc.json', import.meta.url), 'utf8')
  const shown = JSON.parse(dashboard).panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.flatMap(({ expr }) => named(expr)),
  )
  assert.ok(shown.length > 10)
  const monitoring = readFileSync(new URL('../../examples/deploy/monitoring.yaml', import.meta.url), 'utf8')
  for (const name of [...shown, ...named(monitoring), ...named(page('observability'))]) assert.ok(known.has(name), name)
})

/** Answers every request with `answer`, and keeps what was sent. */
async function listen(t: TestContext, answer: unknown) {
  const received: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push(body)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

const me = { query: 'query Me { me { name } }', operationName: 'Me' }

test('docs/authentication.md: keys of an address verify tokens of that issuer', async (t) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keys = await listen(t, { keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig' }] })
  const [, config, claims] = examples('authentication')
  const secret = { ...config, jwk_url: `${keys.url}${new URL(config.jwk_url).pathname}` }
  const engine = await startEngine({ env: { SVC_GRAPHQL_JWT_SECRET: JSON.stringify(secret) } }, t)
  const codeOf = async (issuer: string) => {
    const signing = new SignJWT(claims).setProtectedHeader({ alg: 'RS256' })
    const token = await signing.setIssuer(issuer).setAudience(config.audience).sign(privateKey)
    const headers = { 'x-svc-admin-secret': null, authorization: `Bearer ${token}` }
    return (await engine.post('/v1alpha1/graphql', { query: '{ __typename }' }, headers)).body.errors?.[0].extensions
      .code
  }
  assert.deepEqual([await codeOf(config.issuer), await codeOf('https://elsewhere.example.com/')], [undefined, 'invalid-jwt']) // biome-ignore format: one line
})

test('docs/authentication.md: a webhook gets that body, and answers with a session', async (t) => {
  const [, , , asked, session] = examples('authentication')
  const hook = await listen(t, session)
  const env = { SVC_GRAPHQL_AUTH_HOOK: hook.url, SVC_GRAPHQL_AUTH_HOOK_MODE: 'POST' }
  const engine = await startEngine({ env }, t)
  const headers = { 'x-svc-admin-secret': null, authorization: 'mine' }
  const { body } = await engine.post('/v1alpha1/graphql', me, headers)
  assert.deepEqual(asked.request, me)
  const sent = JSON.parse(hook.received[0] ?? '')
  assert.deepEqual({ ...sent, headers: { authorization: sent.headers.authorization } }, { ...asked, headers: { authorization: 'mine' } }) // biome-ignore format: one line
  // of the role that the hook named, which sees nothing
  assert.equal(body.errors[0].extensions.code, 'validation-failed')
})

test('docs/operations.md and docs/postgresql.md: the flags are there, and PostgreSQL grants what is granted', async (t) => {
  const { stdout: help } = spawnSync(process.execPath, ['engine/bin/svc-engine.js', '--help'], { encoding: 'utf8' })
  const lines = texts('operations', 'sh').join('').split('\n').filter(Boolean)
  assert.equal(lines.length, 7)
  for (const line of lines)
    for (const [flag] of line.replace('v0.1.0', 'vX.Y.Z').matchAll(/--[\w.-]+/g)) assert.ok(help.includes(flag), flag)
  const { url } = await createTestDatabase(t)
  const here = (sql: string) => sql.replace(/ON DATABASE \w+/, `ON DATABASE ${new URL(url).pathname.slice(1)}`)
  const grants = [...texts('operations', 'sql'), ...texts('postgresql', 'sql')].map(here)
  assert.equal(grants.length, 3)
  // roles are the whole server's, so they are taken back
  await runOnDatabase(url, ['BEGIN', 'CREATE ROLE svc', ...grants, 'ROLLBACK'].map((sql) => `${sql};`).join('\n'))
})
