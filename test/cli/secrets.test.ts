/** No command prints what a declaration calls sensitive, in any of its formats. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { isRecord, type Json, type JsonObject, readMetadata } from '@svc/schema'
import { redactValue } from '../../provider/src/core/redact.ts'
import { walkObjects } from '../../provider/src/core/walk-objects.ts'
import { writeMetadataTo } from '../../provider/src/directory/index.ts'
import { type Attribute, catalogue } from '../../provider/src/resources/index.ts'
import { sampleRemote } from '../../provider/src/resources/remote-samples.fixture.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startRemoteServer } from '../serving/remote-server.ts'
import { album, artist, createMusicTables, musicMetadata } from './music-tables.ts'
import { createSvcFolder } from './svc.ts'

const CANARY = 'canary-of-a-secret'

/** A secret in every attribute that a declaration calls sensitive; a test holds it to the declarations. */
function metadata(databaseUrl: string, remoteUrl: string, secret: string): JsonObject {
  const headers = [{ name: 'authorization', value: secret }]
  const add_headers = { authorization: secret }
  const request_transform = { version: 2, template_engine: 'Kriti', request_headers: { add_headers } }
  const webhook = `http://user:${secret}@127.0.0.1:1/hook`
  const validate_input = { type: 'http', definition: { url: webhook, headers } }
  const track = {
    table: { schema: 'public', name: 'track' },
    insert_permissions: [{ role: 'user', permission: { columns: ['id'], check: {}, validate_input } }],
    update_permissions: [{ role: 'user', permission: { columns: ['id'], filter: {}, check: null, validate_input } }],
    delete_permissions: [{ role: 'user', permission: { filter: {}, validate_input } }],
    event_triggers: [
      {
        name: 'audit',
        definition: { enable_manual: true },
        webhook,
        retry_conf: { num_retries: 0, interval_sec: 10, timeout_sec: 60 },
        headers,
        request_transform,
      },
    ],
  }
  const [base, query] = databaseUrl.split('?')
  const url = `${base}?application_name=${secret}${query ? `&${query}` : ''}`
  const { username, password, hostname, port, pathname } = new URL(databaseUrl)
  const parts = {
    username: decodeURIComponent(username),
    password: decodeURIComponent(password) || secret,
    host: hostname || '127.0.0.1',
    port: Number(port || 5432),
    database: pathname.slice(1),
  }
  const source = (name: string, connection: JsonObject): JsonObject => ({
    name,
    kind: 'postgres',
    tables: [],
    configuration: { connection_info: { database_url: connection } },
  })
  const plain = musicMetadata([artist, album, track])
  return {
    ...plain,
    sources: [
      ...(plain.sources as readonly JsonObject[]),
      {
        name: 'by_url',
        kind: 'postgres',
        tables: [],
        configuration: {
          connection_info: { database_url: url },
          read_replicas: [{ database_url: url }, { database_url: { connection_parameters: parts } }],
          connection_set: [
            { name: 'by_url', connection_info: { database_url: url } },
            { name: 'by_parts', connection_info: { database_url: { connection_parameters: parts } } },
          ],
        },
      },
      source('by_parts', { connection_parameters: parts }),
      ...others(secret),
    ],
    cron_triggers: [
      {
        name: 'nightly',
        webhook,
        schedule: '0 0 1 1 *',
        include_in_metadata: true,
        headers,
        request_transform,
      },
    ],
    actions: [
      {
        name: 'shout',
        definition: {
          kind: 'synchronous',
          type: 'query',
          handler: webhook,
          output_type: 'String',
          headers,
          request_transform,
        },
      },
    ],
    remote_schemas: [{ name: 'crm', definition: { url: remoteUrl, timeout_seconds: 60, headers } }],
    opentelemetry: {
      status: 'disabled',
      data_types: [],
      exporter_otlp: { headers, protocol: 'http/protobuf', resource_attributes: [] },
    },
  }
}

/** Sources of databases that are not there: kept, and inconsistent. */
function others(secret: string): readonly JsonObject[] {
  const connection_string = `Server=127.0.0.1,1;Database=shop;Uid=app;Pwd={${secret}}`
  const key = { client_email: 'svc@acme.example', private_key: secret, project_id: 'acme' }
  const bigquery = (name: string, service_account: Json): JsonObject => ({
    name,
    kind: 'bigquery',
    tables: [],
    configuration: { service_account, project_id: 'acme', datasets: ['music'] },
  })
  return [
    {
      name: 'of_mssql',
      kind: 'mssql',
      tables: [],
      configuration: {
        connection_info: { connection_string },
        read_replicas: [{ connection_string }],
      },
    },
    bigquery('of_bigquery_text', JSON.stringify(key)),
    bigquery('of_bigquery', key),
  ]
}

/** Whether something in an attribute is hidden: the attribute itself or one below it, that is kept in the metadata. */
function isSecret({ sensitive, writeOnly, type }: Attribute): boolean {
  if (sensitive) return !writeOnly
  const below = 'of' in type ? type.of : type
  return below.kind === 'object' && Object.values(below.attributes).some(isSecret)
}

test('every attribute that a declaration calls sensitive is among those that hold the canary', () => {
  const read = readMetadata(metadata('postgres://u@h/d', 'http://127.0.0.1:1', CANARY))
  assert.ok(read.ok, JSON.stringify(read))
  const objects = [...walkObjects(read.document)]
  for (const kind of catalogue) {
    const own = objects.filter(({ at }) => at.type === kind.type)
    for (const { name, at, attribute } of kind.fields) {
      if (!isSecret(attribute)) continue
      const texts = own.map(({ object }) =>
        JSON.stringify(
          at?.reduce<Json | undefined>((json, key) => (isRecord(json) ? json[key] : undefined), object.value) ?? null,
        ),
      )
      assert.ok(
        texts.some((text) => text.includes(CANARY)),
        `${kind.kind}.${name} is not tried with a secret`,
      )
      for (const { object } of own) {
        const shown = JSON.stringify(redactValue(kind.type, object.value))
        assert.equal(shown.includes(CANARY), false, `${kind.kind}: ${shown}`)
      }
    }
  }
})

test('no output of a command holds a secret of the metadata, whatever its format', async (t) => {
  const database = await createTestDatabase()
  await createMusicTables(database.url)
  const engine = await startEngine({ databaseUrl: database.url })
  t.after(() => engine.stop())
  const remote = await startRemoteServer(sampleRemote, {})
  t.after(remote.close)
  const folder = await createSvcFolder(engine, t)
  const write = (path: string, secret: string) =>
    writeMetadataTo(join(folder.path, path), metadata(database.url, remote.url, secret))
  await write('metadata', `${CANARY}-1`)
  await write('other', `${CANARY}-2`)
  const outputs = new Map<string, string>()
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await folder.svc(...args)
    outputs.set(`${outputs.size} svc ${args.join(' ')} (exit ${code})`, stdout + stderr)
    return { code, text: stdout + stderr }
  }
  const everyWay = async () => {
    await run('metadata', 'apply', '--dry-run')
    await run('metadata', 'apply', '--dry-run', '-o', 'json')
    for (const pair of [[], ['other']]) {
      await run('metadata', 'diff', ...pair)
      for (const type of ['yaml', 'json', 'unified-yaml', 'unified-json'])
        await run('metadata', 'diff', ...pair, '--type', type)
    }
    await run('drift')
    await run('drift', '--json')
    await run('metadata', 'ic', 'list', '-o', 'json')
    await run('metadata', 'reload')
  }
  // refused, since nothing answers at the addresses of SQL Server and BigQuery
  assert.equal((await run('metadata', 'apply')).code, 1)
  const anyway = ['metadata', 'apply', '--allow-inconsistent-metadata']
  const applied = await run(...anyway, '--state', 'state.json')
  assert.equal(applied.code, 0, applied.text)
  await write('metadata', `${CANARY}-3`)
  await everyWay()
  const again = await run(...anyway)
  assert.equal(again.code, 0, again.text)
  for (const args of [
    ['drift', '--state', 'state.json'],
    ['drift', '--state', 'state.json', '--json'],
  ]) {
    const drift = await run(...args)
    assert.equal(drift.code, 2, drift.text)
    assert.match(drift.text, /by_url/)
  }
  const unified = await run('metadata', 'diff', 'metadata', 'other', '--type', 'unified-yaml')
  assert.match(unified.text, /^# source by_url: configuration\.connection_info\.database_url: a secret differs$/m)
  for (const [kind, id, format] of [
    ['source', 'by_url', 'json'],
    ['source', 'by_parts', 'yaml'],
    ['mssql_source', 'of_mssql', 'json'],
    ['bigquery_source', 'of_bigquery', 'yaml'],
    ['remote_schema', 'crm', 'json'],
    ['event_trigger', 'default/public/track/audit', 'yaml'],
    ['action', 'shout', 'json'],
    ['open_telemetry', 'open_telemetry', 'yaml'],
  ] as const) {
    const { code, text } = await run('get', kind, id, '-o', format)
    assert.equal(code, 0, text)
  }
  await run('adopt', '--terraform', 'adopted')
  for (const [command, text] of outputs) {
    assert.equal(text.includes(CANARY), false, `${command} prints a secret:\n${text}`)
    assert.equal(text.includes('unexpected:'), false, `${command}:\n${text}`)
  }
})
