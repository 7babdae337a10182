/** What the fuzz speaks of: two databases, a remote schema, names that exist and names that do not. */

/** The source `default`. */
export const musicTables = `
  CREATE TABLE artist (id serial PRIMARY KEY, name text NOT NULL, born date);
  CREATE TABLE album (id serial PRIMARY KEY, title text, artist_id int NOT NULL REFERENCES artist (id), year int);
  CREATE TABLE track (id serial PRIMARY KEY, name text, album_id int REFERENCES album (id), genre text, milliseconds int);
  CREATE TABLE playlist (id serial PRIMARY KEY, name text);
  CREATE TABLE playlist_track (playlist_id int REFERENCES playlist (id), track_id int REFERENCES track (id),
    PRIMARY KEY (playlist_id, track_id));
  CREATE TABLE genre (value text PRIMARY KEY, comment text);
  INSERT INTO genre VALUES ('jazz', 'with swing'), ('blues', NULL);
  CREATE VIEW long_track AS SELECT id, name, album_id FROM track WHERE milliseconds > 600000;
  CREATE SCHEMA sales;
  CREATE TABLE sales.invoice (id serial PRIMARY KEY, customer text, total numeric);
  CREATE FUNCTION label(artist) RETURNS text STABLE LANGUAGE sql AS 'SELECT $1.name';
  CREATE FUNCTION records(artist) RETURNS SETOF album STABLE LANGUAGE sql AS 'SELECT * FROM album WHERE artist_id = $1.id';
  CREATE FUNCTION recent() RETURNS SETOF album STABLE LANGUAGE sql AS 'SELECT * FROM album WHERE year > 2000';
  CREATE FUNCTION change() RETURNS SETOF album VOLATILE LANGUAGE sql AS 'SELECT * FROM album';`

/** The source `shop`. */
export const shopTables = `
  CREATE TABLE customer (id serial PRIMARY KEY, name text, artist_id int);
  CREATE TABLE purchase (id serial PRIMARY KEY, customer_id int REFERENCES customer (id), album_id int, total numeric);`

/** Columns by source and table, as the databases have them at first. */
export const columnsOf: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  default: {
    'public.artist': ['id', 'name', 'born'],
    'public.album': ['id', 'title', 'artist_id', 'year'],
    'public.track': ['id', 'name', 'album_id', 'genre', 'milliseconds'],
    'public.playlist': ['id', 'name'],
    'public.playlist_track': ['playlist_id', 'track_id'],
    'public.genre': ['value', 'comment'],
    'public.long_track': ['id', 'name', 'album_id'],
    'sales.invoice': ['id', 'customer', 'total'],
  },
  shop: {
    'public.customer': ['id', 'name', 'artist_id'],
    'public.purchase': ['id', 'customer_id', 'album_id', 'total'],
  },
}

/** Where the foreign key of a column leads. */
export const foreignKeys: readonly {
  readonly source: string
  readonly table: string
  readonly column: string
  readonly target: string
}[] = [
  { source: 'default', table: 'public.album', column: 'artist_id', target: 'public.artist' },
  { source: 'default', table: 'public.track', column: 'album_id', target: 'public.album' },
  { source: 'default', table: 'public.playlist_track', column: 'playlist_id', target: 'public.playlist' },
  { source: 'default', table: 'public.playlist_track', column: 'track_id', target: 'public.track' },
  { source: 'shop', table: 'public.purchase', column: 'customer_id', target: 'public.customer' },
]

/** Tables that functions return; null: no table. */
export const returnedBy: Readonly<Record<string, string | null>> = {
  'public.label': null,
  'public.records': 'public.album',
  'public.recent': 'public.album',
  'public.change': 'public.album',
}

export const shopVariable = 'FUZZ_SHOP_URL'
export const remoteVariable = 'FUZZ_REMOTE_URL'
export const roles = ['user', 'editor', 'guest'] as const
export const inheritedRoles = ['both', 'some', 'more'] as const

export const remoteSdl = `
  type Query { reviews(album: Int!, stars: Int): [Review!]! review(id: ID!): Review }
  type Review { id: ID! album_id: Int! stars: Int text: String }
  type Mutation { review(album: Int!, stars: Int!): Review }`
