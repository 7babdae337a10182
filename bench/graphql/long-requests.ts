/** A table with columns of all sizes, and requests as long as the default bounds allow. */
import { role } from './store.ts'

export const longTableSql = `
  CREATE TABLE long (id int PRIMARY KEY, a int, b int, c bigint, d numeric, e text, f text, g date, h boolean, j jsonb,
    ints int[], label text);`

const columns = ['id', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'j', 'ints', 'label']
const permission = { columns, check: {}, filter: {} }
export const longTable = {
  table: { schema: 'public', name: 'long' },
  select_permissions: [{ role, permission }],
  // nothing stays, so each round inserts the same
  insert_permissions: [{ role, permission: { columns, check: { id: { _lt: 0 } } } }],
  update_permissions: [{ role, permission }],
}

interface LongRequest {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
}

const MOST = 99_000
const list = <T>(length: number, make: (i: number) => T) => Array.from({ length }, (_, i) => make(i))
const row = (i: number) => ({
  id: i,
  a: i * 7,
  b: -i,
  c: `${i}000000000`,
  d: `${i}.5`,
  e: `a text of ${i}`,
  f: null,
  g: '2026-01-02',
  h: true,
  label: 'x',
})
const literal = (value: unknown): string => JSON.stringify(value).replaceAll(/"(\w+)":/g, '$1:')
const some = (argument: string, of: string) => `query ($v: ${of}) { long(where: { ${argument} }) { id } }`
const set = 'mutation ($v: jsonb) { update_long(where: { id: { _eq: 1 } }, _set: { j: $v }) { affected_rows } }'
const insert = 'mutation ($v: [long_insert_input!]!) { insert_long(objects: $v) { affected_rows } }'
const many = (length: number, make: (i: number) => string) => list(length, make).join(' ')

export const longRequests: Readonly<Record<string, () => LongRequest>> = {
  'integers in a variable': () => ({
    query: some('id: { _in: $v }', '[Int!]!'),
    variables: { v: list(MOST, (i) => i) },
  }),
  'integers in the query': () => ({ query: `{ long(where: { id: { _in: [${many(95_000, String)}] } }) { id } }` }),
  'an array in a variable': () => ({
    query: some('ints: { _contains: $v }', '[Int!]!'),
    variables: { v: list(MOST, (i) => i) },
  }),
  'big integers in a variable': () => ({
    query: some('c: { _in: $v }', '[bigint!]!'),
    variables: { v: list(MOST, (i) => `${i}00000000000000`) },
  }),
  'texts in a variable': () => ({
    query: some('e: { _in: $v }', '[String!]!'),
    variables: { v: list(MOST, (i) => `text ${i} with "quotes"`) },
  }),
  'long texts in a variable': () => ({
    query: some('e: { _in: $v }', '[String!]!'),
    variables: { v: list(15, () => 'é"'.repeat(500_000)) },
  }),
  'a text of 30 MB': () => ({ query: some('e: { _eq: $v }', 'String!'), variables: { v: 'a'.repeat(30_000_000) } }),
  'a text of 30 MB of escapes': () => ({
    query: some('e: { _eq: $v }', 'String!'),
    variables: { v: '\n'.repeat(30_000_000) },
  }),
  'a text of 250 MB': () => ({ query: some('e: { _eq: $v }', 'String!'), variables: { v: 'a'.repeat(250_000_000) } }),
  'a query with a text of 1 MB': () => ({
    query: `{ long(where: { e: { _eq: "${'a'.repeat(1_000_000)}" } }) { id } }`,
  }),
  'a query with a block of 1 MB': () => ({
    query: `{ long(where: { e: { _eq: """${'a\n'.repeat(500_000)}""" } }) { id } }`,
  }),
  'a query of 1 MB of spaces': () => ({ query: `{ long(limit: 1) { id } }${' '.repeat(1_000_000)}` }),
  'a key of 30 MB': () => ({ query: set, variables: { v: { ['k'.repeat(30_000_000)]: 1 } } }),
  'a number of 1 MB': () => ({
    query: some('d: { _eq: $v }', 'numeric!'),
    variables: { v: JSON.rawJSON('7'.repeat(1_000_000)) },
  }),
  'an integer of 1 MB': () => ({
    query: some('a: { _eq: $v }', 'Int!'),
    variables: { v: JSON.rawJSON('7'.repeat(1_000_000)) },
  }),
  'a limit of 1 MB': () => ({
    query: 'query ($v: Int) { long(limit: $v) { id } }',
    variables: { v: JSON.rawJSON('7'.repeat(1_000_000)) },
  }),
  'long numbers in a variable': () => ({
    query: some('d: { _in: $v }', '[numeric!]!'),
    variables: { v: list(30_000, () => JSON.rawJSON('7'.repeat(1000))) },
  }),
  'long integers in a variable': () => ({
    query: some('c: { _in: $v }', '[bigint!]!'),
    variables: { v: list(MOST, (i) => JSON.rawJSON(`90071992547409${i}`)) },
  }),
  'long integers in a float column': () => ({
    query: some('a: { _in: $v }', '[Int!]!'),
    variables: { v: list(MOST, (i) => JSON.rawJSON(`${i}.${'0'.repeat(600)}`)) },
  }),
  'jsonb of many keys': () => ({
    query: set,
    variables: { v: Object.fromEntries(list(MOST, (i) => [`key ${i}`, i])) },
  }),
  'jsonb of many lists': () => ({ query: set, variables: { v: list(MOST / 2, () => [1]) } }),
  'jsonb of objects': () => ({ query: set, variables: { v: list(MOST / 3, (i) => ({ a: i, b: `text ${i}` })) } }),
  'jsonb in the query': () => ({
    query: `mutation { update_long(where: {}, _set: { j: { ${many(33_000, (i) => `k${i}: ${i}`)} } }) { affected_rows } }`,
  }),
  'jsonb with variables inside': () => ({
    query: `mutation ($v: jsonb) { update_long(where: {}, _set: { j: [${many(300, () => '{ a: $v }')}] }) { affected_rows } }`,
    variables: { v: list(20_000, (i) => `text ${i}`) },
  }),
  'rows in a variable': () => ({ query: insert, variables: { v: list(MOST / 11, row) } }),
  'rows in a variable, wrong at the end': () => ({
    query: insert,
    variables: { v: [...list(MOST / 11 - 1, row), { a: 'x' }] },
  }),
  'rows of other columns in a variable': () => ({
    query: insert,
    variables: { v: list(MOST / 11, (i) => (i % 2 === 0 ? row(i) : { ...row(i), ints: [i] })) },
  }),
  'small rows in a variable': () => ({ query: insert, variables: { v: list(MOST / 2, (id) => ({ id })) } }),
  'rows in the query': () => ({
    query: `mutation { insert_long(objects: [${many(3000, (i) => literal(row(i)))}]) { affected_rows } }`,
  }),
  'small rows in the query': () => ({
    query: `mutation { insert_long(objects: [${many(19_000, (i) => `{id: ${i}}`)}]) { affected_rows } }`,
  }),
  'conditions in a variable': () => ({
    query: 'query ($v: long_bool_exp) { long(where: $v) { id } }',
    variables: { v: { _or: list(9000, (i) => ({ id: { _eq: i } })) } },
  }),
  'conditions in the query': () => ({
    query: `{ long(where: { _or: [${many(3900, (i) => `{ id: { _eq: ${i} } }`)}] }) { id } }`,
  }),
  'conditions on relations': () => ({
    query: 'query ($v: album_bool_exp) { album(where: $v) { id } }',
    variables: { v: { _or: list(900, (i) => ({ tracks: { id: { _eq: i } } })) } },
  }),
  'order in a variable': () => ({
    query: 'query ($v: [long_order_by!]) { long(order_by: $v) { id } }',
    variables: { v: list(9000, () => ({ a: 'asc' })) },
  }),
  'updates in a variable': () => ({
    query: 'mutation ($v: [long_updates!]!) { update_long_many(updates: $v) { affected_rows } }',
    variables: { v: list(1000, (i) => ({ where: { id: { _eq: i } }, _set: { a: i, e: `text ${i}` } })) },
  }),
  selections: () => ({ query: `{ long { ${many(9900, (i) => `f${i}: id`)} } }` }),
  'root fields': () => ({ query: `{ ${many(900, (i) => `f${i}: album_by_pk(id: ${i}) { id }`)} }` }),
  fragments: () => ({ query: `{ long { ${many(9000, () => '...F')} } } fragment F on long { id }` }),
  names: () => ({ query: `{ ${many(99_000, (i) => `f${i}`)} }` }),
  variables: () => ({
    query: `query (${many(20_000, (i) => `$v${i}: Int`)}) { long { id } }`,
    variables: Object.fromEntries(list(20_000, (i) => [`v${i}`, i])),
  }),
  'spread of one list': () => ({
    query: `query ($v: [Int!]) { ${many(100, (i) => `f${i}: long(where: { id: { _in: $v } }) { id }`)} }`,
    variables: { v: list(MOST, (i) => i % 10) },
  }),
  'too many values': () => ({ query: some('id: { _in: $v }', '[Int!]!'), variables: { v: list(5_000_000, (i) => i) } }),
  'no such field': () => ({
    query: 'query ($v: jsonb) { long(where: { j: { _eq: $v } }) { nothing } }',
    variables: { v: list(90, () => 'x'.repeat(500_000)) },
  }),
  'a whole answer': () => ({
    query:
      '{ track { id name album_id genre_id composer milliseconds bytes unit_price album { id title artist { id name } } } }',
  }),
}
