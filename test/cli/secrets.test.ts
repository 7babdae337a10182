/** No command prints what a declaration calls sensitive, in any of its formats. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeMetadataTo } from '../../provider/src/directory/index.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { album, artist, createMusicTables, musicMetadata } from './music-tables.ts'
import { createSvcFolder } from './svc.ts'

const CANARY = 'canary-of-a-secret'

/** A source of every form a secret has in it, and headers of what is not a source. */
function metadata(databaseUrl: string, secret: string) {
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
  const source = (name: string, connection: object) => ({
    name,
    kind: 'postgres',
    tables: [],
    configuration: { connection_info: { database_url: connection } },
  })
  const plain = musicMetadata([artist, album])
  return {
    ...plain,
    sources: [
      ...(plain.sources as object[]),
      {
        name: 'by_url',
        kind: 'postgres',
        tables: [],
        configuration: {
          connection_info: { database_url: url },
          read_replicas: [{ database_url: url }],
        },
      },
      source('by_parts', { connection_parameters: parts }),
    ],
    cron_triggers: [
      {
        name: 'nightly',
        webhook: `http://user:${secret}@127.0.0.1:1/hook`,
        schedule: '0 0 1 1 *',
        include_in_metadata: true,
        headers: [{ name: 'authorization', value: secret }],
      },
    ],
  }
}

test('no output of a command holds a secret of the metadata, whatever its format', async (t) => {
  const database = await createTestDatabase()
  await createMusicTables(database.url)
  const engine = await startEngine({ databaseUrl: database.url })
  t.after(() => engine.stop())
  const folder = await createSvcFolder(engine, t)
  const write = (path: string, secret: string) =>
    writeMetadataTo(join(folder.path, path), metadata(database.url, secret) as never)
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
  const applied = await run('metadata', 'apply', '--state', 'state.json')
  assert.equal(applied.code, 0, applied.text)
  await write('metadata', `${CANARY}-3`)
  await everyWay()
  const again = await run('metadata', 'apply')
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
  await run('adopt', '--terraform', 'adopted')
  for (const [command, text] of outputs) {
    assert.equal(text.includes(CANARY), false, `${command} prints a secret:\n${text}`)
    assert.equal(text.includes('unexpected:'), false, `${command}:\n${text}`)
  }
})
