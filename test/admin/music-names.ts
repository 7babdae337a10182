/** What random operations speak of. */
import type { Random } from './random.ts'

/** What the lists speak of; the last names of each are not in the database. */
export const musicTables = `
  CREATE TABLE artist (id serial PRIMARY KEY, name text NOT NULL, born date);
  CREATE TABLE album (id serial PRIMARY KEY, title text, artist_id int NOT NULL REFERENCES artist (id), year int);
  CREATE TABLE track (id serial PRIMARY KEY, name text, album_id int REFERENCES album (id), genre text, milliseconds int);
  CREATE TABLE playlist (id serial PRIMARY KEY, name text);
  CREATE TABLE playlist_track (playlist_id int REFERENCES playlist (id), track_id int REFERENCES track (id),
    PRIMARY KEY (playlist_id, track_id));
  CREATE VIEW long_track AS SELECT id, name, album_id FROM track WHERE milliseconds > 600000;
  CREATE SCHEMA sales;
  CREATE TABLE sales.invoice (id serial PRIMARY KEY, customer text, total numeric);
  CREATE FUNCTION label(artist) RETURNS text STABLE LANGUAGE sql AS 'SELECT $1.name';
  CREATE FUNCTION records(artist) RETURNS SETOF album STABLE LANGUAGE sql AS 'SELECT * FROM album WHERE artist_id = $1.id';
  CREATE FUNCTION recent() RETURNS SETOF album STABLE LANGUAGE sql AS 'SELECT * FROM album WHERE year > 2000';
  CREATE FUNCTION change() RETURNS SETOF album VOLATILE LANGUAGE sql AS 'SELECT * FROM album';`

export const musicRows = `
  INSERT INTO artist (name, born) SELECT 'artist ' || n, date '1950-01-01' + n FROM generate_series(1, 5) n;
  INSERT INTO album (title, artist_id, year) SELECT 'album ' || n, 1 + n % 5, 1995 + n FROM generate_series(1, 12) n;
  INSERT INTO track (name, album_id, genre, milliseconds)
    SELECT 'track ' || n, 1 + n % 12, 'rock', n * 100000 FROM generate_series(1, 12) n;
  INSERT INTO playlist (name) VALUES ('one'), ('two');
  INSERT INTO playlist_track SELECT 1 + n % 2, n FROM generate_series(1, 9) n;
  INSERT INTO sales.invoice (customer, total) VALUES ('1', 10), ('2', 20);`

const columnsOf: Readonly<Record<string, readonly string[]>> = {
  artist: ['id', 'name', 'born'],
  album: ['id', 'title', 'artist_id', 'year'],
  track: ['id', 'name', 'album_id', 'genre', 'milliseconds'],
  playlist: ['id', 'name'],
  playlist_track: ['playlist_id', 'track_id'],
  long_track: ['id', 'name', 'album_id'],
  'sales.invoice': ['id', 'customer', 'total'],
}

export const tables = Object.keys(columnsOf)

/** Mostly one that the database has. */
export const pickTable = (random: Random) => (random.chance(0.04) ? 'missing' : random.pick(tables))

export const pickColumn = (random: Random, table: string) =>
  random.chance(0.06) ? 'nowhere' : random.pick(columnsOf[table] ?? ['id'])

export const functions = ['label', 'records', 'recent', 'change', 'missing']

export const inheritedRoles = ['both', 'some', 'more']

export const roles = ['user', 'editor', 'guest', 'admin', 'user', 'editor', 'both']

export const names = ['artist', 'albums', 'tracks', 'parent', 'children', 'rest', 'name']

export function qualified(name: string): unknown {
  const [schema, table] = name.split('.')
  return table === undefined ? name : { schema, name: table }
}

export function place(
  random: Random,
  table = pickTable(random),
): { readonly table: unknown; readonly source?: string } {
  return random.chance(0.06)
    ? { table: qualified(table), source: random.pick(['second', 'nowhere']) }
    : { table: qualified(table) }
}

export const keys: Readonly<Record<string, string>> = {
  album: 'artist_id',
  track: 'album_id',
  playlist_track: 'track_id',
}

export const targets: Readonly<Record<string, string>> = { album: 'artist', track: 'album', playlist_track: 'track' }
