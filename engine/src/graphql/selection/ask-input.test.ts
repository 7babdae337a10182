import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finish } from '../../long-work.ts'
import { parseDocument } from '../document/parse-document.ts'
import { planLong, planOperation } from '../plan/plan-operation.ts'
import { defaultGraphqlSettings as settings } from '../settings.ts'
import { storeModel } from '../store.fixture.ts'
import { roleSchema } from '../types/role-schema.ts'
import { AskedParts } from './asked-parts.ts'

const schema = roleSchema(storeModel(), 'admin')

const plan = (query: string, variables: Readonly<Record<string, unknown>> = {}) =>
  planOperation({ document: parseDocument(query, settings), operationName: null, variables }, schema, settings)

/** Members of input objects, and permissions. */
const inputsOf = (query: string, variables?: Readonly<Record<string, unknown>>): readonly string[] =>
  [...plan(query, variables).asked.parts()]
    .flatMap((part) => {
      if (part.kind !== 'member') return [`${part.kind} ${part.table.split(' ').at(-1)}`]
      return /_(insert_input|updates|set_input|bool_exp|comparison_exp)$/.test(part.of) && part.name !== ''
        ? [`${part.of}.${part.name}`]
        : []
    })
    .sort()

const insert = 'mutation ($rows: [artist_insert_input!]!) { insert_artist(objects: $rows) { affected_rows } }'
const nested = { name: 'Ada', albums: { data: [{ title: 'One' }, { title: 'Two', tracks: { data: { price: 1 } } }] } }
const nestedParts = [
  'album_arr_rel_insert_input.data',
  'album_insert_input.title',
  'album_insert_input.tracks',
  'artist_insert_input.albums',
  'artist_insert_input.name',
  'insert',
  'track_arr_rel_insert_input.data',
  'track_insert_input.price',
]

const withoutTables = (parts: readonly string[]) => [
  ...new Set(parts.map((part) => (part.startsWith('insert ') ? 'insert' : part))),
]

test('rows of an insert use the columns and tables that they have, in variables, literals and both', () => {
  assert.deepEqual(withoutTables(inputsOf(insert, { rows: [nested] })), nestedParts)
  const literal = 'albums: {data: [{title: "One"}, {title: "Two", tracks: {data: $tracks}}]}}) { affected_rows } }'
  const query = `mutation ($tracks: [track_insert_input!]!) { insert_artist(objects: {name: "Ada", ${literal}`
  assert.deepEqual(withoutTables(inputsOf(query, { tracks: [{ price: 1 }] })), nestedParts)
  assert.equal(inputsOf(insert, { rows: [nested] }).filter((part) => part.startsWith('insert ')).length, 3)
})

test('updates of a list use what they change and what they compare', () => {
  const query = 'mutation ($all: [artist_updates!]!) { update_artist_many(updates: $all) { affected_rows } }'
  const all = [{ where: { albums: { title: { _eq: 'x' } } }, _set: { name: 'y' } }]
  assert.deepEqual(
    inputsOf(query, { all }).filter((part) => !/^(select|update) /.test(part)),
    [
      'String_comparison_exp._eq',
      'album_bool_exp.title',
      'artist_bool_exp.albums',
      'artist_set_input.name',
      'artist_updates._set',
      'artist_updates.where',
    ],
  )
})

test('a request is compared with what was requested before by its names, not by its values', () => {
  const { asked } = plan(insert, { rows: [nested] })
  assert.ok(asked.dependsOnValues)
  for (const rows of [[nested, nested], { name: 'Bo' }, [{ name: null }], [], [{ albums: { data: [] } }]])
    assert.ok(asked.covers({ rows }), JSON.stringify(rows))
  for (const rows of [[{ email: 'a' }], { fans: 1 }, [nested, { albums: { data: [{ id: 1 }] } }]])
    assert.ok(!asked.covers({ rows }), JSON.stringify(rows))
  assert.ok(!plan('query ($id: Int!) { artist_by_pk(id: $id) { id } }', { id: 1 }).asked.dependsOnValues)
})

test('what a plan depends on does not hide what values of the same type use', () => {
  const query = `mutation ($w: artist_bool_exp!, $all: [artist_updates!]!) {
    delete_artist(where: $w) { affected_rows }
    update_artist_many(updates: $all) { affected_rows }
  }`
  const w = { albums: { id: { _eq: 1 } } }
  const { asked } = plan(query, { w, all: [{ where: { name: { _eq: 'x' } } }] })
  const variables = { w, all: [{ where: { albums: { title: { _eq: 'x' } } } }] }
  assert.ok(!asked.covers(variables))
  finish(
    planLong({ document: parseDocument(query, settings), operationName: null, variables }, schema, settings, asked),
  )
  assert.ok(asked.covers(variables))
})

test('a default is read once, however often its variable is in a list', () => {
  class Counting extends AskedParts {
    types = 0
    override type(name: string) {
      this.types++
      return super.type(name)
    }
  }
  const rows = `{albums: {data: [${'{title: "One"} '.repeat(100)}]}}`
  const query = `mutation ($a: artist_insert_input = ${rows}) { insert_artist(objects: [${'$a '.repeat(100)}]) { affected_rows } }`
  const asked = new Counting()
  const request = { document: parseDocument(query, settings), operationName: null, variables: {} }
  finish(planLong(request, schema, settings, asked))
  assert.ok(asked.types < 1000, `types were found ${asked.types} times`)
  assert.ok([...asked.parts()].some((part) => part.kind === 'member' && part.of === 'album_insert_input'))
})

test('of long lists the beginning is read, and all members count as perhaps used', () => {
  const rows = [...Array.from({ length: 100 }, () => ({ name: 'Ada' })), { email: 'a' }]
  const { asked } = plan(insert, { rows })
  assert.ok(asked.covers({ rows }))
  const members = [...asked.parts()].flatMap((part) =>
    part.kind === 'member' && part.of === 'artist_insert_input' && part.name !== '' ? [part.name] : [],
  )
  assert.deepEqual(members.sort(), ['*', 'name'])
  const shorter = plan(insert, { rows: [{ name: 'Ada' }] }).asked
  assert.ok(!shorter.covers({ rows }))
  assert.ok(shorter.covers({ rows }))
})
