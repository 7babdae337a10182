/** The music store that is measured: two stores of Chinook's cardinalities, and a role that sees one of them. */
import pg from 'pg'
import { createTestDatabase } from '../../test/postgres.ts'

const schema = `
  CREATE TABLE genre (id int PRIMARY KEY, name text NOT NULL);
  CREATE TABLE artist (id int PRIMARY KEY, store_id int NOT NULL, name text NOT NULL);
  CREATE TABLE album (id int PRIMARY KEY, store_id int NOT NULL, title text NOT NULL, artist_id int NOT NULL REFERENCES artist);
  CREATE TABLE track (id int PRIMARY KEY, store_id int NOT NULL, name text NOT NULL, album_id int NOT NULL REFERENCES album,
    genre_id int NOT NULL REFERENCES genre, composer text, milliseconds int NOT NULL, bytes int NOT NULL,
    unit_price numeric(10, 2) NOT NULL);
  INSERT INTO genre SELECT i, 'Genre ' || i FROM generate_series(1, 25) i;
  INSERT INTO artist SELECT s * 1000 + i, s, 'Artist ' || chr(65 + i % 26) || ' ' || i
    FROM generate_series(1, 2) s, generate_series(1, 275) i;
  INSERT INTO album SELECT s * 1000 + i, s, 'For Those About To Rock ' || i, s * 1000 + 1 + (i * 7) % 275
    FROM generate_series(1, 2) s, generate_series(1, 347) i;
  INSERT INTO track SELECT s * 10000 + i, s, 'Track number ' || i, s * 1000 + 1 + i % 347, 1 + i % 25,
      CASE WHEN i % 3 > 0 THEN 'Composer ' || i % 500 END, 180000 + i * 37 % 200000, 5000000 + i * 997 % 9000000,
      CASE WHEN i % 17 = 0 THEN 1.99 ELSE 0.99 END
    FROM generate_series(1, 2) s, generate_series(1, 3503) i;
  CREATE INDEX ON album (artist_id);
  CREATE INDEX ON track (album_id);
  CREATE INDEX ON track (genre_id);
  CREATE FUNCTION sleep_row(track) RETURNS text LANGUAGE sql STABLE AS $$ SELECT 'slept' || pg_sleep(0.005) $$;
  CREATE FUNCTION sleep_long(track) RETURNS text LANGUAGE sql STABLE AS $$ SELECT 'slept' || pg_sleep(1) $$;`

export const role = 'customer'
export const storeId = 1

const seen = (columns: string) => [
  {
    role,
    permission: {
      columns: columns.split(' '),
      computed_fields: columns.includes('bytes') ? ['sleep_row', 'sleep_long'] : [],
      filter: { store_id: { _eq: 'X-Svc-Store-Id' } },
      allow_aggregations: true,
    },
  },
]
const one = (name: string, column: string) => ({ name, using: { foreign_key_constraint_on: column } })
const many = (name: string, table: string, column: string) => ({
  name,
  using: { foreign_key_constraint_on: { table: { schema: 'public', name: table }, column } },
})
const computed = (name: string) => ({ name, definition: { function: { schema: 'public', name } } })

export const storeTables: readonly object[] = [
  {
    table: { schema: 'public', name: 'artist' },
    array_relationships: [many('albums', 'album', 'artist_id')],
    select_permissions: seen('id name'),
  },
  {
    table: { schema: 'public', name: 'album' },
    object_relationships: [one('artist', 'artist_id')],
    array_relationships: [many('tracks', 'track', 'album_id')],
    select_permissions: seen('id title artist_id'),
  },
  {
    table: { schema: 'public', name: 'track' },
    object_relationships: [one('album', 'album_id')],
    computed_fields: [computed('sleep_row'), computed('sleep_long')],
    select_permissions: seen('id name album_id genre_id composer milliseconds bytes unit_price'),
  },
]

/** Two databases, since the engine keeps its metadata apart from the data. */
export async function createStore(): Promise<{ readonly data: string; readonly metadata: string }> {
  const data = await createTestDatabase()
  await run(data.url, schema)
  await run(data.url, 'VACUUM ANALYZE')
  return { data: data.url, metadata: (await createTestDatabase()).url }
}

export async function run(url: string, script: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(script)).rows
  } finally {
    await client.end()
  }
}
