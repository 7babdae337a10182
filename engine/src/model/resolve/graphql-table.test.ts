import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@svc/schema'
import { typeSystem } from '../../backends/postgres/types/type-system.ts'
import { databaseTable, music, type TableSketch } from '../music.fixture.ts'
import { defaultNaming } from '../naming/source-naming.ts'
import { configurationOf, graphqlTableOf } from './graphql-table.ts'

const graphql = (name: string, configuration: JsonObject = {}, sketch: Partial<TableSketch> = {}) => {
  const table = databaseTable(name, { columns: { id: 'int4 not null' }, ...music[name], ...sketch })
  return graphqlTableOf(configurationOf({ configuration }), table, typeSystem, undefined, defaultNaming)
}

const names = ({ rootFields, alias }: ReturnType<typeof graphql>) => [
  ...rootFields.map(({ name }) => name),
  ...(alias ? [alias.name] : []),
]

test('names come from the table, with the schema unless it is public', () => {
  assert.deepEqual(names(graphql('artist')), ['artist', 'artist_by_pk', 'artist_aggregate'])
  assert.deepEqual(names(graphql('shop.sale')), ['shop_sale', 'shop_sale_by_pk', 'shop_sale_aggregate'])
})

test('a custom name replaces all of it and brings <n>_one; without a primary key there is neither that nor by_pk', () => {
  assert.deepEqual(names(graphql('shop.sale', { custom_name: 'Sale' })), [
    'Sale',
    'Sale_by_pk',
    'Sale_aggregate',
    'Sale_one',
  ])
  assert.deepEqual(names(graphql('unkeyed', { custom_name: 'people' })), ['people', 'people_aggregate'])
})

test('custom root fields replace single names', () => {
  const custom_root_fields = {
    select: 'artists',
    select_by_pk: { name: 'artistById' },
    select_aggregate: { comment: 'c' },
  }
  assert.deepEqual(names(graphql('artist', { custom_root_fields })), ['artists', 'artistById', 'artist_aggregate'])
})

test('a table whose name is no GraphQL name contributes nothing', () => {
  const odd = graphql('odd-name')
  assert.deepEqual([odd.graphqlName, odd.rootFields], [null, []])
  assert.equal(graphql('odd-name', { custom_name: 'odd' }).graphqlName, 'odd')
})

test('a table is an entity of a federation where metadata says so and it has a key', () => {
  const isEntity = (name: string, isFederated: boolean) => {
    const table = databaseTable(name, { columns: { id: 'int4 not null' }, ...music[name] })
    const configuration = configurationOf({})
    return graphqlTableOf(configuration, table, typeSystem, undefined, defaultNaming, undefined, isFederated).isEntity
  }
  assert.deepEqual([isEntity('artist', true), isEntity('artist', false)], [true, false])
  assert.equal(isEntity('unkeyed', true), false)
})

test('descriptions are automatic, own, or none when the comment is empty', () => {
  const texts = (configuration: JsonObject, sketch: Partial<TableSketch> = {}) => {
    const made = graphql('shop.sale', configuration, sketch)
    return [made.description, ...made.rootFields.map(({ description }) => description)]
  }
  assert.deepEqual(texts({}), [
    'columns and relationships of "shop.sale"',
    'fetch data from the table: "shop.sale"',
    'fetch data from the table: "shop.sale" using primary key columns',
    'fetch aggregated fields from the table: "shop.sale"',
  ])
  assert.equal(texts({}, { description: 'from the database' })[0], 'from the database')
  assert.equal(texts({ comment: 'own' }, { description: 'from the database' })[0], 'own')
  assert.equal(texts({ comment: '' }, { description: 'from the database' })[0], null)
  assert.deepEqual(
    texts({ custom_root_fields: { select: { comment: 'all' }, select_by_pk: { comment: '' } } }).slice(1, 3),
    ['all', null],
  )
})

test('columns have their field names and comments', () => {
  const { columnsByField } = graphql('artist', {
    column_config: { name: { custom_name: 'fullName', comment: 'as on the cover' }, email: { comment: '' } },
  })
  assert.deepEqual([...columnsByField.keys()], ['id', 'fullName', 'email', 'born'])
  assert.deepEqual(
    [columnsByField.get('fullName')?.name, columnsByField.get('fullName')?.description],
    ['name', 'as on the cover'],
  )
})

test('a graphql that is made again keeps what is equal, and itself if all is', () => {
  const table = databaseTable('artist', music.artist ?? { columns: {} })
  const configuration = configurationOf({ configuration: { custom_name: 'a' } })
  const first = graphqlTableOf(configuration, table, typeSystem, undefined, defaultNaming)
  assert.equal(
    graphqlTableOf({ ...configuration }, { ...table, fingerprint: 'other' }, typeSystem, first, defaultNaming),
    first,
  )
  const commented = graphqlTableOf({ ...configuration, comment: 'c' }, table, typeSystem, first, defaultNaming)
  assert.notEqual(commented, first)
  assert.equal(commented.columnsByName, first.columnsByName)
})
