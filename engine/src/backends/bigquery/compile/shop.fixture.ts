/** A small shop of music for the tests of this module: its tables, and IR written short. */
import { Path } from '../../../errors.ts'
import {
  always,
  type BooleanExpression,
  type Join,
  type Operand,
  type QualifiedName,
  type RowField,
  type Rows,
  type Value,
} from '../../../ir/index.ts'
import { coerceInput } from '../types/coerce-input.ts'
import { baseType } from '../types/database-type.ts'

/** Statements of one server's session, each by itself: an emulator takes no CREATE OR REPLACE. */
export const shopSql = [
  `CREATE TABLE shop.artist (id INT64, name STRING, born DATE, data JSON)`,
  `CREATE TABLE shop.album (id INT64, title STRING, artist_id INT64, price NUMERIC, added TIMESTAMP)`,
  `CREATE TABLE shop.track (id INT64, name STRING, album_id INT64, plays INT64, length FLOAT64)`,
  `INSERT INTO shop.artist VALUES (1, 'Ann', DATE '1960-01-02', JSON '{"a": [1]}'), (2, 'Bob', NULL, NULL), (3, NULL, NULL, NULL)`,
  `INSERT INTO shop.album VALUES (10, 'First', 1, NUMERIC '0.99', TIMESTAMP '2008-12-25 07:30:00+00'),
     (11, 'Second', 1, NUMERIC '1.5', NULL), (12, 'Third', 2, NULL, NULL), (13, NULL, NULL, NUMERIC '2', NULL)`,
  `INSERT INTO shop.track VALUES (100, 'a', 10, 5, 1.5), (101, 'b', 10, 9007199254740993, 2.5), (102, 'c', 12, 1, NULL), (103, 'd', NULL, NULL, NULL)`,
  `CREATE TABLE FUNCTION shop.longer_than(album INT64, least FLOAT64) AS
     (SELECT * FROM shop.track WHERE album_id = album AND length > least)`,
]

export const table = (name: string): QualifiedName => ({ schema: 'shop', name })

type Column = Operand & { kind: 'column' }

export const column = (name: string, type: string, of: 'row' | 'root' = 'row'): Column => ({
  kind: 'column',
  of,
  name,
  type: baseType(type),
})

export const id = column('id', 'INT64')
export const name = column('name', 'STRING')
export const title = column('title', 'STRING')
export const price = column('price', 'NUMERIC')
export const plays = column('plays', 'INT64')

export const field = (of: Operand, as = of.kind === 'column' ? of.name : 'x'): RowField => ({
  kind: 'column',
  as,
  of,
  path: [],
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
export const artistOfAlbum: Join = { table: table('artist'), columns: [{ from: 'artist_id', to: 'id' }] }

export function value(json: unknown, type: string, list = false): Value {
  const valueType = { type: baseType(type), list }
  return { kind: 'constant', text: coerceInput(valueType, json, Path.root), type: valueType }
}

export const count = (n: number): Value => value(n, 'INT64')

export function compare(left: Column, operator: string, json: unknown, nullSafe = false): BooleanExpression {
  const list = operator === 'in' || operator === 'nin'
  return { kind: 'compare', left, operator, right: [value(json, left.type.name, list)], nullSafe }
}

export const asc = (of: Operand, nulls: 'first' | 'last' = 'first') =>
  ({ key: { kind: 'operand', of }, direction: 'asc', nulls }) as const

export const desc = (of: Operand, nulls: 'first' | 'last' = 'last') =>
  ({ key: { kind: 'operand', of }, direction: 'desc', nulls }) as const
