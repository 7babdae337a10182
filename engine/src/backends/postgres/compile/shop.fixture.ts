/** A small shop of music for the tests of this module: its tables, and IR written short. */
import { Path } from '../../../errors.ts'
import {
  always,
  type BooleanExpression,
  type DatabaseType,
  type Join,
  type Operand,
  type QualifiedName,
  type RowField,
  type Rows,
  type Value,
} from '../../../ir/index.ts'
import { coerceInput } from '../types/coerce-input.ts'

export const shopSql = `
create table artist (id int primary key, name text, born date, data jsonb);
create table album (id int primary key, title text not null, artist_id int references artist, year int);
create table track (id int primary key, name text not null, album_id int references album, price numeric(10,2), plays bigint);
insert into artist values (1, 'Ann', '1960-01-02', '{"a": {"b": [1, "x"]}}'), (2, 'Bob', null, null), (3, null, null, '[]');
insert into album values (10, 'First', 1, 1990), (11, 'Second', 1, 2000), (12, 'Third', 2, 1995), (13, 'Lost', null, null);
insert into track values (100, 'a', 10, 0.99, 5), (101, 'b', 10, 1.99, 9007199254740993), (102, 'c', 12, 0.5, 1), (103, 'd', null, null, null);`

export const type = (name: string, array = false): DatabaseType => ({ schema: 'pg_catalog', name, kind: 'base', array })
export const table = (name: string): QualifiedName => ({ schema: 'public', name })

export const column = (name: string, of: DatabaseType, from: 'row' | 'root' = 'row'): Operand & { kind: 'column' } => ({
  kind: 'column',
  of: from,
  name,
  type: of,
})

export const id = column('id', type('int4'))
export const name = column('name', type('text'))
export const title = column('title', type('text'))
export const year = column('year', type('int4'))
export const price = column('price', type('numeric'))
export const plays = column('plays', type('int8'))

export const field = (of: Operand & { kind: 'column' }, as = of.name, path: readonly string[] = []): RowField => ({
  kind: 'column',
  as,
  of,
  path,
})

export const all: Rows = {
  where: always,
  orderBy: [],
  distinctOn: [],
  limit: null,
  offset: null,
  permissionLimit: null,
}

export const albumsOfArtist: Join = { table: table('album'), columns: [{ from: 'id', to: 'artist_id' }] }
export const tracksOfAlbum: Join = { table: table('track'), columns: [{ from: 'id', to: 'album_id' }] }
export const artistOfAlbum: Join = { table: table('artist'), columns: [{ from: 'artist_id', to: 'id' }], unique: true }
export const albumOfTrack: Join = { table: table('album'), columns: [{ from: 'album_id', to: 'id' }], unique: true }

/** A value as GraphQL JSON would give it. */
export function value(json: unknown, of: DatabaseType, list = false): Value {
  const valueType = { type: of, list }
  return { kind: 'constant', text: coerceInput(valueType, json, Path.root), type: valueType }
}

export const count = (n: number): Value => value(n, type('int8'))

export function compare(
  left: Operand & { kind: 'column' },
  operator: string,
  json: unknown,
  nullSafe = false,
): BooleanExpression {
  const list = operator === 'in' || operator === 'nin'
  return { kind: 'compare', left, operator, right: [value(json, left.type, list)], nullSafe }
}
