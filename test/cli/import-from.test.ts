/** `svc metadata import-from`: a Hasura project, and a running engine; this engine with Hasura's names stands in for that. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { blocksOf, examplesOf } from '../console-examples.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { createMusicTables } from './music-tables.ts'
import { createSvcFolder } from './svc.ts'

let databaseUrl: string
before(async () => {
  databaseUrl = (await createTestDatabase()).url
  await createMusicTables(databaseUrl)
})

const files = {
  'config.yaml': 'version: 3\nendpoint: http://localhost:8080\nmetadata_directory: metadata\n',
  'metadata/version.yaml': 'version: 3\n',
  'metadata/databases/databases.yaml': `- name: default
  kind: postgres
  configuration:
    connection_info:
      database_url:
        from_env: HASURA_GRAPHQL_DATABASE_URL
      isolation_level: read-committed
      use_prepared_statements: false
  acitons: []
  tables: "!include default/tables/tables.yaml"
`,
  'metadata/databases/default/tables/tables.yaml': '- "!include public_artist.yaml"\n',
  'metadata/databases/default/tables/public_artist.yaml': `table:
  name: artist
  schema: public
select_permissions:
  - role: user
    permission:
      columns: [id, name]
      filter:
        owner:
          _eq: X-Hasura-User-Id
`,
  'metadata/actions.graphql': 'type Query {\n  ping: Pong\n}\n\ntype Pong {\n  ok: Boolean\n}\n',
  'metadata/actions.yaml': `actions:
  - name: ping
    definition:
      kind: ""
      handler: "{{HASURA_GRAPHQL_HANDLERS}}/ping"
      headers:
        - name: X-Hasura-Admin-Secret
          value_from_env: PING_SECRET
custom_types:
  enums: []
  input_objects: []
  objects:
    - name: Pong
  scalars: []
`,
}

test('a project becomes metadata that is applied, and the second import finds no difference', async (t) => {
  const env = { SVC_GRAPHQL_HANDLERS: 'http://localhost:1', PING_SECRET: 'x' }
  const engine = await startEngine({ databaseUrl, env }, t)
  const folder = await createSvcFolder(engine, t)
  for (const [file, text] of Object.entries(files)) await folder.write(`old/${file}`, text)
  await folder.write('new/config.yaml', 'version: 3\n')
  const run = (...args: readonly string[]) => folder.svc('--project', 'new', ...args)
  const tried = await run('md', 'import-from', 'old', '--dry-run')
  assert.equal(tried.code, 0, tried.stderr)
  const imported = await run('md', 'import-from', 'old')
  assert.equal(imported.code, 0, imported.stderr)
  assert.equal(imported.stdout, tried.stdout)
  assert.deepEqual(imported.stderr.split('\n').slice(0, -3), [
    'renamed: 1 names of session variables, X-Hasura-… to X-Svc-… (docs/migration.md)',
    'renamed: environment variable HASURA_GRAPHQL_DATABASE_URL is read as SVC_GRAPHQL_DATABASE_URL now: set it',
    'renamed: environment variable HASURA_GRAPHQL_HANDLERS is read as SVC_GRAPHQL_HANDLERS now: set it',
    'kept: actions.0.definition.headers.0.name: header X-Hasura-Admin-Secret, which is sent to others',
    'no counterpart: sources.0.acitons is left out',
    'no counterpart: config.yaml: endpoint is left out: it is how the other engine is reached',
  ])
  const applied = await run('md', 'apply')
  assert.equal(applied.code, 0, applied.stderr)
  assert.equal((await run('md', 'diff')).stdout, 'zero differences found\n')
  assert.equal((await run('md', 'import-from', 'old')).stdout, 'zero differences found\n')
  const user = { 'x-svc-role': 'user', 'x-svc-user-id': '1' }
  assert.deepEqual((await engine.post('/v1/graphql', { query: '{ artist { id } }' }, user)).body, {
    data: { artist: [] },
  })
})

test('a running engine is read by its own headers and forms', async (t) => {
  const old = await startEngine(
    { env: { SVC_GRAPHQL_HEADER_PREFIX: 'X-Hasura-', SVC_GRAPHQL_REFERENCE_ANSWERS: 'true' }, databaseUrl },
    t,
  )
  const table = { schema: 'public', name: 'album' }
  const join = { remote_schema: 'gone', hasura_fields: ['id'], remote_field: { one: { arguments: { id: '$id' } } } }
  for (const [type, args] of [
    ['clear_metadata', {}],
    ['pg_track_table', { table, configuration: { custom_name: 'record' } }],
    [
      'pg_create_select_permission',
      { table, role: 'user', permission: { columns: ['id'], filter: { title: 'X-Hasura-T' } } },
    ],
  ] as const) {
    const { status, text } = await old.metadata(type, args)
    assert.equal(status, 200, text)
  }
  const document = (await old.metadata('export_metadata', {})).body
  document.sources[0].tables[0].remote_relationships = [{ name: 'far', definition: join }]
  await old.metadata('replace_metadata', { allow_inconsistent_metadata: true, metadata: document }, { version: 2 })
  const folder = await createSvcFolder({ url: 'http://127.0.0.1:1', secret: '' }, t)
  const refused = await folder.svc('metadata', 'import-from', old.url)
  assert.equal(refused.code, 1)
  const from = ['metadata', 'import-from', old.url, '--from-admin-secret', old.secret]
  const imported = await folder.svc(...from)
  assert.equal(imported.code, 0, imported.stderr)
  assert.match(imported.stdout, /\+ table album in source default/)
  const written = await folder.shell('cat metadata/databases/default/tables/public_album.yaml')
  assert.match(written, /svc_fields/)
  assert.match(written, /X-Svc-T/)
  assert.doesNotMatch(written, /hasura/i)
  assert.equal((await folder.svc(...from)).stdout, 'zero differences found\n')

  await t.test('the commands of docs/migration.md run', async (t) => {
    const reader = await createSvcFolder({ url: 'http://127.0.0.1:1', secret: '' }, t)
    for (const [file, text] of Object.entries(files)) await reader.write(`shop-hasura/${file}`, text)
    await reader.write('new/config.yaml', 'version: 3\n')
    const page = readFileSync('docs/migration.md', 'utf8')
    const commands = blocksOf(page).flatMap(({ language, text }) => (language === 'console' ? examplesOf(text) : []))
    assert.equal(commands.length, 2)
    for (const { command } of commands) {
      const line = command.replace('https://old.example.com', old.url)
      const printed = await reader.shell(`cd new && export OLD_SECRET=${old.secret}\n${line}\necho "exit $?"`)
      assert.match(printed, /table (artist|album) in source default[\s\S]*exit 0\n$/)
    }
  })
})
