import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { hashOfExport, type JsonObject } from '@svc/schema'
import { writeMetadataTo } from '../../provider/src/directory/index.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { album, artist, createMusicTables, musicMetadata } from './music-tables.ts'
import { createSvcFolder } from './svc.ts'

let engine: Engine
before(async () => {
  const database = await createTestDatabase()
  await createMusicTables(database.url)
  engine = await startEngine({ databaseUrl: database.url })
})
after(() => engine.stop())

const exported = async () => (await engine.metadata('export_metadata', {})).text

async function projectOf(t: Parameters<typeof createSvcFolder>[1], metadata: JsonObject) {
  const folder = await createSvcFolder(engine, t)
  await writeMetadataTo(join(folder.path, 'metadata'), metadata)
  return folder
}

/** What no operation covers, and what is not served yet. */
const more: JsonObject = {
  query_collections: [{ name: 'c', definition: { queries: [{ name: 'q', query: 'query { artist { id } }' }] } }],
  allowlist: [{ collection: 'c', scope: { global: true } }],
  api_limits: { depth_limit: { global: 9 } },
  graphql_schema_introspection: { disabled_for_roles: ['user'] },
  backend_configs: { dataconnector: { agent: { uri: 'http://agent.example' } } },
}

test('what is applied is what is exported again, served yet or not', async (t) => {
  const metadata = musicMetadata([album, artist], more)
  const folder = await projectOf(t, metadata)
  const dry = await folder.svc('metadata', 'apply', '-o', 'json')
  assert.equal(dry.code, 0, dry.stderr)
  assert.deepEqual(JSON.parse(dry.stdout), metadata)
  assert.match(dry.stderr, /ok {7}query_collection c would be created/)
  const applied = await folder.svc('metadata', 'apply')
  assert.equal(applied.code, 0, applied.stderr)
  assert.equal(applied.stdout, 'Metadata applied\n')
  assert.match(applied.stderr, /not served yet: 1 backend configs\n/)
  assert.deepEqual(JSON.parse((await folder.svc('md', 'export', '-o', 'json')).stdout), metadata)
  const file = join(folder.path, 'metadata/databases/default/tables/public_artist.yaml')
  const written = await readFile(file, 'utf8')
  assert.equal((await folder.svc('md', 'export')).stdout, 'Metadata exported\n')
  assert.equal(await readFile(file, 'utf8'), written)
  assert.equal((await folder.svc('md', 'diff')).stdout, 'zero differences found\n')
})

test('an export leaves out what its caller knows, and has the change of another', async (t) => {
  const function_ = { function: { name: 'nowhere', schema: 'public' } }
  const [source] = musicMetadata([album, artist]).sources as readonly JsonObject[]
  const metadata = musicMetadata([album, artist], {})
  const stored = { ...metadata, sources: [{ ...source, functions: [function_] }] }
  const args = { metadata: stored, allow_inconsistent_metadata: true }
  assert.equal((await engine.metadata('replace_metadata', args, { version: 2 })).status, 200)
  const sourceOf = async (known?: readonly string[]) =>
    (await engine.metadata('export_metadata', { known }, { version: 2 })).body.metadata.sources[0]
  const { tables, functions } = await sourceOf()
  const known = [...tables, ...functions].map(hashOfExport)
  const names = [...tables, ...functions].map(({ table, function: name }) => table ?? name)
  const there = await sourceOf(known)
  assert.deepEqual(there.tables, [
    { table: names[0], known: known[0] },
    { table: names[1], known: known[1] },
  ])
  assert.deepEqual(there.functions, [{ function: names[2], known: known[2] }])
  assert.deepEqual((await sourceOf(known.slice(1))).tables, [tables[0], there.tables[1]])

  // with a key that metadata does not know, the side that knows it reports it
  const odd = { ...function_, configuration: { custom_name: 'other', odd: 1 } }
  const changed = { ...metadata, sources: [{ ...source, functions: [odd] }] }
  await engine.metadata('replace_metadata', { ...args, metadata: changed }, { version: 2 })
  const whole = (await sourceOf()).functions[0]
  assert.deepEqual(whole, odd)
  assert.deepEqual((await sourceOf([...known, hashOfExport(whole)])).functions, [odd])
  await (await projectOf(t, metadata)).svc('md', 'apply')
})

test('cron triggers that are no part of the metadata are applied from a directory, and those that it does not have remain', async (t) => {
  const trigger = (name: string, include_in_metadata: boolean, schedule = '0 6 * * *') => ({
    name,
    webhook: 'http://127.0.0.1:1/',
    schedule,
    include_in_metadata,
  })
  const made = await engine.metadata('create_cron_trigger', trigger('own', false))
  assert.equal(made.status, 200, made.text)
  const withTriggers = (schedule: string) => ({
    ...musicMetadata([album, artist]),
    cron_triggers: [trigger('shown', true), trigger('hidden', false, schedule)],
  })
  const triggers = async () => {
    const { body } = await engine.metadata('get_cron_triggers', {})
    return body.cron_triggers.map(({ name, schedule }: Record<string, string>) => `${name} ${schedule}`).sort()
  }
  // made, changed, and left alone
  for (const [schedule, differences] of [
    ['0 7 * * *', /hidden/],
    ['0 8 * * *', /hidden/],
    ['0 8 * * *', /^No changes/],
  ] as const) {
    const folder = await projectOf(t, withTriggers(schedule))
    const applied = await folder.svc('metadata', 'apply')
    assert.equal(applied.code, 0, applied.stderr)
    assert.match(applied.stderr + applied.stdout, differences)
    assert.deepEqual(await triggers(), [`hidden ${schedule}`, 'own 0 6 * * *', 'shown 0 6 * * *'])
    assert.equal((await folder.svc('md', 'diff')).stdout, 'zero differences found\n')
  }
  const { cron_triggers } = JSON.parse(await exported())
  assert.deepEqual(cron_triggers, [trigger('shown', true)])
  await (await projectOf(t, musicMetadata([album, artist]))).svc('metadata', 'apply')
  for (const name of ['own', 'hidden']) await engine.metadata('delete_cron_trigger', { name })
})

test('an apply that would break one object stores none', async (t) => {
  await (await projectOf(t, musicMetadata([artist, album]))).svc('md', 'apply')
  const stored = await exported()
  const broken = { role: 'guest', permission: { columns: ['nothing'], filter: {} } }
  const fine = { role: 'other', permission: { columns: ['id'], filter: {} } }
  const folder = await projectOf(t, musicMetadata([artist, { ...album, select_permissions: [broken, fine] }]))
  const applied = await folder.svc('metadata', 'apply', '--state', 'state.json')
  assert.equal(applied.code, 1)
  assert.equal(applied.stdout, '')
  assert.match(
    applied.stderr,
    /refused {2}select_permission guest in table album in source default: .*column "nothing" does not exist/,
  )
  assert.match(applied.stderr, /held {5}select_permission other in table album in source default was not created/)
  assert.match(applied.stderr, /nothing was stored\n$/)
  assert.equal(await exported(), stored)
  await assert.rejects(readFile(join(folder.path, 'state.json')), /ENOENT/)
})

test('a dry run stores nothing, prints only the document to stdout and reports what the engine checks', async (t) => {
  await (await projectOf(t, musicMetadata([artist, album]))).svc('md', 'apply')
  const stored = await exported()
  const metadata = musicMetadata([artist])
  const dry = await (await projectOf(t, metadata)).svc('md', 'apply', '--dry-run', '-o', 'json')
  assert.equal(dry.code, 1) // the array relationship of artist still leads to album
  assert.deepEqual(JSON.parse(dry.stdout), metadata)
  assert.match(dry.stderr, /Plan: 0 to create, 0 to update, 3 to delete/)
  assert.match(dry.stderr, /refused {2}|error: /)
  const fine = await (await projectOf(t, musicMetadata([{ table: artist.table ?? null }, album]))).svc(
    'md',
    'apply',
    '--dry-run',
  )
  assert.equal(fine.code, 0, fine.stderr)
  assert.match(fine.stdout, /^version: 3\nsources:\n/)
  assert.match(fine.stderr, /ok {7}select_permission user in table artist in source default would be deleted/)
  assert.equal(await exported(), stored)
})

test('a project that cannot be read is refused before anything is sent', async (t) => {
  const stored = await exported()
  const folder = await projectOf(t, musicMetadata([artist]))
  await folder.write('metadata/databases/default/tables/public_artist.yaml', 'table: artist\nselect_permission: []\n')
  const applied = await folder.svc('md', 'apply')
  assert.equal(applied.code, 1)
  assert.equal(
    applied.stderr,
    'error: metadata/databases/default/tables/public_artist.yaml:2: unexpected keys when parsing TableMetadata: ["select_permission"], did you mean "select_permissions"?\n',
  )
  assert.equal(await exported(), stored)
})

test('what cannot be meant ends with exit 1 and one line', async (t) => {
  const folder = await createSvcFolder(engine, t)
  for (const args of [
    ['metadata', 'aply'],
    ['metadata', 'diff', '--type', 'xml'],
    ['metadata', 'apply'],
    ['drift', '--accept'],
    ['md', 'export', '--endpoint', 'nowhere'],
    ['md', 'export', '--admin-secret', 'wrong'],
    ['md', 'export', '--project', 'nowhere'],
  ]) {
    const { code, stderr } = await folder.svc(...args)
    assert.equal(code, 1, args.join(' '))
    assert.match(stderr, /^error: [^\n]+\n(\(Did you mean [^\n]+\n)?$/, args.join(' '))
  }
})

test('Ctrl-C while the engine works ends with 130 and says how to find out', async (t) => {
  const hanging = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      if (body.includes('export_metadata'))
        response.end(JSON.stringify({ resource_version: 1, metadata: { version: 3, sources: [] } }))
      else hanging.emit('asked')
    })
  })
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    hanging.closeAllConnections()
    hanging.close()
  })
  const folder = await projectOf(t, musicMetadata([artist]))
  const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`
  const asked = once(hanging, 'asked')
  const running = folder.start('md', 'apply', '--endpoint', url)
  await asked
  running.kill('SIGINT')
  const { code, stderr } = await running.ended
  assert.equal(code, 130)
  assert.match(stderr, /error: interrupted; an apply under way was stored whole or not at all/)
})

test('a shell completes commands', { skip: process.platform === 'win32' }, async (t) => {
  const folder = await createSvcFolder(engine, t)
  const complete = (words: string) =>
    `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _svc; echo "\${COMPREPLY[@]}"`
  const script = [
    'eval "$(svc completion bash)"',
    complete('svc md ap'),
    complete('svc drift --st'),
    complete('svc completion z'),
  ]
  assert.equal(await folder.shell(`bash -c '${script.join('\n')}'`), 'apply\n--state\nzsh\n')
})

test('version shows that of the command and of the engine', async (t) => {
  const { stdout, code } = await (await createSvcFolder(engine, t)).svc('version')
  assert.equal(code, 0)
  assert.match(stdout, /^svc \d+\.\d+\.\d+\nengine v2\./)
})

test("another engine's session variables are refused unless the engine has that header prefix", async (t) => {
  const folder = await createSvcFolder(engine, t)
  const foreign = JSON.parse(JSON.stringify(artist).replaceAll('X-Svc-User-Id', 'X-Hasura-User-Id'))
  await writeMetadataTo(join(folder.path, 'metadata'), musicMetadata([foreign, album]))
  const { code, stderr } = await folder.svc('metadata', 'apply')
  assert.equal(code, 1)
  assert.equal(
    stderr,
    'error: select_permission user in table artist in source default: permission.filter.owner._eq: "X-Hasura-User-Id" is literal text to this engine, no session variable: write "X-Svc-User-Id"\n',
  )
  const env = { SVC_GRAPHQL_HEADER_PREFIX: 'X-Hasura-' }
  const taking = await startEngine({ databaseUrl: engine.databaseUrl, env }, t)
  const applied = await folder.svc('metadata', 'apply', '--endpoint', taking.url)
  assert.equal(applied.code, 0, applied.stderr)
})

test('an unknown key is an error with file and line, unless it is allowed', async (t) => {
  const folder = await projectOf(t, musicMetadata([artist, album]))
  const file = 'metadata/databases/databases.yaml'
  const text = await readFile(join(folder.path, file), 'utf8')
  await folder.write(file, text.replace('  kind: postgres\n', '  kind: postgres\n  natve_queries: []\n'))
  const refused = await folder.svc('metadata', 'apply')
  assert.equal(refused.code, 1)
  assert.match(
    refused.stderr,
    /^error: .*databases\.yaml:4: metadata has no key sources\.0\.natve_queries, did you mean "native_queries"\?/,
  )
  const allowed = await folder.svc('metadata', 'apply', '--allow-unknown-keys')
  assert.equal(allowed.code, 0, allowed.stderr)
  assert.match(
    allowed.stderr,
    /^warning: .*databases\.yaml:4: metadata has no key sources\.0\.natve_queries.*: left out$/m,
  )
})

test('an unknown key inside an object is an error with file and line too, also where the engine has it already', async (t) => {
  const permission = { columns: ['id'], filter: {}, allow_agregations: true }
  const odd = { ...album, select_permissions: [{ role: 'odd', permission }] }
  const metadata = {
    ...musicMetadata([artist, odd]),
    query_collections: [{ name: 'c', definition: { queries: [], querys: [] } }],
  }
  const folder = await projectOf(t, metadata)
  const keys = [
    'albums?\\.yaml:\\d+: metadata has no key select_permissions.0.permission.allow_agregations, did you mean "allow_aggregations"\\?',
    'query_collections.yaml:\\d+: metadata has no key 0.definition.querys, did you mean "queries"\\?',
  ]
  const refuse = async () => {
    const { code, stderr } = await folder.svc('metadata', 'apply')
    assert.equal(code, 1)
    for (const key of keys) assert.match(stderr, new RegExp(key))
    assert.match(stderr, /^error: /)
  }
  const stored = await exported()
  await refuse()
  assert.equal(await exported(), stored)
  const allowed = await folder.svc('metadata', 'apply', '--allow-unknown-keys')
  assert.equal(allowed.code, 0, allowed.stderr)
  for (const key of keys) assert.match(allowed.stderr, new RegExp(`^warning: .*${key}: kept as it is$`, 'm'))
  await refuse()
  await (await projectOf(t, musicMetadata([artist, album]))).svc('metadata', 'apply')
})

test('a plan says what it means for roles: as text after the changes, or only as Markdown or JSON', async (t) => {
  await (await projectOf(t, musicMetadata([artist, album]))).svc('md', 'apply')
  const narrower = { ...artist, select_permissions: [{ role: 'user', permission: { columns: ['id'], filter: {} } }] }
  const folder = await projectOf(t, musicMetadata([narrower, album]))
  const json = await folder.svc('plan', '--format', 'json', '--detailed-exitcode')
  assert.equal(json.code, 2)
  const { roles, operations } = JSON.parse(json.stdout) as { roles: readonly JsonObject[]; operations: unknown }
  assert.deepEqual([roles.map(({ role }) => role), operations], [['user'], []])
  const markdown = await folder.svc('plan', '--format', 'markdown')
  assert.match(markdown.stdout, /^### Role `user`\n\n- \*\*breaking\*\*: /)
  const text = await folder.svc('plan', '--preview')
  assert.match(text.stdout, /^Plan: /)
  assert.match(text.stdout, /select on public\.artist in source default: filter wider\n/)
})
