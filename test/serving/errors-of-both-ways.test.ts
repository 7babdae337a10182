/**
 * Requests whose values are short are prepared at once, others in pieces (and all of them while queries are logged):
 * the same request has the same answer, whichever way it goes. Two engines over one database, one of them with the
 * query log.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const schema = `
  CREATE TYPE mood AS ENUM ('sad', 'ok');
  CREATE TABLE item (id int PRIMARY KEY, name text, owner int, at timestamptz, code uuid, data jsonb, tags text[], m mood, n numeric);
  INSERT INTO item SELECT i, 'item ' || i, i % 3, now(), gen_random_uuid(), '{}', '{a}', 'ok', i FROM generate_series(1, 5) i;
  CREATE FUNCTION search(part text, most int DEFAULT 3) RETURNS SETOF item STABLE LANGUAGE sql AS
    $$ SELECT * FROM item WHERE name LIKE part || '%' LIMIT most $$;
`

/** Seeded: small and even enough for choices. */
function randomOf(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

const long = 'x'.repeat(1500)
const values: readonly unknown[] = [
  1,
  2.5,
  99999999999,
  -1,
  null,
  true,
  '',
  'a',
  'item',
  '1',
  'ok',
  'glad',
  '\u0000',
  long,
  'y'.repeat(9000),
  [],
  [1],
  ['a'],
  [null],
  {},
  { a: 1 },
  { _eq: 1 },
  [long, 'a'],
  '2020-01-01',
  'never',
  '00000000-0000-0000-0000-000000000000',
  1e300,
  Array(700).fill('abc'),
] // prettier-ignore

const fields = [
  ['Int', 'item(where: {id: {_eq: $v}}) { id }'],
  ['Int!', 'item_by_pk(id: $v) { id name }'],
  ['String', 'item(where: {name: {_like: $v}}) { id }'],
  ['uuid', 'item(where: {code: {_eq: $v}}) { id }'],
  ['timestamptz', 'item(where: {at: {_gt: $v}}) { id }'],
  ['jsonb', 'item(where: {data: {_contains: $v}}) { id }'],
  ['[Int!]', 'item(where: {id: {_in: $v}}) { id }'],
  ['[String!]!', 'item(where: {tags: {_eq: $v}}) { id }'],
  ['mood', 'item(where: {m: {_eq: $v}}) { id }'],
  ['numeric', 'item(where: {n: {_lt: $v}}) { id }'],
  ['Int', 'item(limit: $v) { id }'],
  ['Int', 'item(offset: $v, order_by: {id: asc}) { id }'],
  ['item_bool_exp', 'item(where: $v) { id }'],
  ['String!', 'search(args: {part: $v}) { id }'],
  ['search_args!', 'search(args: $v) { id }'],
  ['Int', 'item(where: {_or: [{id: {_eq: $v}}, {owner: {_in: [$v, 3]}}]}) { id }'],
  ['String!', 'item_aggregate(where: {name: {_eq: $v}}) { aggregate { count } }'],
] as const

function brokenRequest(seed: number) {
  const random = randomOf(seed)
  const pick = <T>(of: readonly T[]): T => of[random(of.length)] as T
  const chosen = Array.from({ length: 1 + random(4) }, () => pick(fields))
  const query = `query (${chosen.map(([type], i) => `$v${i}: ${type}`).join(', ')}) {
    ${chosen.map(([, field], i) => `f${i}: ${field.replaceAll('$v', `$v${i}`)}`).join('\n')} ${pick(['', '', '__typename', '__type(name: "item") { name }'])} }`
  const variables = Object.fromEntries(
    chosen.flatMap((_, i) => (random(8) === 0 ? [] : [[`v${i}`, pick(values)] as const])),
  )
  const headers = pick([
    {},
    { 'x-svc-role': 'user', 'x-svc-user-id': '1' },
    { 'x-svc-role': 'user', 'x-svc-user-id': 'me' },
    { 'x-svc-role': 'user' },
    { 'x-svc-role': 'nobody' },
  ])
  return { body: { query, variables }, headers }
}

describe('a request whose values are wrong', () => {
  let database: TestDatabase
  let engines: readonly Engine[]
  before(async () => {
    database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(schema)
    await client.end()
    const env = { SVC_GRAPHQL_MAX_VALUES_SIZE: '4000' }
    const first = await startEngine({ databaseUrl: database.url, env })
    const permission = { columns: '*', filter: { owner: 'X-Svc-User-Id' }, allow_aggregations: true }
    const set = await first.metadata('bulk', [
      { type: 'pg_track_table', args: { table: 'item' } },
      { type: 'pg_track_function', args: { function: 'search' } },
      { type: 'pg_create_select_permission', args: { table: 'item', role: 'user', permission } },
    ])
    assert.equal(set.status, 200, set.text)
    const logging = { ...env, SVC_GRAPHQL_ENABLED_LOG_TYPES: 'startup,http-log,query-log' }
    engines = [first, await startEngine({ databaseUrl: database.url, env: logging })]
  })
  after(async () => {
    for (const engine of engines) await engine.stop()
    await database.drop()
  })

  const ask = async ({ body, headers }: ReturnType<typeof brokenRequest>) => {
    const answers = await Promise.all(engines.map((engine) => engine.post('/v1/graphql', body, headers)))
    return answers.map(({ status, text }) => `${status} ${text}`)
  }

  test('has the same answer prepared at once and in pieces', async () => {
    const codes = new Map<string, number>()
    for (let seed = 1; seed <= 400; seed++) {
      const request = brokenRequest(seed)
      const [one = '', other] = await ask(request)
      assert.equal(one, other, `seed ${seed}: ${JSON.stringify(request).slice(0, 2000)}`)
      const code = /"code":"([a-z-]+)"/.exec(one)?.[1] ?? 'answered'
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
    // it is no test of one kind of error
    for (const code of ['answered', 'validation-failed', 'bad-request', 'not-found', 'data-exception'])
      assert.ok((codes.get(code) ?? 0) > 1, `${code}: ${JSON.stringify([...codes])}`)
  })

  test('values are counted once where a later field has them prepared in pieces', async () => {
    const query =
      'query ($a: String, $b: String) { a: item(where: {name: {_eq: $a}}) { id } b: item(where: {name: {_eq: $b}}) { id } }'
    const body = { query, variables: { a: 'a'.repeat(1000), b: 'b'.repeat(2900) } }
    const empty = '200 {"data":{"a":[],"b":[]}}'
    assert.deepEqual(await ask({ body, headers: {} }), [empty, empty])
  })
})
