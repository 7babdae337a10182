/** A music store in a real database, tracked: what the end-to-end tests of this module ask. */
import { type JsonObject, readMetadata } from '@svc/schema'
import pg from 'pg'
import { postgres } from '../backends/index.ts'
import { connect } from '../backends/postgres/index.ts'
import { defaultGraphqlSettings, type GraphqlSettings } from '../graphql/index.ts'
import { type Model, updateModel } from '../model/index.ts'
import { adminRole, type Session } from '../session.ts'
import { answerAllowance } from './allowance.ts'
import { executeGraphql } from './execute-graphql.ts'
import { explainGraphql } from './explain-graphql.ts'
import { createGraphqlCaches, type GraphqlCaches } from './graphql-caches.ts'

const schema = `
  CREATE TABLE artist (id int PRIMARY KEY, name text NOT NULL, email text, meta jsonb, tags text[], fans bigint);
  CREATE TABLE album (id int PRIMARY KEY, title text NOT NULL, artist_id int NOT NULL REFERENCES artist);
  CREATE TABLE track (id int PRIMARY KEY, name text, album_id int REFERENCES album, price numeric, live boolean);
  INSERT INTO artist VALUES
    (1, 'Ada', 'ada@example.org', '{"a":{"b":[10,20]}}', '{jazz,soul}', 9007199254740993),
    (2, 'Bo', NULL, NULL, '{}', 5),
    (3, 'Cy', 'cy@example.org', '{"a":null}', NULL, NULL);
  INSERT INTO album VALUES (10, 'First', 1), (11, 'Second', 1), (12, 'Third', 2);
  INSERT INTO track VALUES
    (100, 'one', 10, 0.99, true), (101, 'two', 10, 1.29, false), (102, 'three', 11, 0.5, NULL), (103, NULL, NULL, NULL, NULL);`

const manyOf = (name: string, table: string, column: string): JsonObject => ({
  name,
  using: { foreign_key_constraint_on: { table: { schema: 'public', name: table }, column } },
})
const oneOf = (name: string, column: string): JsonObject => ({ name, using: { foreign_key_constraint_on: column } })

/** `user` sees artists that have an e-mail address, at most two; and the albums of the artist it is. */
export const musicTables: readonly JsonObject[] = [
  {
    table: { schema: 'public', name: 'artist' },
    array_relationships: [manyOf('albums', 'album', 'artist_id')],
    select_permissions: [
      {
        role: 'user',
        permission: {
          columns: ['id', 'name'],
          filter: { email: { _is_null: false } },
          limit: 2,
          allow_aggregations: true,
        },
      },
    ],
  },
  {
    table: { schema: 'public', name: 'album' },
    object_relationships: [oneOf('artist', 'artist_id')],
    array_relationships: [manyOf('tracks', 'track', 'album_id')],
    select_permissions: [
      { role: 'user', permission: { columns: '*', filter: { artist_id: { _eq: 'X-Svc-User-Id' } } } },
    ],
  },
  { table: { schema: 'public', name: 'track' }, object_relationships: [oneOf('album', 'album_id')] },
]

export interface MusicDatabase {
  /** Asks as the server would. */
  ask(query: string, options?: AskOptions): Promise<unknown>
  explain(query: string): ReturnType<typeof explainGraphql>
  /** Changes metadata; what stayed keeps its references. */
  track(tables: readonly JsonObject[]): void
  readonly model: () => Model
  readonly caches: GraphqlCaches
}

interface AskOptions {
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
  readonly role?: string
  readonly session?: Readonly<Record<string, string>>
  readonly settings?: Partial<GraphqlSettings>
}

/** Fills an empty database. Its connections are closed by `after`. */
export async function musicDatabase(
  url: string,
  t: { after(cleanUp: () => Promise<void>): void },
): Promise<MusicDatabase> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(schema)
  await client.end()
  const connection = await connect(
    {
      source: 'default',
      databaseUrl: url,
      maxConnections: 4,
      idleTimeout: 10,
      connectionLifetime: 600,
      poolTimeout: null,
      retries: 1,
      isolationLevel: 'read-committed',
      usePreparedStatements: true,
      extensionsSchema: null,
      ssl: null,
    },
    () => {},
  )
  t.after(() => connection.close())
  const introspection = await connection.introspect(null)
  const modelOf = (tables: readonly JsonObject[], previous: Model | null) => {
    const configuration = { connection_info: { database_url: url } }
    const read = readMetadata({ version: 3, sources: [{ name: 'default', kind: 'postgres', tables, configuration }] })
    if (!read.ok) throw new Error(`${read.issue.path.join('.')}: ${read.issue.message}`)
    const state = { status: 'ready', name: 'default', backend: postgres, introspection, connection } as const
    return updateModel(previous, {
      document: read.document,
      sources: new Map([
        [
          'default',
          {
            ...state,
            configuration,
            enums: new Map(),
            functions: new Map(),
            queries: { checked: new Map(), types: new Map() },
          },
        ],
      ]),
      settings: { stringifyNumericTypes: false, inferFunctionPermissions: true },
    })
  }
  let model = modelOf(musicTables, null)
  const caches = createGraphqlCaches()
  return {
    caches,
    model: () => model,
    track(tables) {
      model = modelOf(tables, model)
    },
    async ask(query, options = {}) {
      const { body } = await executeGraphql({
        model,
        caches,
        request: { query, variables: options.variables ?? {}, operationName: options.operationName ?? null },
        session: sessionOf(options),
        settings: { ...defaultGraphqlSettings, ...options.settings },
        answerSize: answerAllowance(1_000_000_000),
      })
      return JSON.parse(Buffer.concat(body).toString()).data
    },
    explain: (query) =>
      explainGraphql(
        model,
        { request: { query, variables: {}, operationName: null }, session: sessionOf({}) },
        defaultGraphqlSettings,
      ),
  }
}

function sessionOf({ role = adminRole, session = {} }: AskOptions): Session {
  return { role, variables: new Map(Object.entries({ 'x-svc-role': role, ...session })), backendOnly: false }
}
