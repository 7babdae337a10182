import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type JsonObject, writeMetadata } from '@svc/schema'
import { completeMetadata } from '../../../test/metadata/complete-metadata.ts'
import { directoryFiles } from './directory-files.ts'
import { readMetadataFrom } from './read-directory.ts'
import { writeMetadataTo } from './write-directory.ts'

async function folder(t: TestContext, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'svc-directory-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, file)), { recursive: true })
    await writeFile(join(path, file), text)
  }
  return path
}

const metadataOf = async (path: string, root?: string) => writeMetadata((await readMetadataFrom(path, root)).document)

const refusal = async (path: string) => {
  const error = await readMetadataFrom(path).then(
    () => null,
    (reason: Error) => reason,
  )
  assert.ok(error, 'it was read')
  return error.message.replaceAll(/(\.\.\/)+([\w.-]+\/)*svc-directory-\w+\//g, '')
}

test('a directory contains all of the metadata: every key is read as it was written', async (t) => {
  const path = await folder(t)
  await writeMetadataTo(path, completeMetadata)
  assert.equal(JSON.stringify(await metadataOf(path), null, 1), JSON.stringify(completeMetadata, null, 1))
})

test('the directory has the files of the format, also for empty metadata', () => {
  const names = [...directoryFiles({ version: 3, sources: [] }).keys()]
  assert.deepEqual(names.filter((name) => !name.startsWith('.schemas/')).sort(), [
    'actions.graphql',
    'actions.yaml',
    'allow_list.yaml',
    'api_limits.yaml',
    'backend_configs.yaml',
    'cron_triggers.yaml',
    'databases/databases.yaml',
    'graphql_schema_introspection.yaml',
    'inherited_roles.yaml',
    'metrics_config.yaml',
    'network.yaml',
    'opentelemetry.yaml',
    'query_collections.yaml',
    'remote_schemas.yaml',
    'rest_endpoints.yaml',
    'version.yaml',
  ])
  const files = directoryFiles(completeMetadata)
  assert.match(
    files.get('databases/databases.yaml') ?? '',
    /tables:\n {4}- "!include default\/tables\/public_album.yaml"\n/,
  )
  assert.match(
    files.get('databases/databases.yaml') ?? '',
    /functions:\n {4}- "!include default\/functions\/public_search_albums.yaml"\n/,
  )
  assert.match(files.get('databases/analytics/tables/logs_visits.yaml') ?? '', /dataset: logs/)
  assert.match(files.get('actions.graphql') ?? '', /type Mutation \{\n {2}login\(input: Credentials!\): Session\n\}/)
  assert.equal(files.get('cron_triggers.yaml')?.includes('nightly'), true)
})

test('a second export writes no file, and one without a table removes only the file of that table', async (t) => {
  const path = await folder(t)
  await writeMetadataTo(path, completeMetadata)
  await writeFile(join(path, 'databases', 'README.md'), 'notes')
  const before = await stat(join(path, 'actions.yaml'))
  await writeMetadataTo(path, completeMetadata)
  assert.equal((await stat(join(path, 'actions.yaml'))).ino, before.ino)
  const [source] = completeMetadata.sources as readonly JsonObject[]
  const tables = ((source?.tables ?? []) as readonly JsonObject[]).slice(1)
  await writeMetadataTo(path, { ...completeMetadata, sources: [{ ...source, tables }] })
  assert.deepEqual(await readdir(join(path, 'databases')), ['README.md', 'databases.yaml', 'default'])
  assert.deepEqual(await readdir(join(path, 'databases/default/tables')), ['public_artist.yaml', 'public_genre.yaml'])
})

const configuration = '  configuration: {connection_info: {database_url: x}}\n'

test("the reference's tables.yaml and functions.yaml are read", async (t) => {
  const path = await folder(t, {
    'version.yaml': 'version: 3\n',
    'databases/databases.yaml': `- name: default\n  kind: postgres\n${configuration}  tables: "!include default/tables/tables.yaml"\n  functions: "!include default/functions/functions.yaml"\n`,
    'databases/default/tables/tables.yaml': '- "!include public_a.yaml"\n- !include public_b.yaml\n',
    'databases/default/tables/public_a.yaml': 'table: {name: a, schema: public}\n',
    'databases/default/tables/public_b.yaml': 'table: {name: b, schema: public}\n',
    'databases/default/functions/functions.yaml': '- "!include public_f.yaml"\n',
    'databases/default/functions/public_f.yaml': 'function: {name: f, schema: public}\n',
  })
  const [source] = (await metadataOf(path)).sources as readonly JsonObject[]
  assert.deepEqual(source?.tables, [
    { table: { name: 'a', schema: 'public' } },
    { table: { name: 'b', schema: 'public' } },
  ])
  assert.deepEqual(source?.functions, [{ function: { name: 'f', schema: 'public' } }])
})

test('a file that is not YAML is included as text', async (t) => {
  const path = await folder(t, {
    'version.yaml': 'version: 3\n',
    'remote_schemas.yaml':
      '- name: r\n  definition: {url: http://x}\n  permissions:\n    - role: u\n      definition: {schema: "!include r.graphql"}\n',
    'r.graphql': 'type Query { a: Int }\n',
  })
  const [schema] = (await metadataOf(path)).remote_schemas as readonly JsonObject[]
  assert.deepEqual(schema?.permissions, [{ role: 'u', definition: { schema: 'type Query { a: Int }\n' } }])
})

test('an include that leaves the project is refused, by path or by link', async (t) => {
  const outside = await folder(t, { 'secret.yaml': 'table: a\n' })
  const tables = (include: string) => ({
    'version.yaml': 'version: 3\n',
    'databases/databases.yaml': `- name: default\n${configuration}  tables: ["!include ${include}"]\n`,
  })
  assert.match(
    await refusal(await folder(t, tables('../../secret.yaml'))),
    /includes \.\.\/\.\.\/secret\.yaml, which is outside/,
  )
  assert.match(
    await refusal(await folder(t, tables(join(outside, 'secret.yaml')))),
    /give a path relative to that file/,
  )
  const linked = await folder(t, tables('link.yaml'))
  await symlink(join(outside, 'secret.yaml'), join(linked, 'databases/link.yaml'))
  assert.match(await refusal(linked), /includes link\.yaml, which is outside/)
})

test('includes inside the project but outside the metadata are read', async (t) => {
  const path = await folder(t, {
    'metadata/version.yaml': 'version: 3\n',
    'metadata/inherited_roles.yaml': '- "!include ../shared/role.yaml"\n',
    'shared/role.yaml': 'role_name: both\nrole_set: [a, b]\n',
  })
  assert.deepEqual((await metadataOf(join(path, 'metadata'), path)).inherited_roles, [
    { role_name: 'both', role_set: ['a', 'b'] },
  ])
})

test('problems name the file and the place in it', async (t) => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{}, /has no version\.yaml/],
    [{ 'version.yaml': 'version: 2' }, /version\.yaml: only version 3/],
    [{ 'version.yaml': 'version: 3', 'inherited_roles.yaml': '- a: [' }, /^inherited_roles\.yaml: .*line 1/],
    [
      { 'version.yaml': 'version: 3', 'inherited_roles.yaml': '- role_name: 5' },
      /^inherited_roles\.yaml:1 at 0\.role_name: expected string, encountered number$/,
    ],
    [
      {
        'version.yaml': 'version: 3',
        'databases/databases.yaml': `- name: d\n${configuration}  tables: ["!include t.yaml"]`,
        'databases/t.yaml': 'table: a\nselect_permissions: [{role: u}]',
      },
      /^databases\/t\.yaml:2 at select_permissions\.0: key "permission" not found$/,
    ],
    [
      { 'version.yaml': 'version: 3', 'inherited_roles.yaml': '!include inherited_roles.yaml' },
      /which includes itself/,
    ],
    [
      { 'version.yaml': 'version: 3', 'inherited_roles.yaml': '!include gone.yaml' },
      /^inherited_roles\.yaml includes gone\.yaml, which does not exist/,
    ],
    [
      { 'version.yaml': 'version: 3', 'actions.yaml': 'actions: [{name: a, definition: {handler: x}}]' },
      /^action a is not present in actions\.graphql$/,
    ],
    [
      { 'version.yaml': 'version: 3', 'actions.graphql': 'type Query { a: Int }' },
      /^action a is not present in actions\.yaml$/,
    ],
    [{ 'version.yaml': 'version: 3', 'actions.graphql': 'type Query {' }, /^actions\.graphql line 1: Syntax Error/],
    [{ 'version.yaml': 'version: 3', 'inherited_roles.yaml': `${'['.repeat(10_000)}` }, /^inherited_roles\.yaml: /],
  ]
  for (const [files, message] of cases) assert.match(await refusal(await folder(t, files)), message)
  assert.match(await refusal(join(tmpdir(), 'svc-directory-none')), /there is no .*svc metadata export/)
})

test('types that SDL cannot say are kept in actions.yaml', async (t) => {
  const path = await folder(t)
  const metadata: JsonObject = {
    ...completeMetadata,
    actions: [
      {
        name: 'odd',
        definition: { handler: 'x', output_type: 'Query', ignored_client_headers: [], type: 'query' },
      },
    ],
    custom_types: {
      input_objects: [{ name: 'constructor', fields: [{ name: 'toString', type: 'Int' }] }],
      objects: [{ name: 'Query', fields: [{ name: 'a', type: 'Int' }] }],
      scalars: [{ name: 'A', description: 'says "x"\nand """more"""' }],
      enums: [
        { name: 'B', values: [{ value: 'true' }] },
        { name: 'C', description: 'c', values: [{ value: 'X', is_deprecated: true }] },
      ],
    },
  }
  await writeMetadataTo(path, metadata)
  assert.deepEqual(await metadataOf(path), metadata)
})

test('names and types of actions that GraphQL does not have are refused', async (t) => {
  const path = await folder(t)
  const definition = { handler: 'x', output_type: 'Int', ignored_client_headers: [], type: 'query' }
  const wrong: readonly (readonly [JsonObject, RegExp])[] = [
    [{ actions: [{ name: 'not a name', definition }] }, /not a name is not a valid GraphQL name/],
    [
      { actions: [{ name: 'odd', definition: { ...definition, output_type: '[[' } }] },
      /not a valid GraphQL type: \[\[/,
    ],
    [{ custom_types: { input_objects: [{ name: 'Empty', fields: [] }] } }, /expected a non-empty list/],
  ]
  for (const [metadata, text] of wrong) {
    await writeMetadataTo(join(path, 'all.json'), { ...completeMetadata, ...metadata })
    await assert.rejects(metadataOf(join(path, 'all.json')), text)
  }
})

test('a path that ends in .json or .yaml is one file', async (t) => {
  const path = await folder(t)
  for (const file of ['all.json', 'all.yaml']) {
    await writeMetadataTo(join(path, file), completeMetadata)
    assert.deepEqual(await metadataOf(join(path, file)), completeMetadata)
  }
  assert.deepEqual(JSON.parse(await readFile(join(path, 'all.json'), 'utf8')), completeMetadata)
})

test('texts that other YAML readers take for something else survive', async (t) => {
  const path = await folder(t)
  const roles = [
    'yes',
    'on',
    '1e3',
    '0x10',
    'null',
    '~',
    '2026-01-01',
    ' a ',
    'a: b',
    '- x',
    '',
    '!tag',
    '*a',
    'é\u2028x',
    '1:20',
  ]
  const metadata: JsonObject = { version: 3, sources: [], inherited_roles: [{ role_name: 'r', role_set: roles }] }
  await writeMetadataTo(path, metadata)
  assert.deepEqual(await metadataOf(path), metadata)
})

test('numbers keep their digits, read and written, in YAML and JSON', async (t) => {
  const files = (number: string) => ({
    'version.yaml': 'version: 3\n',
    'inherited_roles.yaml': `- role_name: r\n  role_set: [a]\n  note: ${number}\n`,
  })
  const noteOf = (metadata: JsonObject) => /"note":([^}]*)/.exec(JSON.stringify(metadata.inherited_roles))?.[1]
  const numbers = [
    ['9007199254740993', '9007199254740993'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['+9007199254740993.0', '9007199254740993'],
    ['.12345678901234567890', '0.1234567890123456789'],
    ['0x20000000000001', '9007199254740993'],
    ['1e400', '1e+400'],
    ['"9007199254740993"', '"9007199254740993"'],
    ['0x1F', '31'],
    ['1.50', '1.5'],
  ] as const
  for (const [number, meant] of numbers) {
    const metadata = await metadataOf(await folder(t, files(number)))
    assert.equal(noteOf(metadata), meant)
    const again = await folder(t, {})
    await writeMetadataTo(again, metadata)
    assert.match(
      await readFile(join(again, 'inherited_roles.yaml'), 'utf8'),
      new RegExp(`note: ${meant.replace('+', '.')}\n`),
    )
    assert.deepEqual(await metadataOf(again), metadata)
    await writeMetadataTo(join(again, 'metadata.json'), metadata)
    assert.equal(noteOf(await metadataOf(join(again, 'metadata.json'))), meant)
  }
})

test('an unlisted table file remains, is named, and is removed by pruning only', async (t) => {
  const path = await folder(t)
  await writeMetadataTo(path, completeMetadata)
  const byHand = join(path, 'databases/default/tables/public_by_hand.yaml')
  await writeFile(byHand, 'table: {name: by_hand, schema: public}\n')
  const names = (files: readonly string[]) => files.map((file) => file.split('/').at(-1))
  const named = async () => names((await readMetadataFrom(path)).unused.map(({ file }) => file))
  assert.deepEqual(await named(), ['public_by_hand.yaml'])
  const kept = await writeMetadataTo(path, completeMetadata)
  assert.deepEqual([kept.removed, names(kept.unused.map(({ file }) => file))], [[], ['public_by_hand.yaml']])
  const pruned = await writeMetadataTo(path, completeMetadata, { prune: true })
  assert.deepEqual([names(pruned.removed), pruned.unused], [['public_by_hand.yaml'], []])
  assert.deepEqual(await named(), [])
})

test('an unlisted table file is not replaced by what the engine has, and nothing else is written', async (t) => {
  const path = await folder(t)
  await writeMetadataTo(path, { version: 3, sources: [] })
  const byHand = 'databases/default/tables/public_album.yaml'
  await mkdir(join(path, dirname(byHand)), { recursive: true })
  await writeFile(join(path, byHand), 'table: {name: album, schema: public}\n')
  const before = await readFile(join(path, 'cron_triggers.yaml'), 'utf8')
  await assert.rejects(writeMetadataTo(path, completeMetadata), /public_album.yaml is not listed in databases.yaml/)
  assert.equal(await readFile(join(path, 'cron_triggers.yaml'), 'utf8'), before)
  await writeFile(join(path, 'databases/databases.yaml'), '- name: [\n')
  await assert.rejects(writeMetadataTo(path, completeMetadata), /databases\/databases.yaml: /)
  const { replaced } = await writeMetadataTo(path, completeMetadata, { prune: true })
  assert.deepEqual(
    replaced.map((file) => file.endsWith(byHand)),
    [true],
  )
})

test('what databases.yaml listed in any spelling is removed when its object is gone', async (t) => {
  const path = await folder(t, {
    'version.yaml': 'version: 3\n',
    'databases/databases.yaml': `- name: default\n  kind: postgres\n${configuration}  tables: "!include default/tables/tables.yaml"\n`,
    'databases/default/tables/tables.yaml': '- !include a.yml\n- "!include gone.yaml"\n',
    'databases/default/tables/a.yml': 'table: {name: a, schema: public}\n',
    'databases/default/tables/b.yml': 'table: {name: b, schema: public}\n',
  })
  const { removed, unused } = await writeMetadataTo(path, { version: 3, sources: [] })
  assert.deepEqual(
    removed.map((file) => file.split('/').at(-1)),
    ['a.yml', 'tables.yaml'],
  )
  assert.deepEqual(
    unused.map(({ file }) => file.split('/').at(-1)),
    ['b.yml'],
  )
})

test('a file whose name is misspelt is not passed by in silence; one that is included has any name', async (t) => {
  const path = await folder(t, {
    'version.yaml': 'version: 3\n',
    'inherited_role.yaml': '[]\n',
    'network.yaml': '!include my-network.yaml\n',
    'my-network.yaml': 'tls_allowlist: []\n',
    'notes.txt': 'nothing of ours',
  })
  const { unused } = await readMetadataFrom(path)
  assert.deepEqual(
    unused.map(({ file, meant }) => [file.split('/').at(-1), meant]),
    [['inherited_role.yaml', 'inherited_roles.yaml']],
  )
})
