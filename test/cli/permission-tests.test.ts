import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSchema, introspectionFromSchema } from 'graphql'
import { coverageLines } from '../../provider/src/cli/test-text.ts'
import { findMistakes } from './find-mistakes.ts'
import { createSvcFolder } from './svc.ts'

/** All of them: `npm run soak -- permission-mistakes`. */
const most = 8

test('the permission tests of the music store use every permission, and find mistakes of every kind', async () => {
  const found = await findMistakes((all) => all.filter((_, at) => at % Math.ceil(all.length / most) === 3))
  assert.deepEqual(found.failing, [])
  assert.deepEqual(found.coverage.unused, [])
  assert.ok(found.chosen.length >= 7, `${found.chosen.length} mistakes`)
  assert.deepEqual(found.missed, [])
})

const permissions = [{ role: 'user' }, { role: 'guest' }]
const field = { name: 'id', type: { scalar: 'integer' } }
const columns = { columns: ['id'], filter: {} }
const databases = [
  {
    name: 'default',
    kind: 'postgres',
    configuration: { connection_info: { database_url: { from_env: 'DATABASE_URL' } } },
    tables: [
      {
        table: { schema: 'public', name: 'article' },
        select_permissions: permissions.map((one) => ({ ...one, permission: columns })),
        delete_permissions: [{ role: 'user', permission: { filter: {} } }],
      },
    ],
    native_queries: [
      { root_field_name: 'listed', code: 'SELECT id FROM article', arguments: {}, returns: 'listed_article' },
      {
        root_field_name: 'in_place',
        code: 'SELECT id FROM article',
        arguments: {},
        returns: { fields: [field], select_permissions: permissions.map((one) => ({ ...one, permission: columns })) },
      },
    ],
    logical_models: [
      {
        name: 'listed_article',
        fields: [field],
        select_permissions: permissions.map((one) => ({ ...one, permission: columns })),
      },
    ],
    functions: [{ function: { schema: 'public', name: 'newest' }, permissions }],
  },
]
const actions = [
  {
    name: 'pay',
    definition: {
      kind: 'synchronous',
      type: 'mutation',
      handler: 'https://pay.test',
      arguments: [],
      output_type: 'String',
    },
    permissions,
  },
]
const remoteSdl = 'schema { query: Query } type Query { rate: Int }'
const remotes = [
  {
    name: 'rates',
    definition: { url: 'https://rates.test', timeout_seconds: 60 },
    permissions: permissions.map((one) => ({ ...one, definition: { schema: remoteSdl } })),
  },
]
const tests = {
  role: 'user',
  tests: [
    { name: 'calls a function', query: '{ newest { id } }', data: { newest: [] } },
    { name: 'asks native queries', query: '{ listed { id }  in_place { id } }', data: { listed: [], in_place: [] } },
    { name: 'asks an action', query: 'mutation { pay }', error: 'http exception when calling webhook' },
    { name: 'asks a remote schema', query: '{ rate }', error: 'remote-schema-error' },
  ],
}

test('coverage has the permissions of tables, functions, native queries, actions and remote schemas', async (t) => {
  const folder = await createSvcFolder({ url: 'http://127.0.0.1:1', secret: 'none' }, t)
  const files = {
    'metadata/databases/databases.yaml': databases,
    'metadata/actions.yaml': { actions, custom_types: {} },
    'metadata/remote_schemas.yaml': remotes,
    'introspections/rates.json': { data: introspectionFromSchema(buildSchema(remoteSdl)) },
    'tests/user.yaml': tests,
  }
  for (const [file, content] of Object.entries(files)) await folder.write(file, JSON.stringify(content))
  await folder.write('config.yaml', 'version: 3\n')
  await folder.write('metadata/version.yaml', 'version: 3\n')
  await folder.write(
    'migrations/default/1_article/up.sql',
    `CREATE TABLE article (id integer PRIMARY KEY);
CREATE FUNCTION newest() RETURNS SETOF article STABLE LANGUAGE sql AS 'SELECT * FROM article';\n`,
  )
  const { code, stdout, stderr } = await folder.svc('test', '--json')
  assert.equal(code, 0, stderr + stdout)
  const { passed, results, coverage } = JSON.parse(stdout)
  assert.equal(passed, true)
  assert.deepEqual(
    results.map(({ used }: { readonly used: unknown }) => used),
    [
      [
        { source: 'default', table: 'public.article', permission: 'select', role: 'user' },
        { source: 'default', function: 'public.newest', role: 'user' },
      ],
      [
        { source: 'default', logical_model: 'listed_article', role: 'user' },
        { source: 'default', native_query: 'in_place', role: 'user' },
      ],
      [{ action: 'pay', role: 'user' }],
      [{ remote_schema: 'rates', role: 'user' }],
    ],
  )
  assert.deepEqual(coverage, {
    declared: 13,
    unused: [
      { source: 'default', table: 'public.article', permission: 'select', role: 'guest' },
      { source: 'default', function: 'public.newest', role: 'guest' },
      { source: 'default', native_query: 'in_place', role: 'guest' },
      { source: 'default', logical_model: 'listed_article', role: 'guest' },
      { remote_schema: 'rates', role: 'guest' },
      { action: 'pay', role: 'guest' },
      { source: 'default', table: 'public.article', permission: 'delete', role: 'user' },
    ],
  })
  assert.deepEqual(coverageLines(coverage), [
    '7 of 13 permissions are used by no test:',
    '  guest: public.article: select',
    '  guest: function public.newest',
    '  guest: native query in_place',
    '  guest: logical model listed_article',
    '  guest: remote schema rates',
    '  guest: action pay',
    '  user: public.article: delete',
  ])
})
