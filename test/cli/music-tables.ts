/** A small database for the command's tests, and metadata of it. */

import type { JsonObject } from '@svc/schema'
import pg from 'pg'

export async function createMusicTables(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client
    .query(`CREATE TABLE artist (id integer PRIMARY KEY, name text, owner text);
      CREATE TABLE album (id integer PRIMARY KEY, artist_id integer REFERENCES artist, title text);
      CREATE TABLE track (id integer PRIMARY KEY, album_id integer REFERENCES album, title text)`)
    .finally(() => client.end())
}

/** The source `default` as a first start makes it, with these tables. */
export const musicMetadata = (tables: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  version: 3,
  sources: [
    {
      name: 'default',
      kind: 'postgres',
      tables,
      configuration: {
        connection_info: {
          database_url: { from_env: 'SVC_GRAPHQL_DATABASE_URL' },
          isolation_level: 'read-committed',
          pool_settings: { max_connections: 50, idle_timeout: 180, retries: 1, connection_lifetime: 600 },
          use_prepared_statements: false,
        },
      },
    },
  ],
  ...more,
})

const named = (name: string) => ({ name, schema: 'public' })

export const artist: JsonObject = {
  table: named('artist'),
  array_relationships: [
    { name: 'albums', using: { foreign_key_constraint_on: { table: named('album'), column: 'artist_id' } } },
  ],
  select_permissions: [
    { role: 'user', permission: { columns: ['id', 'name'], filter: { owner: { _eq: 'X-Svc-User-Id' } } } },
  ],
}

export const album: JsonObject = {
  table: named('album'),
  object_relationships: [{ name: 'artist', using: { foreign_key_constraint_on: 'artist_id' } }],
  select_permissions: [
    { role: 'user', permission: { columns: '*', filter: { artist: { owner: { _eq: 'X-Svc-User-Id' } } } } },
  ],
}
