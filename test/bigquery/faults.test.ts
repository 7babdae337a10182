import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { skipWithoutEmulator, startEmulator } from './emulator.ts'
import { type Fault, startFaultProxy } from './fault-proxy.ts'
import { startRestDouble } from './rest-double.ts'

test('jobs equal root fields whatever the network does, and the key is shown nowhere', {
  skip: skipWithoutEmulator,
}, async (t) => {
  const emulator = await startEmulator(t)
  await emulator.createDataset('shop')
  await emulator.query('CREATE TABLE shop.album (id INT64 NOT NULL, title STRING)')
  await emulator.query("INSERT INTO shop.album VALUES (1, 'A'), (2, 'B'), (3, 'C')")
  const tokens = await startRestDouble(t)
  const faults: Fault[] = []
  const proxy = await startFaultProxy(t, emulator.url, () => faults.shift() ?? 'none')
  const canary = 'CANARYcanaryCANARYcanary'
  const key = { ...tokens.account.json, private_key_id: canary, client_id: canary }
  const engine = await startEngine(
    {
      databaseUrl: (await createTestDatabase(t)).url,
      env: {
        BQ_KEY: JSON.stringify(key),
        SVC_GRAPHQL_BIGQUERY_API_ENDPOINT: proxy.url,
        SVC_GRAPHQL_BIGQUERY_TOKEN_ENDPOINT: tokens.tokenUrl,
        SVC_GRAPHQL_ENABLED_LOG_TYPES: 'startup,http-log,query-log,execution-log',
        SVC_GRAPHQL_DEV_MODE: 'true',
      },
    },
    t,
  )
  const configuration = {
    service_account: { from_env: 'BQ_KEY' },
    project_id: emulator.project,
    datasets: ['shop'],
    retry_base_delay: 1,
    retry_limit: 10,
  }
  const shown: string[] = []
  const metadata = async (type: string, args: unknown) => {
    const { status, text } = await engine.metadata(type, args)
    shown.push(text)
    assert.equal(status, 200, text)
  }
  await metadata('bigquery_add_source', { name: 'bq', configuration })
  await metadata('bigquery_track_table', { source: 'bq', table: { dataset: 'shop', name: 'album' } })

  const kinds = ['none', 429, 503, 'cut'] as const
  let seed = 7
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed / 2147483648
  }
  let roots = 0
  for (let request = 0; request < 40; request++) {
    faults.length = 0
    // at most six in a row, which ten retries outlast
    for (let i = 0; i < 6; i++) faults.push(kinds[Math.floor(random() * kinds.length)] ?? 'none')
    const count = 1 + Math.floor(random() * 3)
    const fields = Array.from(
      { length: count },
      (_, i) => `f${i}: shop_album(where: {id: {_gt: ${i}}}, order_by: {id: asc}) { id }`,
    )
    roots += count
    const { body, text } = await engine.post('/v1/graphql', { query: `query Q${request} { ${fields.join(' ')} }` })
    shown.push(text)
    const expected = Array.from({ length: count }, (_, i) => [`f${i}`, ['1', '2', '3'].slice(i).map((id) => ({ id }))])
    assert.deepEqual(body, { data: Object.fromEntries(expected) })
  }
  assert.equal(proxy.jobs.length, roots)
  for (const fault of ['429', '503', 'cut'])
    assert.ok((proxy.faults[fault] ?? 0) > 10, `${fault}: ${proxy.faults[fault]}`)

  // what fails for good says why, and nothing of the key
  faults.push(...Array.from({ length: 11 }, (): Fault => 503))
  const failed = await engine.post('/v1/graphql', { query: '{ shop_album { id } }' })
  assert.equal(failed.body.errors[0].message, 'BigQuery HTTP request failed with status 503 "Service Unavailable"')
  // refused by its table: the JSON of the key in a source itself, broken
  const broken = await engine.metadata('bigquery_add_source', {
    name: 'broken',
    configuration: { ...configuration, service_account: { ...key, private_key: key.private_key.replace('A', canary) } },
  })
  assert.match(broken.text, /unable to parse private key/)
  for (const [type, args] of [
    ['export_metadata', {}],
    ['get_inconsistent_metadata', {}],
    ['dump_internal_state', {}],
  ] as const)
    shown.push((await engine.metadata(type, args)).text)
  shown.push(
    failed.text,
    broken.text,
    (await engine.get('/v1/metrics')).text,
    (await engine.get('/v1alpha1/config')).text,
  )
  const lines = key.private_key.split('\n').filter((line) => line.length > 20 && !line.startsWith('-'))
  const everything = [...shown, ...engine.log].join('\n')
  // the refused request itself is logged no more than others are
  for (const secret of [canary, ...lines])
    assert.ok(
      !everything.includes(secret),
      `shown: ${everything.slice(everything.indexOf(secret) - 200, everything.indexOf(secret) + 50)}`,
    )
})
