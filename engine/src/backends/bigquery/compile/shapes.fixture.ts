/** Root fields of every shape, and what each is answered over the shop. */
import {
  type AggregateField,
  type AggregateOperator,
  type AggregateValue,
  always,
  type BooleanExpression,
  type Join,
  type Operand,
  type RootQuery,
  type RowField,
  type Rows,
} from '../../../ir/index.ts'
import {
  albumsOfArtist,
  all,
  artistOfAlbum,
  asc,
  column,
  compare,
  count,
  desc,
  field,
  id,
  name,
  plays,
  price,
  table,
  title,
  tracksOfAlbum,
  value,
} from './shop.fixture.ts'

export interface Shape {
  readonly name: string
  readonly query: RootQuery
  readonly answer: unknown
  /** The emulator analyzes it, and answers something else. */
  readonly isOnlyAnalyzed?: true
}

const rows = (from: string, some: Partial<Rows>, ...fields: readonly RowField[]): RootQuery => ({
  kind: 'rows',
  from: table(from),
  rows: { ...all, ...some },
  fields,
})

const object = (as: string, join: Join, where: BooleanExpression, ...fields: readonly RowField[]): RowField => ({
  kind: 'object',
  as,
  join,
  where,
  fields,
})

const array = (as: string, join: Join, some: Partial<Rows>, ...fields: readonly RowField[]): RowField => ({
  kind: 'array',
  as,
  join,
  rows: { ...all, ...some },
  fields,
})

const aggregate = (as: string, join: Join, some: Partial<Rows>, ...fields: readonly AggregateField[]): RowField => ({
  kind: 'aggregate',
  as,
  join,
  rows: { ...all, ...some },
  fields,
})

const typename = { kind: 'typename', as: '__typename', name: 'T' } as const
const values = (...fields: readonly AggregateValue[]): AggregateField => ({
  kind: 'aggregate',
  as: 'aggregate',
  fields,
})
const counted: AggregateValue = { kind: 'count', as: 'count', of: [], distinct: false }
const sum = (of: Operand & { kind: 'column' }, operator: AggregateOperator = 'sum'): AggregateValue => ({
  kind: 'operator',
  as: operator,
  operator,
  fields: [{ kind: 'value', as: of.name, of }],
})
const nodes = (...fields: readonly RowField[]): AggregateField => ({ kind: 'nodes', as: 'nodes', fields })

/** A table function of the shop. */
const computed = (as: string, some: Partial<Rows>, ...fields: readonly RowField[]): RowField => ({
  kind: 'computed',
  as,
  call: {
    function: table('longer_than'),
    set: true,
    arguments: [
      { name: null, of: { kind: 'column', name: 'id' } },
      { name: null, of: { kind: 'value', value: value(1.5, 'FLOAT64') } },
    ],
  },
  table: table('track'),
  rows: { ...all, ...some },
  fields,
})

export const shapes: readonly Shape[] = [
  {
    name: 'a computed field',
    // arguments that are columns are NULL there
    isOnlyAnalyzed: true,
    query: rows(
      'album',
      { orderBy: [asc(id)] },
      field(id),
      computed(
        'longer',
        { where: compare(plays, 'gt', 1), orderBy: [desc(id)], limit: count(2) },
        field(name),
        typename,
      ),
    ),
    answer: [
      { id: '10', longer: [{ name: 'b', __typename: 'T' }] },
      { id: '11', longer: [] },
      { id: '12', longer: [] },
      { id: '13', longer: [] },
    ],
  },
  {
    name: 'a list',
    query: rows(
      'album',
      { where: compare(price, 'gt', 0.5), orderBy: [asc(title)], limit: count(5), offset: count(1) },
      field(id),
      field(title),
      field(price),
      field(column('added', 'TIMESTAMP')),
      typename,
    ),
    answer: [
      { id: '10', title: 'First', price: '0.99', added: '2008-12-25T07:30:00Z', __typename: 'T' },
      { id: '11', title: 'Second', price: '1.5', added: null, __typename: 'T' },
    ],
  },
  {
    name: "a permission's limit",
    query: rows('album', { permissionLimit: 2, orderBy: [desc(id)] }, field(id)),
    answer: [{ id: '13' }, { id: '12' }],
  },
  {
    name: 'an object relationship',
    query: rows(
      'album',
      { orderBy: [asc(id)] },
      field(id),
      object('artist', artistOfAlbum, always, field(name), field(column('data', 'JSON'))),
    ),
    answer: [
      { id: '10', artist: { name: 'Ann', data: { a: [1] } } },
      { id: '11', artist: { name: 'Ann', data: { a: [1] } } },
      { id: '12', artist: { name: 'Bob', data: null } },
      { id: '13', artist: null },
    ],
  },
  {
    name: 'an array relationship with an offset and rows inside',
    query: rows(
      'artist',
      { orderBy: [asc(id)] },
      field(id),
      array(
        'albums',
        albumsOfArtist,
        { orderBy: [asc(title, 'last')], offset: count(1) },
        field(id),
        field(title),
        object('artist', artistOfAlbum, always, field(name)),
        array('tracks', tracksOfAlbum, { orderBy: [asc(id)], limit: count(1) }, field(name)),
      ),
    ),
    answer: [
      { id: '1', albums: [{ id: '11', title: 'Second', artist: { name: 'Ann' }, tracks: [] }] },
      { id: '2', albums: [] },
      { id: '3', albums: [] },
    ],
  },
  {
    name: 'an array relationship in an order',
    query: rows(
      'artist',
      { orderBy: [asc(id)] },
      field(id),
      array('albums', albumsOfArtist, { orderBy: [desc(price, 'first')] }, field(id)),
    ),
    answer: [
      { id: '1', albums: [{ id: '11' }, { id: '10' }] },
      { id: '2', albums: [{ id: '12' }] },
      { id: '3', albums: [] },
    ],
  },
  {
    name: 'an array relationship of distinct rows',
    query: rows(
      'artist',
      { orderBy: [asc(id)] },
      field(id),
      array(
        'albums',
        albumsOfArtist,
        {
          distinctOn: [column('artist_id', 'INT64')],
          orderBy: [asc(column('artist_id', 'INT64')), desc(title)],
          limit: count(3),
        },
        field(id),
      ),
    ),
    answer: [
      { id: '1', albums: [{ id: '11' }] },
      { id: '2', albums: [{ id: '12' }] },
      { id: '3', albums: [] },
    ],
  },
  {
    name: 'an aggregate relationship',
    query: rows(
      'artist',
      { orderBy: [asc(id)] },
      field(id),
      aggregate(
        'albums_aggregate',
        albumsOfArtist,
        { orderBy: [asc(id)] },
        values(counted, sum(price), sum(title, 'max')),
        nodes(field(id)),
        typename,
      ),
    ),
    answer: [
      {
        id: '1',
        albums_aggregate: {
          aggregate: { count: '2', sum: { price: '2.49' }, max: { title: 'Second' } },
          nodes: [{ id: '10' }, { id: '11' }],
          __typename: 'T',
        },
      },
      {
        id: '2',
        albums_aggregate: {
          aggregate: { count: '1', sum: { price: null }, max: { title: 'Third' } },
          nodes: [{ id: '12' }],
          __typename: 'T',
        },
      },
      {
        id: '3',
        albums_aggregate: {
          aggregate: { count: '0', sum: { price: null }, max: { title: null } },
          nodes: [],
          __typename: 'T',
        },
      },
    ],
  },
  {
    name: 'an aggregate relationship with limit and offset',
    query: rows(
      'artist',
      { orderBy: [asc(id)] },
      field(id),
      aggregate(
        'albums_aggregate',
        albumsOfArtist,
        { orderBy: [asc(id)], limit: count(1), offset: count(1) },
        values(counted, sum(price)),
        nodes(field(id)),
      ),
    ),
    answer: [
      { id: '1', albums_aggregate: { aggregate: { count: '1', sum: { price: '1.5' } }, nodes: [{ id: '11' }] } },
      { id: '2', albums_aggregate: { aggregate: { count: '0', sum: { price: null } }, nodes: [] } },
      { id: '3', albums_aggregate: { aggregate: { count: '0', sum: { price: null } }, nodes: [] } },
    ],
  },
  {
    name: 'aggregates',
    query: {
      kind: 'aggregate',
      from: table('album'),
      rows: { ...all, orderBy: [asc(id)], permissionLimit: 2 },
      fields: [
        values(
          counted,
          sum(price, 'avg'),
          sum(column('added', 'TIMESTAMP'), 'max'),
          { kind: 'count', as: 'd', of: [title, price], distinct: true },
          { kind: 'count', as: 'e', of: [title], distinct: false },
        ),
        nodes(field(id), object('artist', artistOfAlbum, always, field(name))),
      ],
    },
    answer: {
      aggregate: { count: '4', avg: { price: '1.496666667' }, max: { added: '2008-12-25T07:30:00Z' }, d: '4', e: '3' },
      nodes: [
        { id: '10', artist: { name: 'Ann' } },
        { id: '11', artist: { name: 'Ann' } },
      ],
    },
  },
  {
    name: 'aggregates of some rows',
    query: {
      kind: 'aggregate',
      from: table('album'),
      rows: { ...all, orderBy: [desc(id)], limit: count(2), offset: count(1) },
      fields: [values(counted), nodes(field(id))],
    },
    answer: { aggregate: { count: '2' }, nodes: [{ id: '12' }, { id: '11' }] },
  },
  {
    name: 'aggregates of no rows',
    query: {
      kind: 'aggregate',
      from: table('album'),
      rows: { ...all, where: compare(id, 'eq', -1) },
      fields: [values(counted, sum(price)), nodes(field(id))],
    },
    answer: { aggregate: { count: '0', sum: { price: null } }, nodes: [] },
  },
  {
    name: 'a type name of an aggregate',
    query: { kind: 'aggregate', from: table('album'), rows: all, fields: [typename] },
    answer: { __typename: 'T' },
  },
  {
    name: 'a type name of rows',
    query: rows('artist', {}, typename),
    answer: [{ __typename: 'T' }, { __typename: 'T' }, { __typename: 'T' }],
  },
  {
    name: 'distinct rows',
    query: rows(
      'album',
      {
        distinctOn: [column('artist_id', 'INT64')],
        orderBy: [asc(column('artist_id', 'INT64')), desc(id)],
        limit: count(2),
      },
      field(id),
    ),
    answer: [{ id: '13' }, { id: '11' }],
  },
  {
    name: 'distinct floats',
    query: rows(
      'track',
      { distinctOn: [column('length', 'FLOAT64')], orderBy: [asc(column('length', 'FLOAT64'))] },
      field(column('length', 'FLOAT64')),
    ),
    answer: [{ length: null }, { length: '1.5' }, { length: '2.5' }],
  },
  {
    name: 'an order by a related row',
    query: rows(
      'album',
      {
        orderBy: [
          {
            key: { kind: 'related', join: artistOfAlbum, filter: always, key: { kind: 'operand', of: name } },
            direction: 'desc',
            nulls: 'first',
          },
          asc(id),
        ],
      },
      field(id),
    ),
    answer: [{ id: '13' }, { id: '12' }, { id: '10' }, { id: '11' }],
  },
  {
    name: 'an order by aggregates of related rows',
    query: rows(
      'artist',
      {
        orderBy: [
          {
            key: { kind: 'related-aggregate', join: albumsOfArtist, filter: always, aggregate: { operator: 'count' } },
            direction: 'desc',
            nulls: 'first',
          },
          {
            key: {
              kind: 'related-aggregate',
              join: albumsOfArtist,
              filter: always,
              aggregate: { operator: 'sum', of: price },
            },
            direction: 'desc',
            nulls: 'first',
          },
          asc(id),
        ],
      },
      field(id),
    ),
    answer: [{ id: '1' }, { id: '2' }, { id: '3' }],
  },
  {
    name: 'an array relationship in the order of an aggregate',
    query: rows(
      'artist',
      { orderBy: [asc(id)] },
      field(id),
      array(
        'albums',
        albumsOfArtist,
        {
          orderBy: [
            {
              key: {
                kind: 'related-aggregate',
                join: tracksOfAlbum,
                filter: always,
                aggregate: { operator: 'max', of: plays },
              },
              direction: 'asc',
              nulls: 'last',
            },
          ],
          offset: count(0),
        },
        field(id),
      ),
    ),
    answer: [
      { id: '1', albums: [{ id: '10' }, { id: '11' }] },
      { id: '2', albums: [{ id: '12' }] },
      { id: '3', albums: [] },
    ],
  },
  {
    name: 'related rows in a condition',
    query: rows(
      'artist',
      {
        where: {
          kind: 'exists-related',
          join: albumsOfArtist,
          where: {
            kind: 'and',
            of: [
              compare(price, 'in', [0.99, '1.5']),
              { kind: 'exists-related', join: tracksOfAlbum, where: compare(plays, 'gt', 3) },
            ],
          },
        },
        orderBy: [asc(id)],
      },
      field(id),
    ),
    answer: [{ id: '1' }],
  },
  {
    name: 'any row in a condition',
    query: rows(
      'artist',
      {
        where: {
          kind: 'exists',
          table: table('track'),
          where: { kind: 'compare-columns', left: id, operator: 'gt', right: column('id', 'INT64', 'root') },
        },
        orderBy: [asc(id)],
      },
      field(id),
    ),
    answer: [{ id: '1' }, { id: '2' }, { id: '3' }],
  },
  {
    name: 'a masked column',
    query: rows(
      'artist',
      { orderBy: [asc(id)] },
      field({ kind: 'masked', of: name, where: compare(id, 'eq', 1) }, 'name'),
    ),
    answer: [{ name: 'Ann' }, { name: null }, { name: null }],
  },
  {
    name: 'NULL equals NULL',
    query: rows(
      'artist',
      {
        where: { kind: 'or', of: [compare(name, 'eq', null, true), compare(name, 'neq', 'Ann', true)] },
        orderBy: [asc(id)],
      },
      field(id),
    ),
    answer: [{ id: '2' }, { id: '3' }],
  },
  {
    name: 'a time',
    query: rows('album', { where: compare(column('added', 'TIMESTAMP'), 'lte', '2008-12-25T07:30:00Z') }, field(id)),
    answer: [{ id: '10' }],
  },
  {
    name: 'rows for keys',
    query: {
      kind: 'keyed',
      keys: [
        { name: 'k0', list: value([2, 1, 9], 'INT64', true) },
        { name: 'k1', list: value(['Third', 'First', 'x'], 'STRING', true) },
      ],
      fields: [
        array(
          'v',
          {
            table: table('album'),
            columns: [
              { from: 'k0', to: 'artist_id' },
              { from: 'k1', to: 'title' },
            ],
          },
          { orderBy: [asc(id)] },
          field(id),
        ),
      ],
    },
    answer: [{ v: [{ id: '12' }] }, { v: [{ id: '10' }] }, { v: [] }],
  },
  {
    name: 'a native query',
    query: {
      kind: 'rows',
      from: { schema: '', name: 'q' },
      query: { parts: ['SELECT id, title FROM shop.album WHERE id > ', count(10), ' -- x'] },
      rows: { ...all, orderBy: [asc(id)] },
      fields: [field(id), field(title), array('tracks', tracksOfAlbum, {}, field(name))],
    },
    answer: [
      { id: '11', title: 'Second', tracks: [] },
      { id: '12', title: 'Third', tracks: [{ name: 'c' }] },
      { id: '13', title: null, tracks: [] },
    ],
  },
  {
    name: 'aliases that differ by case',
    query: rows('artist', { orderBy: [asc(id)] }, field(id, 'a'), field(name, 'A'), field(name, '_partition_x')),
    answer: [
      { a: '1', A: 'Ann', _partition_x: 'Ann' },
      { a: '2', A: 'Bob', _partition_x: 'Bob' },
      { a: '3', A: null, _partition_x: null },
    ],
  },
  {
    name: 'a pattern whatever the case',
    query: rows('artist', { where: compare(name, 'ilike', 'a%'), orderBy: [asc(id)] }, field(id)),
    answer: [{ id: '1' }],
  },
  {
    name: 'no pattern whatever the case',
    query: rows('artist', { where: compare(name, 'nilike', 'A%'), orderBy: [asc(id)] }, field(id)),
    answer: [{ id: '2' }],
  },
  {
    name: 'one of none',
    query: rows('artist', { where: compare(id, 'in', []), orderBy: [asc(id)] }, field(id)),
    answer: [],
  },
  {
    name: 'none of some',
    query: rows('artist', { where: compare(id, 'nin', [1, 2]), orderBy: [asc(id)] }, field(id)),
    answer: [{ id: '3' }],
  },
  {
    name: 'a date',
    query: rows(
      'artist',
      { where: compare(column('born', 'DATE'), 'eq', '1960-01-02'), orderBy: [asc(id)] },
      field(id),
    ),
    answer: [{ id: '1' }],
  },
  {
    name: 'JSON',
    query: rows(
      'artist',
      { where: compare(column('data', 'JSON'), 'in', [{ a: [1] }]), orderBy: [asc(id)] },
      field(id),
    ),
    answer: [{ id: '1' }],
  },
]
