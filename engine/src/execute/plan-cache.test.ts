import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultGraphqlSettings as settings } from '../graphql/index.ts'
import { connectionThat, storeModel, tables } from '../graphql/store.fixture.ts'
import { finish } from '../long-work.ts'
import { answerAllowance } from './allowance.ts'
import { executeGraphql } from './execute-graphql.ts'
import { findPlan, learnParts } from './find-plan.ts'
import { createGraphqlCaches } from './graphql-caches.ts'
import { PlanCache } from './plan-cache.ts'

const model = storeModel()
const as = (role: string) => ({ role, backendOnly: false })

/** Whether each of these requests, in turn, finds a plan that is kept. */
function cachedInTurn(
  query: string,
  variables: readonly Readonly<Record<string, unknown>>[],
  plans = new PlanCache(1e7),
): readonly boolean[] {
  return variables.map((each) => {
    const request = { query, operationName: null, variables: each }
    return finish(findPlan(request, as('admin'), model, plans, settings)).cached
  })
}

const cases: readonly {
  readonly what: string
  readonly query: string
  readonly variables: readonly Readonly<Record<string, unknown>>[]
  readonly cached: readonly boolean[]
}[] = [
  {
    what: 'values of scalars do not matter',
    query: 'query ($id: Int!, $l: Int) { artist(where: {id: {_eq: $id}}, limit: $l) { id } }',
    variables: [
      { id: 1, l: 1 },
      { id: 2, l: 5 },
    ],
    cached: [false, true],
  },
  {
    what: 'an absent, a null and a present variable are three',
    query: 'query ($l: Int) { artist(limit: $l) { id } }',
    variables: [{}, { l: null }, { l: 1 }, {}, { l: null }, { l: 7 }],
    cached: [false, false, false, true, true, true],
  },
  {
    what: 'flags of directives count by value',
    query: 'query ($a: Boolean!) { artist { id name @include(if: $a) } }',
    variables: [{ a: true }, { a: false }, { a: true }, { a: false }],
    cached: [false, false, true, true],
  },
  {
    what: 'the structure of where counts, its values do not',
    query: 'query ($w: artist_bool_exp) { artist(where: $w) { id } }',
    variables: [
      { w: { id: { _eq: 1 } } },
      { w: { id: { _eq: 2 } } },
      { w: { id: { _gt: 2 } } },
      { w: { _or: [{ id: { _eq: 1 } }] } },
      { w: { _or: [{ id: { _eq: 1 } }, {}] } },
      { w: { _or: [{ id: { _eq: 9 } }] } },
      { w: { _or: { id: { _eq: 9 } } } },
      { w: {} },
    ],
    cached: [false, true, false, false, false, true, false, false],
  },
  {
    what: 'the length of a list of values does not count',
    query: 'query ($ids: [Int!]) { artist(where: {id: {_in: $ids}}) { id } }',
    variables: [{ ids: [1] }, { ids: [1, 2, 3] }, { ids: [] }],
    cached: [false, true, true],
  },
  {
    what: '_is_null and enum values count by value',
    query: 'query ($n: Boolean, $o: order_by) { artist(where: {id: {_is_null: $n}}, order_by: {id: $o}) { id } }',
    variables: [
      { n: true, o: 'asc' },
      { n: false, o: 'asc' },
      { n: true, o: 'desc' },
      { n: true, o: 'asc' },
    ],
    cached: [false, false, false, true],
  },
  {
    what: 'variables inside a list or JSON literal are filled each time',
    query:
      'query ($a: Int!, $b: jsonb) { artist(where: {id: {_in: [1, $a]}, meta: {_contains: {x: [$b, 2]}}}) { id } }',
    variables: [
      { a: 1, b: 'x' },
      { a: 2, b: { y: 1 } },
      { a: 2, b: null },
    ],
    cached: [false, true, false],
  },
]

for (const { what, query, variables, cached } of cases)
  test(`plans: ${what}`, () => {
    assert.deepEqual(cachedInTurn(query, variables), cached)
  })

test('a plan that is kept is refused like a new one when a variable is not used', () => {
  const plans = new PlanCache(1e7)
  const query = '{ artist { id } }'
  cachedInTurn(query, [{}], plans)
  assert.throws(() => cachedInTurn(query, [{ x: 1 }], plans), /unexpected variables in variableValues: x/)
})

test('plans are cached separately by role and operation name', () => {
  const plans = new PlanCache(1e7)
  const query = 'query a { artist { id } } query b { artist { name } }'
  const cached = (role: string, operationName: string) =>
    finish(findPlan({ query, operationName, variables: {} }, as(role), model, plans, settings)).cached
  assert.deepEqual(
    [cached('admin', 'a'), cached('admin', 'b'), cached('user', 'a'), cached('user', 'a'), cached('admin', 'b')],
    [false, false, false, true, true],
  )
})

test('a change of the model invalidates the plans that used what changed, and no other plan', () => {
  const plans = new PlanCache(1e7)
  const cached = (query: string, of: typeof model) =>
    finish(findPlan({ query, operationName: null, variables: {} }, as('user'), of, plans, settings)).cached
  const artist = '{ artist { id } }'
  const album = '{ album { id } }'
  const both = '{ artist { albums { id } } }'
  for (const query of [artist, album, both]) cached(query, model)
  const changed = storeModel({
    previous: model,
    tables: tables.map((table) =>
      JSON.stringify(table.table).includes('album')
        ? {
            ...table,
            select_permissions: [{ role: 'user', permission: { columns: ['id'], filter: { id: { _gt: 5 } } } }],
          }
        : table,
    ),
  })
  assert.equal(cached(artist, changed), true)
  assert.equal(cached(album, changed), false)
  assert.equal(cached(both, changed), false)
  assert.equal(cached(both, changed), true)
})

test('a dropped permission turns a kept plan into the error that a new one gives', () => {
  const plans = new PlanCache(1e7)
  const request = { query: '{ album { id } }', operationName: null, variables: {} }
  finish(findPlan(request, as('user'), model, plans, settings))
  const without = storeModel({
    previous: model,
    tables: tables.map(({ select_permissions: _, ...table }) => table),
  })
  assert.throws(() => finish(findPlan(request, as('user'), without, plans, settings)), /field 'album' not found/)
})

test('the placeholder goes when the role gains a root field', () => {
  const plans = new PlanCache(1e7)
  const request = { query: '{ no_queries_available }', operationName: null, variables: {} }
  const before = storeModel({ tables: tables.map(({ select_permissions: _, ...table }) => table) })
  finish(findPlan(request, as('user'), before, plans, settings))
  assert.equal(finish(findPlan(request, as('user'), before, plans, settings)).cached, true)
  assert.throws(
    () => finish(findPlan(request, as('user'), model, plans, settings)),
    /field 'no_queries_available' not found/,
  )
})

test('the cache remains within its bytes and forgets what was used least recently', () => {
  const plans = new PlanCache(100_000)
  const text = (i: number) => `{ a${i}: artist { id name } }`
  const cached = (i: number) => cachedInTurn(text(i), [{}], plans)[0]
  for (let i = 0; i < 200; i++) {
    cached(0)
    cached(i)
    assert.ok(plans.size <= 100_000)
  }
  assert.equal(cached(0), true)
  assert.equal(cached(199), true)
  assert.equal(cached(1), false)
})

test('what is learned of a plan from the values of later requests counts as its size', () => {
  const plans = new PlanCache(1e7)
  const query = 'mutation ($rows: [artist_insert_input!]!) { insert_artist(objects: $rows) { affected_rows } }'
  const requestOf = (row: object) => ({ query, operationName: null, variables: { rows: [row] } })
  const tally = { add() {}, learn() {} }
  const request = requestOf({ name: 'Ada' })
  const { prepared } = finish(findPlan(request, as('admin'), model, plans, settings, 'graphql', () => tally))
  const before = plans.size
  const later = requestOf({ email: 'a', albums: { data: [{ title: 'One' }] } })
  finish(learnParts(later, prepared, as('admin'), model, plans, settings))
  assert.ok(prepared.asked?.covers(later.variables))
  assert.ok(plans.size > before, `${plans.size} bytes after ${before}`)
  assert.equal(plans.find(request, as('admin'), model), prepared)
})

type Variables = (i: number) => Readonly<Record<string, unknown>>
const writes: Readonly<Record<string, readonly [query: string, variables: Variables, statements?: number]>> = {
  'an insert of one object': [
    'mutation ($id: Int!, $name: String) { insert_artist_one(object: {id: $id, name: $name}) { id name } }',
    (i) => ({ id: i, name: `artist ${i}` }),
  ],
  'an insert of rows in a variable': [
    'mutation ($rows: [artist_insert_input!]!) { insert_artist(objects: $rows) { affected_rows } }',
    (i) => ({ rows: Array.from({ length: 80 + (i % 9) }, (_, k) => ({ id: k, name: `artist ${i}` })) }),
  ],
  'a nested insert': [
    'mutation ($object: artist_insert_input!) { insert_artist_one(object: $object) { id } }',
    (i) => ({ object: { id: i, name: 'a', albums: { data: [{ id: i, title: `album ${i}` }] } } }),
    3,
  ],
  'an update by key': [
    'mutation ($id: Int!, $name: String) { update_artist_by_pk(pk_columns: {id: $id}, _set: {name: $name}) { id } }',
    (i) => ({ id: i, name: `artist ${i}` }),
  ],
  'a list of updates in a variable': [
    'mutation ($updates: [artist_updates!]!) { update_artist_many(updates: $updates) { affected_rows } }',
    (i) => ({ updates: [{ where: { id: { _eq: i } }, _set: { name: `artist ${i}` } }] }),
  ],
}

for (const [what, [query, variablesOf, expected = 1]] of Object.entries(writes))
  test(`a hundred requests of one shape of write are planned and compiled once: ${what}`, async () => {
    const statements = new Set<unknown>()
    const connection = connectionThat({
      async runWrites(programs) {
        for (const program of programs) for (const { plan } of program.statements) statements.add(plan)
        return programs.map(() => Buffer.from('{}'))
      },
    })
    let planned = 0
    const execution = {
      model: storeModel({ connection }),
      caches: createGraphqlCaches(),
      session: { ...as('admin'), variables: new Map() },
      settings,
      answerSize: answerAllowance(1e7),
      tallyOf: () => {
        planned++
        // planned again for members that only later values request
        return { add() {}, learn: () => void planned++ }
      },
    }
    for (let i = 0; i < 100; i++)
      await executeGraphql({ ...execution, request: { query, operationName: null, variables: variablesOf(i) } })
    assert.deepEqual([planned, statements.size], [1, expected])
  })

test('a text whose variables vary without end keeps a bounded number of plans', () => {
  const plans = new PlanCache(1e7)
  const query = 'query ($w: artist_bool_exp) { artist(where: $w) { id } }'
  const where = (n: number) => ({ w: { _and: Array.from({ length: n }, () => ({})) } })
  cachedInTurn(
    query,
    Array.from({ length: 100 }, (_, n) => where(n)),
    plans,
  )
  assert.deepEqual(cachedInTurn(query, [where(99), where(0)], plans), [true, false])
  assert.ok(plans.size < 1_000_000)
})

test('a plan too large for the cache is used and not kept', () => {
  assert.deepEqual(cachedInTurn('{ artist { id } }', [{}, {}], new PlanCache(100)), [false, false])
})
