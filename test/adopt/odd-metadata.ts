/** Everything that is awkward to write down in another language: names, templates, secrets, three sources. */
import pg from 'pg'
import { musicMetadata } from '../cli/music-tables.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export const ODD_SECRET = 'canary-7f3a9'

export interface OddEngine {
  readonly engine: Engine
  readonly resources: { readonly count: number; readonly archiveUrl: string }
}

const tables = [
  { schema: 'public', name: 'order' },
  { schema: 'public', name: 'Order' },
  { schema: 'public', name: 'order-lines' },
  { schema: 'public', name: 'order_lines' },
  { schema: 'sales', name: 'order' },
  { schema: 'public', name: 'sales_order' },
  { schema: 'public', name: `2nd "\${try}" %{if}\\` },
  { schema: 'public', name: 'größe' },
  { schema: 'public', name: 'a/b%c' },
]

const odd = `\${not} %{a} "template" $\${x} 'quoted' \\ back\nsecond line\ttab`

const oddColumn = `odd "name" \${x}`

const filter = {
  _or: [{ [oddColumn]: { _eq: odd } }, { id: { _in: [1, 2.5, -3e21] } }, { _not: { id: { _is_null: true } } }, {}],
}

export async function startOddEngine(t: WithAfter): Promise<OddEngine> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const user = `odd_${process.pid}`
  const quoted = (name: string) => client.escapeIdentifier(name)
  const created = tables.map(
    ({ schema, name }, i) =>
      `CREATE TABLE ${quoted(schema)}.${quoted(name)} (id numeric CONSTRAINT key_${i} PRIMARY KEY, ${quoted(oddColumn)} text)`,
  )
  await client
    .query(`CREATE SCHEMA sales; ${created.join(';')}; CREATE ROLE ${user} LOGIN SUPERUSER PASSWORD '${ODD_SECRET}'`)
    .finally(() => client.end())
  const archiveUrl = new URL(database.url)
  archiveUrl.username = user
  archiveUrl.password = ODD_SECRET
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(async () => {
    await database.drop()
    const server = new pg.Client({ connectionString: new URL('/postgres', database.url).href })
    await server.connect()
    await server.query(`DROP ROLE ${user}`).finally(() => server.end())
  })
  const [main] = musicMetadata(
    tables.map((table, i) => ({
      table,
      configuration: {
        custom_name: `table_${i}`,
        comment: odd,
        column_config: { [oddColumn]: { custom_name: 'odd', comment: odd } },
      },
      select_permissions: [{ role: 'odd role/%', permission: { columns: ['id', oddColumn], filter }, comment: odd }],
    })),
  ).sources as readonly object[]
  const source = (name: string, connection: object) => ({
    name,
    kind: 'postgres',
    tables: [
      {
        table: tables[0],
        configuration: { custom_name: `${name}_order`, column_config: { [oddColumn]: { custom_name: 'odd' } } },
      },
    ],
    configuration: { connection_info: { database_url: connection } },
  })
  const metadata = {
    version: 3,
    sources: [
      main,
      { ...source('archive', {}), configuration: { connection_info: { database_url: archiveUrl.href } } },
      source('parts', {
        connection_parameters: {
          host: archiveUrl.hostname,
          port: Number(archiveUrl.port),
          username: user,
          password: ODD_SECRET,
          database: archiveUrl.pathname.slice(1),
        },
      }),
    ],
  }
  const answer = await engine.metadata('replace_metadata', metadata)
  if (answer.status !== 200) throw new Error(answer.text)
  return { engine, resources: { count: 3 + 2 * tables.length + 2, archiveUrl: archiveUrl.href } }
}
