/**
 * A project of 5,000 tables x 10 roles: tables of 10 columns with a relationship in each direction and a select permission
 * for each role, and 50 functions, 50 native queries, 50 event triggers and 200 stored queries.
 */
import type { JsonObject } from '@svc/schema'
import pg from 'pg'

export interface ProjectSize {
  readonly tables: number
  readonly roles: number
}

const few = 50
const stored = 200

const columns = ['id', 'parent_id', 'name', 'owner', 'price', 'created_at', 'note', 'amount', 'rank', 'flag']

/** The tables `t…` that metadata tracks, a hundred `u…` that it does not, and the functions; what is there already stays. */
export async function createProject(url: string, { tables }: ProjectSize): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`SELECT to_regclass('public.t${tables - 1}') IS NOT NULL AS made`)
  if (rows[0]?.made !== true) {
    const table = (
      name: string,
    ) => `CREATE TABLE IF NOT EXISTS ${name} (id int PRIMARY KEY, parent_id int, name text NOT NULL,
      owner text, price numeric, created_at timestamptz, note text, amount int, rank int, flag boolean,
      FOREIGN KEY (parent_id) REFERENCES t0 (id));`
    await client.query(table('t0'))
    for (let from = 1; from < tables; from += 100)
      await client.query(
        Array.from({ length: Math.min(100, tables - from) }, (_, i) =>
          table(`t${from + i}`).replace('REFERENCES t0', `REFERENCES t${Math.floor((from + i) / 10)}`),
        ).join(''),
      )
    await client.query(Array.from({ length: 100 }, (_, i) => table(`u${i}`)).join(''))
    await client.query(
      Array.from(
        { length: few },
        (_, i) =>
          `CREATE FUNCTION f${i}() RETURNS SETOF t${i} STABLE LANGUAGE sql AS 'SELECT * FROM t${i}';
           INSERT INTO t${i} (id, name, owner) SELECT n, 'name', 'x' FROM generate_series(1, 10) n;`,
      ).join(''),
    )
    await client.query('ANALYZE')
  }
  await client.end()
}

const named = (name: string) => ({ schema: 'public', name })

export const role = (i: number) => `role_${i}`

/** Three of ten permissions read another table. */
function permission(i: number): JsonObject {
  const own = { owner: { _eq: 'X-Svc-User-Id' } }
  return { columns: columns.slice(0, 5 + (i % 6)), filter: i % 10 < 3 ? { parent: own } : own }
}

const table = (i: number, { tables, roles }: ProjectSize): JsonObject => ({
  table: named(`t${i}`),
  object_relationships: [{ name: 'parent', using: { foreign_key_constraint_on: 'parent_id' } }],
  array_relationships: [
    {
      name: 'twins',
      using: {
        manual_configuration: {
          remote_table: named(`t${(i * 7) % tables}`),
          column_mapping: { id: 'parent_id' },
        },
      },
    },
  ],
  select_permissions: Array.from({ length: roles }, (_, n) => ({ role: role(n), permission: permission(n) })),
  ...(i < few && {
    event_triggers: [
      {
        name: `trigger_${i}`,
        definition: { enable_manual: false, insert: { columns: '*' } },
        retry_conf: { interval_sec: 10, num_retries: 0, timeout_sec: 60 },
        webhook: 'http://127.0.0.1:9/nowhere',
      },
    ],
  }),
})

/** The whole metadata, with that entry of the source. */
export function projectMetadata(source: JsonObject, size: ProjectSize): JsonObject {
  const { name, kind, configuration } = source as { name: string; kind: string; configuration: JsonObject }
  return {
    version: 3,
    sources: [
      {
        name,
        kind,
        tables: Array.from({ length: size.tables }, (_, i) => table(i, size)),
        functions: Array.from({ length: few }, (_, i) => ({ function: named(`f${i}`) })),
        native_queries: Array.from({ length: few }, (_, i) => ({
          root_field_name: `native_${i}`,
          code: `SELECT id, name FROM t${i} WHERE id > {{least}}`,
          arguments: { least: { type: 'integer', nullable: false } },
          returns: 'thing',
        })),
        logical_models: [
          {
            name: 'thing',
            fields: [
              { name: 'id', type: { scalar: 'integer', nullable: false } },
              { name: 'name', type: { scalar: 'text', nullable: true } },
            ],
          },
        ],
        configuration,
      },
    ],
    query_collections: [
      {
        name: 'stored',
        definition: {
          queries: Array.from({ length: stored }, (_, i) => ({
            name: `q${i}`,
            query: `query q${i} { t${i % size.tables}(limit: 10) { id name parent { id name } } }`,
          })),
        },
      },
    ],
  }
}
