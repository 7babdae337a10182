/** What every attribute of every kind is tried on: an engine, and in its database what the variants speak of. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { sampleRemote } from '../../provider/src/resources/remote-samples.fixture.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startRemoteServer } from '../serving/remote-server.ts'
import { kinds, variantsOf } from './kind-variants.ts'
import { remoteNames } from './variants/remote-variants.ts'
import { nameOfTrigger } from './variants/trigger-variants.ts'
import { slotOf, type Variant, type VariantPlaces } from './variants/variant.ts'

export interface Stage {
  readonly engine: Engine
  readonly variants: readonly Variant[]
  /** In the database, of the user whose password the variants change. */
  readonly changePassword: () => Promise<void>
}

/** Most share an engine and its runs of a tool: those of sources would wait for a database each, those of tables clash. */
const remoteKinds = ['RemoteSchema', 'RemoteSchemaPermission', 'RemoteRelationship', 'RemoteTypeRelationship']
const alone = [['Source'], ['Table', 'CustomTypes'], remoteKinds]
export const groups = [
  ...alone.map((names) => kinds.filter(({ kind }) => names.includes(kind))),
  kinds.filter(({ kind }) => !alone.flat().includes(kind)),
]

/** Of what there is one of only one variant can be there at once: the first stands for all. */
function togetherOf(kind: string, variants: readonly Variant[]): readonly Variant[] {
  if (kinds.some((one) => one.kind === kind && one.identityPaths.length === 0)) return variants.slice(0, 1)
  // transforms are the same wherever they are: those of event triggers stand for all
  return kind === 'EventTrigger' ? variants : variants.filter(({ attribute }) => !/_transform\..*\./.test(attribute))
}

export const exported = async (engine: Engine) => (await engine.metadata('export_metadata', {})).body

/** Of these a second in another source would clash. */
export async function makeWay(engine: Engine, kind: string): Promise<void> {
  const moved = { source: 'default', name: 'logicalmodel_source', root_field_name: 'nativequery_source' }
  const table = { schema: 'public', name: 'table_source' }
  if (kind === 'Table') await engine.metadata('pg_untrack_table', { ...moved, table })
  if (kind === 'LogicalModel') await engine.metadata('pg_untrack_logical_model', moved)
  if (kind === 'EventTrigger')
    for (const slot of ['eventtrigger_table_schema', 'eventtrigger_table_name'])
      await engine.metadata('pg_delete_event_trigger', { name: nameOfTrigger(slot) })
  if (kind === 'NativeQuery') await engine.metadata('pg_untrack_native_query', moved)
  if (kind === 'RemoteSchema') await engine.metadata('remove_remote_schema', { name: 'remoteschema_name' })
}

/** What is stored nowhere cannot be seen to drift. */
export const isWriteOnly = (attribute: string) =>
  /_wo(_version)?$/.test(attribute) || attribute === 'force_destroy' || attribute === 'reload_when'

export async function setUpKinds(t: TestContext, group: readonly string[]): Promise<Stage> {
  const database = await createTestDatabase()
  const files = await mkdtemp(join(tmpdir(), 'svc-kinds-'))
  t.after(() => rm(files, { recursive: true }))
  const urlFiles = [join(files, 'a'), join(files, 'b')] as const
  for (const file of urlFiles) await writeFile(file, database.url)
  const urlVariables = ['SVC_TEST_URL_A', 'SVC_TEST_URL_B'] as const
  const users = await createUsers(database.url, t)
  const around: VariantPlaces = {
    databaseUrl: database.url,
    urlFiles,
    urlVariables,
    users,
    otherPort: await openPort(database.url, t),
    remoteUrl: await serveRemote(t),
  }
  const variants = group.flatMap((kind) => togetherOf(kind, variantsOf(kind, around)))
  const slots = variants.flatMap(({ from }) => (isNamed(from.table) ? [from.table.name] : []))
  await runSql(database.url, group.includes('Source') ? [] : tables(slots))
  if (group.includes('SelectPermission')) await runSql(database.url, [noteOf])
  if (group.includes('Function')) await runSql(database.url, functions(variants))
  const env = {
    SVC_TEST_URL_A: database.url,
    SVC_TEST_URL_B: database.url,
    SVC_TEST_EMPTY: '',
    SVC_TEST_REMOTE_A: around.remoteUrl,
    SVC_TEST_REMOTE_B: around.remoteUrl,
    SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true',
  }
  const engine = await startEngine({ databaseUrl: database.url, env }, t)
  t.after(database.drop)
  if (!group.includes('Source')) await trackPrerequisites(engine, group, slots)
  if (group.includes('RemoteSchema')) await addRemoteSchemas(engine, around.remoteUrl, variants)
  if (group.includes('Function')) await trackForFunctions(engine, variants)
  const password = `${users.password}_changed`
  return {
    engine,
    variants,
    changePassword: () => runSql(database.url, [`ALTER ROLE ${users.other} PASSWORD '${password}'`]),
  }
}

async function serveRemote(t: TestContext): Promise<string> {
  const remote = await startRemoteServer(sampleRemote, {})
  t.after(remote.close)
  return remote.url
}

/** What permissions and relationships speak of. */
async function addRemoteSchemas(engine: Engine, url: string, variants: readonly Variant[]): Promise<void> {
  const permitted = variants.flatMap(({ kind, from }) =>
    kind === 'RemoteSchemaPermission' ? [String(from.remote_schema), `${String(from.remote_schema)}_2`] : [],
  )
  for (const name of ['far', 'far_2', ...permitted]) {
    const definition = { url, customization: remoteNames(name) }
    const { status, text } = await engine.metadata('add_remote_schema', { name, definition })
    assert.equal(status, 200, text)
  }
}

const isNamed = (table: unknown): table is { readonly name: string } =>
  typeof table === 'object' && table !== null && 'name' in table

async function runSql(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statements.join(';\n')).finally(() => client.end())
}

/** A port that leads to the database of `url`. */
async function openPort(url: string, t: TestContext): Promise<number> {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const onwards = connect(Number(port), hostname)
    for (const [one, other] of [
      [socket, onwards],
      [onwards, socket],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const computedSlot = slotOf('selectpermission_computed_fields')
const noteOf = `CREATE FUNCTION note_of(${computedSlot}) RETURNS text STABLE LANGUAGE sql AS 'SELECT $1.note'`

async function createUsers(url: string, t: TestContext): Promise<VariantPlaces['users']> {
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => `svc_kinds_${letter}_${randomBytes(4).toString('hex')}`)
  const users: VariantPlaces['users'] = { same: [a ?? '', b ?? ''], other: c ?? '', password: 'secret' }
  const all = [...users.same, users.other]
  await runSql(
    url,
    all.map((user) => `CREATE ROLE ${user} LOGIN SUPERUSER PASSWORD '${users.password}'`),
  )
  t.after(async () => {
    const server = new URL(url)
    server.pathname = '/postgres'
    await runSql(
      server.href,
      all.map((user) => `DROP ROLE ${user}`),
    )
  })
  return users
}

/** Each slot's table in both schemas and under both names, and tables that point at each. */
function tables(slots: readonly string[]): readonly string[] {
  const inBothSchemas = (name: string, columns: string) =>
    ['public', 'other'].map((schema) => `CREATE TABLE ${schema}.${name} (${columns.replaceAll('SCHEMA', schema)})`)
  const own = 'other_id integer REFERENCES SCHEMA.target, third_id integer REFERENCES SCHEMA.target, note text'
  const pointing = slots
    .flatMap((slot) => [
      `${slot}_id integer UNIQUE REFERENCES public.${slot}`,
      `${slot}_other_id integer UNIQUE REFERENCES public.${slot}`,
    ])
    .join(', ')
  return [
    'CREATE SCHEMA other',
    'CREATE SCHEMA extensions',
    ...inBothSchemas('target', 'id integer PRIMARY KEY'),
    ...inBothSchemas('target_2', 'id integer PRIMARY KEY'),
    ...slots.flatMap((slot) =>
      slot.startsWith('enum_')
        ? [`CREATE TABLE public.${slot} (id text PRIMARY KEY)`, `INSERT INTO public.${slot} VALUES ('a')`]
        : [slot, `${slot}_2`].flatMap((table) => inBothSchemas(table, `id integer PRIMARY KEY, ${own}`)),
    ),
    ...(slots.some((slot) => slot.startsWith('enum_'))
      ? []
      : ['pointing', 'pointing_2'].flatMap((name) => inBothSchemas(name, `id integer PRIMARY KEY, ${pointing}`))),
  ]
}

/** A second source over the same database, and what lies above the kind's own objects. */
async function trackPrerequisites(engine: Engine, group: readonly string[], slots: readonly string[]): Promise<void> {
  const configuration = { connection_info: { database_url: { from_env: 'SVC_TEST_URL_A' } } }
  const names = group.includes('Table') ? [] : [...slots.flatMap((slot) => [slot, `${slot}_2`]), 'target', 'target_2']
  const more = group.some((kind) => kind.endsWith('Relationship')) ? ['pointing', 'pointing_2'] : []
  const operations = [
    { type: 'pg_add_source', args: { name: 'second', configuration } },
    ...['default', 'second'].flatMap((source) =>
      ['public', 'other'].flatMap((schema) =>
        [...names, ...more].map((name) => ({
          type: 'pg_track_table',
          args: {
            source,
            table: { schema, name },
            // no name may be there twice, whatever source it comes from
            ...(source === 'second' && { configuration: { custom_name: `second_${schema}_${name}` } }),
          },
        })),
      ),
    ),
  ]
  const computed = { table: computedSlot, name: 'note_of' }
  const { status, text } = await engine.metadata('bulk', [
    ...operations,
    ...(group.includes('SelectPermission')
      ? [{ type: 'pg_add_computed_field', args: { ...computed, definition: { function: 'note_of' } } }]
      : []),
  ])
  assert.equal(status, 200, text)
}

/** Functions of the variants: over their tables, and those that give rows, each in both schemas and under both names. */
function functions(variants: readonly Variant[]): readonly string[] {
  const label = (name: string, row: string) =>
    `CREATE FUNCTION ${name}(own ${row}, same ${row}, first json, second json) RETURNS text STABLE LANGUAGE sql AS 'SELECT own.note'`
  const search = (name: string) =>
    `CREATE FUNCTION ${name}(first json, second json) RETURNS SETOF public.target VOLATILE LANGUAGE sql AS 'SELECT * FROM public.target'`
  return [
    'CREATE TABLE public.pairs (id integer, note text)',
    ...['public', 'other'].flatMap((schema) =>
      variants.flatMap(({ from: { table, function: called }, kind }) => {
        if (kind === 'ComputedField' && isNamed(table))
          return [
            label(`${schema}.${table.name}_label`, `${schema}.${table.name}`),
            label(`${schema}.${table.name}_2_label`, `${schema}.${table.name}_2`),
            label(`${schema}.${table.name}_alt`, `public.${table.name}`),
          ]
        return isNamed(called) ? [search(`${schema}.${called.name}`), search(`${schema}.${called.name}_2`)] : []
      }),
    ),
  ]
}

/** What lies above permissions of functions and logical models, and what native queries return and lead to. */
async function trackForFunctions(engine: Engine, variants: readonly Variant[]): Promise<void> {
  const fields = [
    { name: 'id', type: 'integer' },
    { name: 'note', type: 'text', nullable: true },
  ]
  // a logical model in place is called like its native query
  const slots = (kind: string) =>
    variants.flatMap((one) =>
      one.kind === kind && one.attribute !== 'returns_inline' ? [slotOf(`${kind.toLowerCase()}_${one.attribute}`)] : [],
    )
  const models = [...slots('LogicalModelPermission'), ...slots('NativeQuery')].flatMap((slot) => [slot, `${slot}_2`])
  const code = 'SELECT 1 AS id, NULL::text AS note'
  const operations = [
    { type: 'pg_track_table', args: { table: 'pairs' } },
    ...['default', 'second'].flatMap((source) => [
      ...['reader', 'writer'].map((role) => ({
        type: 'pg_create_select_permission',
        args: { source, table: 'target', role, permission: { columns: '*', filter: {} } },
      })),
      ...slots('FunctionPermission').flatMap((slot) =>
        ['public', 'other'].flatMap((schema) =>
          [slot, `${slot}_2`].map((name) => ({
            type: 'pg_track_function',
            args: {
              source,
              function: { schema, name },
              configuration: { exposed_as: 'query', custom_name: `${source}_${schema}_${name}` },
            },
          })),
        ),
      ),
      ...models.map((name) => ({
        type: 'pg_track_logical_model',
        args: { source, name: source === 'second' ? `second_${name}` : name, fields },
      })),
    ]),
    ...[...slots('AllowlistEntry'), ...slots('RestEndpoint')]
      .flatMap((slot) => [slot, `${slot}_2`])
      .map((name) => ({
        type: 'create_query_collection',
        args: {
          name,
          definition: { queries: ['one', 'two'].map((name) => ({ name, query: `query ${name} { target { id } }` })) },
        },
      })),
    ...slots('ActionPermission')
      .flatMap((slot) => [slot, `${slot}_2`])
      .map((name) => ({
        type: 'create_action',
        args: { name, definition: { handler: 'http://localhost:1/a', output_type: 'String' } },
      })),
    ...['inner', 'inner_2', 'other'].map((name) => ({ type: 'pg_track_logical_model', args: { name, fields } })),
    ...['other_query', 'other_query_2'].map((root_field_name) => ({
      type: 'pg_track_native_query',
      args: { root_field_name, code, returns: 'other' },
    })),
  ]
  const { status, text } = await engine.metadata('bulk_atomic', operations)
  assert.equal(status, 200, text)
}
