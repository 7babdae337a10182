/** The examples of docs/limits.md, docs/authentication.md and docs/observability.md, and the dashboard. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SignJWT } from 'jose'
import { startEngine } from '../engine.ts'

const page = (name: string) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
const examples = (name: string) =>
  [...page(name).matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => JSON.parse(text))

test('the examples of the docs work, and the dashboard shows figures that there are', async (t) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [config, , claims] = examples('authentication')
  const key = publicKey.export({ type: 'spki', format: 'pem' })
  const env = {
    SVC_GRAPHQL_JWT_SECRET: JSON.stringify({ ...config, key }),
    SVC_GRAPHQL_ENABLED_APIS: 'metadata,graphql,metrics',
    SVC_GRAPHQL_METRICS_SECRET: 'm',
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

  const { text } = await engine.get('/v1/metrics', { authorization: 'Bearer m' })
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  // a comment in statements is no figure
  const named = (source: string) =>
    [...source.replaceAll('svc_trace_id', '').matchAll(/\b(?:svc|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_bucket$/, ''),
    )
  const dashboard = readFileSync(new URL('../../examples/grafana/svc.json', import.meta.url), 'utf8')
  const shown = JSON.parse(dashboard).panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.flatMap(({ expr }) => named(expr)),
  )
  assert.ok(shown.length > 10)
  for (const name of [...shown, ...named(page('observability'))]) assert.ok(known.has(name), name)
})
