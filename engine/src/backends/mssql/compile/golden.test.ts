/**
 * The T-SQL of each shape, as golden/*.sql have it: a file a group, `SVC_TEST_GOLDEN=write` writes them. Each text is
 * checked by the oracle of statements too.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { expectStatement } from '../../../../../test/sql-server/statement-oracle.ts'
import {
  type AggregateField,
  always,
  type BooleanExpression,
  type Operand,
  type OrderBy,
  type OrderKey,
  type RootQuery,
  type RowField,
  type Rows,
  type Value,
} from '../../../ir/index.ts'
import { compileMultiplexed } from './compile-multiplexed.ts'
import { compileQuery } from './compile-query.ts'
import {
  albumOfTrack,
  all,
  artistOfAlbum,
  column,
  compare,
  count,
  field,
  id,
  name,
  plays,
  price,
  table,
  title,
  tracksOfAlbum,
  type,
} from './shop.fixture.ts'

const options = { stringifyNumericTypes: false }
type Statement = { readonly text: string; readonly slots: number }

const query = (of: RootQuery): Statement => {
  const { text, slots } = compileQuery(of, options)
  return { text, slots: slots.length }
}
const rows = (of: Partial<Rows>, fields: readonly RowField[] = [field(id)], from = 'track'): Statement =>
  query({ kind: 'rows', from: table(from), rows: { ...all, ...of }, fields })
const where = (of: BooleanExpression): Statement => rows({ where: of })
const aggregate = (of: Partial<Rows>, fields: readonly AggregateField[]): Statement =>
  query({ kind: 'aggregate', from: table('track'), rows: { ...all, ...of }, fields })
const live = (...of: readonly RootQuery[]): Statement => {
  const { text, parameters, slots, shared } = compileMultiplexed(
    of.map((one) => ({ kind: 'query', query: one })),
    options,
  )
  return {
    text,
    slots: parameters(
      [slots.map(() => null)],
      shared.map(() => null),
    ).length,
  }
}

const by = (key: OrderKey, direction: 'asc' | 'desc' = 'asc', nulls: 'first' | 'last' = 'first'): OrderBy => ({
  key,
  direction,
  nulls,
})
const operand = (of: Operand): OrderKey => ({ kind: 'operand', of })
const variable = (named: string, of: string, list = false): Value => ({
  kind: 'variable',
  variable: named,
  keys: [],
  path: [],
  type: { type: type(of), list },
})
const session = (of: string): Value => ({
  kind: 'session',
  variable: 'x-svc-user-id',
  type: { type: type(of), list: false },
})
const masked = (of: Operand, mask: BooleanExpression): Operand => ({ kind: 'masked', of, where: mask })
const mask = compare(plays, 'gt', 1)
const ownRow: BooleanExpression = { kind: 'compare', left: id, operator: 'eq', right: [session('int')], nullSafe: true }
const place = column('place', type('geography'))
const notes = column('notes', type('ntext'))
const word = column('word', { ...type('nvarchar'), collation: 'Latin1_General_BIN2' })
const picture = column('picture', type('image'))
const code = column('code', type('varbinary'))
const reached = { kind: 'exists-related', join: albumOfTrack, where: compare(title, 'like', 'A%') } as const
const tracks = (of: Partial<Rows>): RowField => ({
  kind: 'array',
  as: 'tracks',
  join: tracksOfAlbum,
  rows: { ...all, ...of },
  fields: [field(id), field(price)],
})
const values: readonly AggregateField[] = [
  {
    kind: 'aggregate',
    as: 'aggregate',
    fields: [
      { kind: 'count', as: 'count', of: [], distinct: false },
      { kind: 'count', as: 'albums', of: [column('album_id', type('int'))], distinct: true },
      {
        kind: 'operator',
        as: 'sum',
        operator: 'sum',
        fields: [plays, column('year', type('smallint')), column('fee', type('smallmoney'))].map((of) => ({
          kind: 'value' as const,
          as: of.name,
          of,
        })),
      },
      { kind: 'operator', as: 'avg', operator: 'avg', fields: [{ kind: 'value', as: 'id', of: id }] },
      { kind: 'operator', as: 'stddev', operator: 'stddev', fields: [{ kind: 'value', as: 'price', of: price }] },
      { kind: 'operator', as: 'max', operator: 'max', fields: [{ kind: 'value', as: 'notes', of: notes }] },
    ],
  },
]
const nodes: readonly AggregateField[] = [{ kind: 'nodes', as: 'nodes', fields: [field(id)] }]
const deviations = (['stddev_samp', 'stddev_pop', 'variance', 'var_samp', 'var_pop'] as const).map((operator) => ({
  kind: 'operator' as const,
  as: operator,
  operator,
  fields: [{ kind: 'value' as const, as: 'price', of: price }],
}))

const groups: Readonly<Record<string, Readonly<Record<string, () => Statement>>>> = {
  lists: {
    'all rows': () => rows({}),
    'by key': () => query({ kind: 'row', from: table('track'), where: compare(id, 'eq', 1), fields: [field(id)] }),
    'the type beside': () => rows({}, [{ kind: 'typename', as: '__typename', name: 'track' }, field(id, 'number')]),
    limit: () => rows({ limit: count(5) }),
    'limit 0': () => rows({ limit: count(0) }),
    'limit beyond the permission': () => rows({ limit: count(50), permissionLimit: 10 }),
    'limit of a variable': () => rows({ limit: variable('n', 'bigint') }),
    'limit of a variable and of the permission': () => rows({ limit: variable('n', 'bigint'), permissionLimit: 10 }),
    offset: () => rows({ offset: count(3) }),
    'offset of a variable, with a limit and an order': () =>
      rows({ offset: variable('o', 'bigint'), limit: count(5), orderBy: [by(operand(title), 'desc', 'last')] }),
    'values as JSON shows them': () =>
      rows({}, [
        field(place),
        field(column('paid', type('money'))),
        field(column('small', type('smallmoney'))),
        field(column('node', type('hierarchyid'))),
        field(column('document', type('xml'))),
        field(code),
      ]),
    'names with brackets': () =>
      query({ kind: 'rows', from: { schema: 'a]b', name: "c'd" }, rows: all, fields: [field(id)] }),
    'a native query': () =>
      query({
        kind: 'rows',
        from: table('top'),
        query: { parts: ['SELECT * FROM track WHERE plays > ', variable('n', 'int'), ' -- most; '] },
        rows: { ...all, where: compare(id, 'gt', 1), limit: count(3) },
        fields: [field(id)],
      }),
    'the first of a native query': () =>
      query({
        kind: 'rows',
        from: table('top'),
        query: { parts: ['SELECT 1 AS id'] },
        single: true,
        rows: all,
        fields: [field(id)],
      }),
  },
  relationships: {
    object: () =>
      rows({}, [{ kind: 'object', as: 'album', join: albumOfTrack, where: always, fields: [field(title)] }]),
    'object of an object, behind a filter': () =>
      rows({}, [
        {
          kind: 'object',
          as: 'album',
          join: albumOfTrack,
          where: compare(id, 'gt', 1),
          fields: [{ kind: 'object', as: 'artist', join: artistOfAlbum, where: always, fields: [field(name)] }],
        },
      ]),
    'list, ordered and cut': () =>
      rows({}, [field(id), tracks({ orderBy: [by(operand(price))], limit: count(3), permissionLimit: 2 })], 'album'),
    'list behind an offset': () => rows({}, [tracks({ orderBy: [by(operand(price))], offset: count(1) })], 'album'),
    aggregate: () =>
      rows(
        {},
        [{ kind: 'aggregate', as: 'tracks_aggregate', join: tracksOfAlbum, rows: all, fields: [...values, ...nodes] }],
        'album',
      ),
  },
  aggregates: {
    'all of the rows': () => aggregate({}, values),
    'of a page, in the order of nodes': () =>
      aggregate({ offset: count(1), limit: count(2), permissionLimit: 1, orderBy: [by(operand(id), 'desc', 'last')] }, [
        ...values,
        ...nodes,
      ]),
    'limit 0': () => aggregate({ limit: count(0) }, [...values, ...nodes]),
    'deviations and variances': () => aggregate({}, [{ kind: 'aggregate', as: 'aggregate', fields: deviations }]),
    'types alone': () =>
      aggregate({}, [
        { kind: 'typename', as: '__typename', name: 'track_aggregate' },
        { kind: 'aggregate', as: 'aggregate', fields: [{ kind: 'typename', as: '__typename', name: 'fields' }] },
      ]),
  },
  order: {
    'nulls where they are asked for': () =>
      rows({
        orderBy: [
          by(operand(id), 'asc', 'first'),
          by(operand(title), 'asc', 'last'),
          by(operand(price), 'desc', 'first'),
          by(operand(plays), 'desc', 'last'),
        ],
      }),
    'text of the old types': () => rows({ orderBy: [by(operand(notes)), by(operand(picture))] }),
    'a column once': () => rows({ orderBy: [by(operand(id)), by(operand(title)), by(operand(id), 'desc', 'last')] }),
    'by a row that a relationship leads to': () =>
      rows({
        orderBy: [by({ kind: 'related', join: albumOfTrack, filter: compare(id, 'gt', 1), key: operand(title) })],
      }),
    'by aggregates': () => {
      const to = { kind: 'related-aggregate', join: tracksOfAlbum, filter: always } as const
      const orderBy = [
        by({ ...to, aggregate: { operator: 'count' } }),
        by({ ...to, aggregate: { operator: 'max', of: masked(price, mask) } }),
      ]
      return rows({ orderBy, offset: count(1) }, [field(id)], 'album')
    },
  },
  filters: {
    nothing: () => where({ kind: 'or', of: [] }),
    'and, or, not': () =>
      where({
        kind: 'and',
        of: [
          compare(id, 'eq', 1),
          { kind: 'not', of: { kind: 'or', of: [compare(id, 'gt', 2), compare(id, 'lte', 3)] } },
        ],
      }),
    lists: () => where({ kind: 'and', of: [compare(id, 'in', [1, 2]), compare(title, 'nin', ["O'Neil"])] }),
    'empty lists': () => where({ kind: 'or', of: [compare(id, 'in', []), compare(id, 'nin', [])] }),
    'another collation than that of the database': () =>
      where({ kind: 'or', of: [compare(word, 'eq', 'a'), compare(word, 'in', ['a', 'b'])] }),
    'bytes and values of any type': () =>
      where({ kind: 'or', of: [compare(picture, 'eq', 'a'), compare(column('any', type('sql_variant')), 'eq', 'a')] }),
    'a list of bytes': () => where(compare(code, 'in', ['ab'])),
    'null of its own': () =>
      where({
        kind: 'and',
        of: [
          { kind: 'is-null', of: id, negated: false },
          { kind: 'is-null', of: title, negated: true },
        ],
      }),
    'equal, also to null': () => where(ownRow),
    'unequal, also to null': () => where({ ...ownRow, operator: 'neq' } as BooleanExpression),
    'every digit of a number that is known': () => where(compare(price, 'eq', '12345678901234567890.123456789012')),
    'a number that is not': () =>
      where({ kind: 'compare', left: price, operator: 'eq', right: [variable('p', 'decimal')], nullSafe: false }),
    'text of the old types': () => where(compare(notes, 'like', '%x%')),
    'values of types': () =>
      where({
        kind: 'and',
        of: [
          compare(column('a', type('bit')), 'eq', true),
          compare(column('b', type('datetimeoffset')), 'lt', '2024-01-01T00:00:00+12:15'),
          compare(column('c', type('uniqueidentifier')), 'eq', '6F9619FF-8B86-D011-B42D-00C04FC964FF'),
          compare(column('d', type('real')), 'eq', 1.5),
          compare(column('e', type('money')), 'gte', '922337203685477.5807'),
          compare(column('f', { ...type('PhoneNumber'), schema: 'dbo' }), 'eq', '1'),
        ],
      }),
    'rows of a relationship': () => where(reached),
    'rows of any table': () => where({ kind: 'exists', table: table('artist'), where: compare(name, 'eq', 'x') }),
    'the row that the expression began with': () =>
      where({
        kind: 'exists-related',
        join: albumOfTrack,
        where: { kind: 'compare-columns', left: id, operator: 'gt', right: column('id', type('int'), 'root') },
      }),
  },
  spatial: {
    methods: () =>
      where({
        kind: 'and',
        of: ['st_contains', 'st_equals', 'st_intersects', 'st_overlaps', 'st_within'].map((operator) =>
          compare(place, operator, { type: 'Point', coordinates: [1, 2] }),
        ),
      }),
    'methods of geometry': () => {
      const shape = column('shape', type('geometry'))
      return where({
        kind: 'or',
        of: ['st_crosses', 'st_touches', 'eq', 'neq'].map((one) => compare(shape, one, 'POINT (1 2)')),
      })
    },
    'a masked column': () => {
      const hidden = masked(place, mask)
      const condition: BooleanExpression = {
        kind: 'compare',
        left: hidden,
        operator: 'st_within',
        right: [variable('g', 'geography')],
        nullSafe: false,
      }
      return rows({ where: condition }, [{ kind: 'column', as: 'place', of: hidden, path: [] }])
    },
  },
  masking: {
    'in fields, conditions and order': () => {
      const hidden = masked(price, mask)
      return rows(
        { where: { ...compare(price, 'gt', 1), left: hidden } as BooleanExpression, orderBy: [by(operand(hidden))] },
        [{ kind: 'column', as: 'price', of: hidden, path: [] }],
      )
    },
    'in aggregates, which take no query': () => {
      const hidden = masked(price, reached)
      return aggregate({ limit: count(3) }, [
        {
          kind: 'aggregate',
          as: 'aggregate',
          fields: [
            { kind: 'operator', as: 'sum', operator: 'sum', fields: [{ kind: 'value', as: 'price', of: hidden }] },
            { kind: 'count', as: 'count', of: [hidden], distinct: false },
          ],
        },
      ])
    },
  },
  procedures: {
    'a call, filtered and cut': () =>
      query({
        kind: 'rows',
        from: table('found'),
        procedure: {
          procedure: table('top'),
          arguments: [
            { name: 'n', value: variable('n', 'int') },
            { name: 'prefix', value: variable('prefix', 'varchar') },
          ],
          columns: [
            { name: 'id', type: type('int'), nullable: false },
            { name: 'name', type: type('varchar'), nullable: true },
          ],
        },
        rows: { ...all, where: compare(id, 'gt', 1), limit: count(3) },
        fields: [field(id), field(name)],
      }),
  },
  joins: {
    'rows for keys': () =>
      query({
        kind: 'keyed',
        keys: [{ name: 'k0', list: variable(':join:0', 'int', true) }],
        fields: [
          {
            kind: 'array',
            as: 'v',
            join: { table: table('track'), columns: [{ from: 'k0', to: 'album_id' }] },
            rows: { ...all, limit: count(2), orderBy: [by(operand(id))] },
            fields: [field(id)],
          },
        ],
      }),
    'rows for keys of two columns': () =>
      query({
        kind: 'keyed',
        keys: [
          { name: 'k0', list: variable(':join:0', 'int', true) },
          { name: 'k1', list: variable(':join:1', 'nvarchar', true) },
        ],
        fields: [
          {
            kind: 'object',
            as: 'v',
            join: {
              table: table('artist'),
              columns: [
                { from: 'k0', to: 'id' },
                { from: 'k1', to: 'name' },
              ],
            },
            where: always,
            fields: [field(name)],
          },
        ],
      }),
  },
  live: {
    'values of each, and of all': () =>
      live({
        kind: 'rows',
        from: table('track'),
        rows: {
          ...all,
          where: {
            kind: 'and',
            of: [
              ownRow,
              compare(plays, 'gt', 1),
              { kind: 'compare', left: id, operator: 'in', right: [variable('ids', 'int', true)], nullSafe: false },
            ],
          },
          limit: variable('n', 'bigint'),
          offset: variable('o', 'bigint'),
        },
        fields: [field(id)],
      }),
    'two root fields': () =>
      live(
        { kind: 'row', from: table('track'), where: ownRow, fields: [field(id)] },
        { kind: 'aggregate', from: table('track'), rows: { ...all, where: ownRow }, fields: [...values, ...nodes] },
      ),
    'a native query with values of each': () =>
      live({
        kind: 'rows',
        from: table('top'),
        query: { parts: ['SELECT * FROM track WHERE plays > ', variable('n', 'int')] },
        rows: all,
        fields: [field(id)],
      }),
  },
}

for (const [group, cases] of Object.entries(groups))
  suite(`T-SQL: ${group}`, () => {
    const path = join(import.meta.dirname, 'golden', `${group}.sql`)
    const statements = Object.entries(cases).map(([called, make]) => ({ called, ...make() }))
    const written = statements.map(({ called, text }) => `-- ${called}\n${text};\n`).join('\n')
    test('is as it was', () => {
      if (process.env.SVC_TEST_GOLDEN === 'write') writeFileSync(path, written)
      assert.equal(written, readFileSync(path, 'utf8'))
    })
    for (const { called, text, slots } of statements)
      test(`is accepted: ${called}`, () =>
        expectStatement(text, { parameters: Array.from({ length: slots }, (_, i) => `@p${i + 1}`) }))
  })

test('explain has the values in their places', () => {
  const of: RootQuery = {
    kind: 'rows',
    from: table('track'),
    rows: { ...all, where: compare(title, 'eq', "O'Neil") },
    fields: [field(id)],
  }
  const text = compileQuery(of, options).inlined((slot) => (slot.kind === 'constant' ? slot.text : null))
  assert.match(text, /\[t_track1\]\.\[title\] = N'O''Neil'/)
  expectStatement(text)
})

test('what a database of this kind does not have is refused', () => {
  assert.throws(
    () => rows({}, [{ kind: 'node-id', as: 'id', prefix: [1], key: [id] }]),
    /Relay queries are not supported for MSSQL sources/,
  )
  const of = Array.from({ length: 5000 }, (_, i) => compare(id, 'eq', i))
  assert.throws(() => where({ kind: 'or', of }), /compares too often: at most 4000 times are allowed/)
  assert.throws(() => rows({}, [field(id, 'x'.repeat(129))]), /is too long: SQL Server allows 128 characters/)
})
