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

export const type = (name: string, array = false): DatabaseType => ({ schema: 'sys', name, kind: 'base', array })
export const table = (name: string): QualifiedName => ({ schema: 'dbo', name })

export const column = (name: string, of: DatabaseType, from: 'row' | 'root' = 'row'): Operand & { kind: 'column' } => ({
  kind: 'column',
  of: from,
  name,
  type: of,
})

export const id = column('id', type('int'))
export const name = column('name', type('nvarchar'))
export const title = column('title', type('nvarchar'))
export const price = column('price', type('decimal'))
export const plays = column('plays', type('bigint'))

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

export const count = (n: number): Value => value(n, type('bigint'))

export function compare(
  left: Operand & { kind: 'column' },
  operator: string,
  json: unknown,
  nullSafe = false,
): BooleanExpression {
  const list = operator === 'in' || operator === 'nin'
  return { kind: 'compare', left, operator, right: [value(json, left.type, list)], nullSafe }
}
