import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { planOperation } from '../plan/plan-operation.ts'
import { defaultGraphqlSettings as settings } from '../settings.ts'
import { storeModel } from '../store.fixture.ts'
import { roleSchema } from '../types/role-schema.ts'
import { parseDocument } from './parse-document.ts'

const schema = roleSchema(storeModel(), 'admin')

const seeds = [
  'query Q($id: Int!, $w: artist_bool_exp, $o: [artist_order_by!], $n: Boolean = true) { artist(where: {_or: [{id: {_eq: $id}}, {albums: {title: {_ilike: "%a%"}}}]}, order_by: $o, limit: 3, offset: "1", distinct_on: [id]) { ...f albums(where: {id: {_in: [1, 2, $id]}}) @include(if: $n) { id tracks_aggregate { aggregate { count(columns: [id], distinct: true) max { id name } } nodes { id } } } } b: artist(where: $w) { id } } fragment f on artist { id name meta(path: "$.a[0]") }',
  '{ artist_aggregate(where: {meta: {_contains: {a: [1, null, {b: X}]}, _not: {}}}) { aggregate { avg { fans } count } } __schema { types { name fields { name } } } }',
  'query { artist_by_pk(id: 1) { __typename tags albums { artist { id } } } __type(name: "artist") { name fields(includeDeprecated: true) { name type { ofType { name } } } } }',
]

const noise = [
  ...'{ } ( ) [ ] : ! $ @ ... " """ # , & | = null true id artist albums _eq _in _and where $w $id -1 1.5e300 99999999999999999999 "x" asc __typename fragment query mutation on f \u0000 🙂 \ud800 1.'.split(
    ' ',
  ),
  '\n',
]
const values = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  '',
  'asc',
  'x',
  [],
  {},
  [[]],
  [null],
  { id: null },
  { _eq: 1 },
  { id: { _eq: [] } },
]

/** A small generator of its own, so a failure can be repeated from its seed. */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function mutated(random: (below: number) => number): string {
  const tokens = (seeds[random(seeds.length)] ?? '').split(/(?=[\s{}()[\]:!$@,"])/)
  for (let i = random(4); i >= 0; i--) {
    const at = random(tokens.length)
    const word = noise[random(noise.length)] ?? ''
    const other = tokens[random(tokens.length)] ?? ''
    switch (random(4)) {
      case 0:
        tokens.splice(at, 1)
        break
      case 1:
        tokens.splice(at, 0, ` ${word} `)
        break
      case 2:
        tokens.splice(at, 1, ` ${word} `)
        break
      case 3:
        tokens.splice(at, 1, other)
        break
    }
  }
  return tokens.join('')
}

function randomValue(random: (below: number) => number, depth: number): unknown {
  if (depth === 0 || random(3) === 0) return values[random(values.length)]
  if (random(2) === 0) return Array.from({ length: random(3) }, () => randomValue(random, depth - 1))
  const keys = ['_and', '_or', '_not', 'id', 'name', 'albums', '_eq', '_in', '__proto__', 'constructor', 'toString']
  return Object.fromEntries(
    Array.from({ length: random(3) }, () => [keys[random(keys.length)], randomValue(random, depth - 1)]),
  )
}

test('5,000 broken documents and variables give a plan or an error of the contract, never anything else', () => {
  const outcomes = { planned: 0, refused: 0 }
  for (let seed = 1; seed <= 5_000; seed++) {
    const random = generator(seed)
    const text = mutated(random)
    const variables: Record<string, unknown> = {}
    if (text.includes('$id')) variables.id = random(5) === 0 ? randomValue(random, 1) : seed
    if (text.includes('$w') && random(2) === 0) variables.w = randomValue(random, 4)
    if (text.includes('$o') && random(2) === 0) variables.o = randomValue(random, 3)
    if (text.includes('$n') && random(4) === 0) variables.n = randomValue(random, 1)
    try {
      planOperation({ document: parseDocument(text, settings), operationName: null, variables }, schema, settings)
      outcomes.planned++
    } catch (error) {
      const about = `seed ${seed}: ${text} ${JSON.stringify(variables)}`
      assert.ok(error instanceof ApiError, `${about}\n${error instanceof Error ? error.stack : error}`)
      assert.ok(['validation-failed', 'parse-failed', 'unexpected-payload'].includes(error.code), about)
      assert.equal(error.status, 400)
      outcomes.refused++
    }
  }
  assert.ok(outcomes.planned > 100 && outcomes.refused > 1_000, JSON.stringify(outcomes))
})
