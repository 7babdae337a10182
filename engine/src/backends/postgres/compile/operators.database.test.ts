/** Every operator that a type declares is one that the database understands. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { Path } from '../../../errors.ts'
import type { AggregateValue, BooleanExpression, DatabaseType, RootQuery, Value, ValueType } from '../../../ir/index.ts'
import { coerceInput } from '../types/coerce-input.ts'
import { casts, operators } from '../types/operators.ts'
import { compileQuery } from './compile-query.ts'
import { all, column, field, type } from './shop.fixture.ts'

let client: pg.Client
before(async () => {
  const database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
after(() => client.end())

async function hasExtension(...names: readonly string[]): Promise<boolean> {
  const { rows } = await client.query('SELECT 1 FROM pg_available_extensions WHERE name = ANY($1)', [names])
  if (rows.length < names.length) return false
  for (const name of names) await client.query(`CREATE EXTENSION IF NOT EXISTS ${name}`)
  return true
}

const textOf = (slot: Value) => (slot.kind === 'constant' ? slot.text : null)
const extension = (name: string): DatabaseType => ({ schema: 'public', name, kind: 'base', array: false })
const constant = (json: unknown, of: ValueType): Value => ({
  kind: 'constant',
  text: coerceInput(of, json, Path.root),
  type: of,
})

async function rowsWhere(table: string, where: BooleanExpression): Promise<readonly unknown[]> {
  const rows = { ...all, where }
  const fields = [field(column('v', type('text')), 'v')]
  const query = { kind: 'rows', from: { schema: 'public', name: table }, rows, fields } as const
  const compiled = compileQuery(query, { stringifyNumericTypes: false })
  const answer = await client.query({ text: compiled.text, values: compiled.slots.map(textOf), rowMode: 'array' })
  return answer.rows[0]?.[0] as unknown[]
}

/** A table with one row that holds the sample; operators are tried with the sample, or with what `given` says for them. */
async function tryOperators(
  of: DatabaseType,
  sqlType: string,
  sample: unknown,
  given: Readonly<Record<string, unknown>> = {},
) {
  const table = `t_${of.name}${of.array ? 's' : ''}`
  await client.query(`CREATE TABLE ${table} (v ${sqlType})`)
  const insert = constant(sample, { type: of, list: false })
  const read = of.name === 'geometry' || of.name === 'geography' ? `ST_GeomFromGeoJSON($1)` : '$1'
  await client.query(`INSERT INTO ${table} VALUES (${of.name === 'raster' ? 'ST_RastFromHexWKB($1)' : read})`, [
    textOf(insert),
  ])
  const left = column('v', of)
  for (const { name, argument } of operators(of)) {
    const json = given[name] ?? sample
    const right = (): readonly Value[] => {
      switch (argument.kind) {
        case 'self':
          return [constant(json, { type: of, list: false })]
        case 'list':
          return [constant([json], { type: of, list: true })]
        case 'type':
          return [constant(json, { type: argument.type, list: argument.list })]
        case 'object':
          return argument.fields.map((part) =>
            constant((json as Record<string, unknown>)[part.name] ?? part.default ?? null, {
              type: part.type,
              list: false,
            }),
          )
        case 'boolean':
          return []
      }
    }
    if (argument.kind === 'boolean') continue
    const where: BooleanExpression = { kind: 'compare', left, operator: name.slice(1), right: right(), nullSafe: false }
    const found = await rowsWhere(table, where)
    assert.ok(found.length <= 1, `${of.name} ${name}`)
  }
  return { table, left }
}

test('the operators of the types that every database has', async () => {
  await tryOperators(type('text'), 'text', 'abc')
  await tryOperators(type('varchar'), 'varchar(10)', 'abc')
  await tryOperators(type('int4'), 'int', 5)
  await tryOperators(type('money'), 'money', 5.5)
  await tryOperators(type('bool'), 'bool', true)
  await tryOperators(type('uuid'), 'uuid', '123e4567-e89b-12d3-a456-426614174000')
  await tryOperators(type('timestamptz'), 'timestamptz', '2024-01-01T00:00:00Z')
  await tryOperators(type('interval'), 'interval', '1 day')
  await tryOperators(type('bytea'), 'bytea', '\\x00ff')
  await tryOperators(type('text', true), 'text[]', ['a', 'b'])
  const keys = { _has_key: 'a', _has_keys_any: ['a'], _has_keys_all: ['a'] }
  const { table, left } = await tryOperators(type('jsonb'), 'jsonb', { a: 1 }, keys)
  const [to] = casts(left.type)
  assert.ok(to)
  const like = constant('%"a"%', { type: to, list: false })
  const where: BooleanExpression = {
    kind: 'compare',
    left: { kind: 'cast', of: left, to },
    operator: 'like',
    right: [like],
    nullSafe: false,
  }
  assert.equal((await rowsWhere(table, where)).length, 1)
})

test('an array of a domain is compared like one of what the domain is made of', async () => {
  await client.query('CREATE DOMAIN positive AS int CHECK (value > 0); CREATE DOMAIN numbers AS int[]')
  const { table, left } = await tryOperators(type('int4', true), 'positive[]', [1, 2])
  const same: BooleanExpression = { kind: 'compare-columns', left, operator: 'eq', right: left }
  assert.equal((await rowsWhere(table, same)).length, 1)
  await client.query(`DROP TABLE ${table}`)
  await tryOperators(type('int4', true), 'numbers', [1, 2])
})

test('patterns of char(n) are texts, whose blanks count', async () => {
  const { table, left } = await tryOperators(type('bpchar'), 'char(5)', 'ab')
  const like = async (pattern: string) => {
    const right = [constant(pattern, { type: left.type, list: false })]
    return (await rowsWhere(table, { kind: 'compare', left, operator: 'like', right, nullSafe: false })).length
  }
  assert.deepEqual([await like('ab'), await like('a_'), await like('b%')], [1, 1, 0])
})

test('the operators of citext and ltree', async (t) => {
  if (!(await hasExtension('citext', 'ltree'))) return t.skip('the extensions are not installed')
  const { table, left } = await tryOperators(extension('citext'), 'citext', 'AbC')
  const equal: BooleanExpression = {
    kind: 'compare',
    left,
    operator: 'eq',
    right: [constant('aBc', { type: left.type, list: false })],
    nullSafe: false,
  }
  assert.equal((await rowsWhere(table, equal)).length, 1)
  await tryOperators(extension('ltree'), 'ltree', 'Top.Science', {
    _matches: 'Top.*',
    _matches_any: ['Top.*', 'x'],
    _matches_fulltext: 'Science & Top',
    _ancestor_any: ['Top.Science.Astronomy'],
    _descendant_any: ['Top'],
  })
})

test('the operators, casts and JSON of PostGIS', async (t) => {
  if (!(await hasExtension('postgis', 'postgis_raster'))) return t.skip('the extensions are not installed')
  const point = {
    type: 'Point',
    coordinates: [1, 2],
    crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::4326' } },
  }
  const { table, left } = await tryOperators(extension('geometry'), 'geometry(Point, 4326)', point, {
    _st_d_within: { distance: 1, from: point },
    _st_3d_d_within: { distance: 1, from: point },
  })
  await tryOperators(extension('geography'), 'geography', point, { _st_d_within: { distance: 1, from: point } })
  const from = { schema: 'public', name: table }
  const query = { kind: 'row', from, where: all.where, fields: [field(left)] } as const
  const { rows } = await client.query(compileQuery(query, { stringifyNumericTypes: false }).text)
  assert.deepEqual(rows[0].root, { v: point })
  const raster = (
    await client.query(
      `SELECT ST_AsHexWKB(ST_AddBand(ST_MakeEmptyRaster(2, 2, 0, 0, 1, -1, 0, 0, 4326), '8BUI'::text, 1, 0)) AS r`,
    )
  ).rows[0].r
  await tryOperators(extension('raster'), 'raster', raster, {
    _st_intersects_rast: raster,
    _st_intersects_nband_geom: { nband: 1, geommin: point },
    _st_intersects_geom_nband: { geommin: point },
  })
})

test('max and min of types that the database cannot max, and money beyond sums', async () => {
  const [low, high] = ['00000000-0000-0000-0000-000000000001', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
  await client.query(
    `CREATE TABLE agg (u uuid, m money, e text[]); INSERT INTO agg VALUES ('${low}', 1, '{a}'), ('${high}', 3, '{b}'), (NULL, NULL, NULL)`,
  )
  const operator = (as: 'max' | 'min' | 'sum' | 'avg', of: readonly string[]): AggregateValue => ({
    kind: 'operator',
    as,
    operator: as,
    fields: of.map((name) => ({ kind: 'value', as: name, of: column(name, types[name] ?? type('text')) })),
  })
  const types: Record<string, DatabaseType> = { u: type('uuid'), m: type('money'), e: type('text', true) }
  const fields = [
    operator('max', ['u', 'm', 'e']),
    operator('min', ['u']),
    operator('sum', ['m']),
    operator('avg', ['m']),
  ]
  const query: RootQuery = {
    kind: 'aggregate',
    from: { schema: 'public', name: 'agg' },
    rows: all,
    fields: [{ kind: 'aggregate', as: 'a', fields }],
  }
  const { rows } = await client.query(compileQuery(query, { stringifyNumericTypes: false }).text)
  assert.deepEqual(rows[0].root, {
    a: { max: { u: high, m: '$3.00', e: ['b'] }, min: { u: low }, sum: { m: '$4.00' }, avg: { m: 2 } },
  })
})
