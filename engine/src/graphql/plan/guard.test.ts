import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { parseDocument } from '../document/parse-document.ts'
import { holds, type VariableValues } from '../selection/guard.ts'
import { defaultGraphqlSettings as settings } from '../settings.ts'
import { storeModel } from '../store.fixture.ts'
import { roleSchema } from '../types/role-schema.ts'
import type { OperationPlan } from './operation-plan.ts'
import { planOperation } from './plan-operation.ts'

const schema = roleSchema(storeModel(), 'admin')
/** Documents and the variables they use: few each, so that many requests are alike. */
const documents: readonly (readonly [string, readonly string[]])[] = [
  ['query ($where: artist_bool_exp) { artist(where: $where) { id } }', ['where']],
  [
    'query ($order: [artist_order_by!], $distinct: [artist_select_column!]) { artist(order_by: $order, distinct_on: $distinct) { id } }',
    ['order', 'distinct'],
  ],
  [
    'query ($limit: Int, $flag: Boolean = false, $id: Int = 7) { artist(limit: $limit) { id name @skip(if: $flag) } artist_by_pk(id: $id) { id } }',
    ['limit', 'flag', 'id'],
  ],
  [
    'query ($ids: [Int!], $json: jsonb) { artist(where: {id: {_in: $ids}, meta: {_contains: {a: [1, $json]}}}) { id } }',
    ['ids', 'json'],
  ],
  [
    'query ($offset: Int, $asc: order_by, $id: Int!) { artist(offset: $offset, order_by: [{name: $asc}, {id: desc}], where: {id: {_in: [1, $id]}}) { id } }',
    ['offset', 'asc', 'id'],
  ],
]

type Random = (below: number) => number

function generator(seed: number): Random {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const pick = <T>(random: Random, of: readonly [T, ...T[]]): T => of[random(of.length)] ?? of[0]

function where(random: Random, depth: number): unknown {
  const inner = () => where(random, depth - 1)
  const comparison = () =>
    pick<unknown>(random, [
      { _eq: random(9) },
      { _in: [1] },
      { _in: [1, 2] },
      { _is_null: random(2) === 0 },
      { _gt: random(9) },
      {},
    ])
  const entries: [string, unknown][] = [['id', comparison()]]
  if (depth > 0)
    entries.push(
      pick<[string, unknown]>(random, [
        ['_and', [inner()]],
        ['_or', [inner(), inner()]],
        ['_or', inner()],
        ['_not', inner()],
        ['_and', []],
      ]),
    )
  return Object.fromEntries(random(2) === 0 ? entries : entries.reverse().slice(random(2)))
}

/** Few kinds of each, so that many pairs are alike. */
function variables(random: Random, names: readonly string[]): VariableValues {
  const order = () =>
    pick<unknown>(random, [{ id: pick(random, ['asc', 'desc']) }, { albums_aggregate: { count: 'asc' } }, { id: null }])
  const made: Record<string, unknown> = {
    where: where(random, 1),
    order: pick<unknown>(random, [order(), [order()]]),
    limit: random(5),
    offset: random(5),
    distinct: pick<unknown>(random, ['id', ['id'], []]),
    flag: random(2) === 0,
    id: random(5),
    ids: pick<unknown>(random, [random(3), [random(3)], [1, 2]]),
    json: pick<unknown>(random, [random(3), { b: [random(3)] }, 'x']),
    asc: pick(random, ['asc', 'desc_nulls_last']),
  }
  for (const name of Object.keys(made)) {
    const fate = random(12)
    if (fate === 0 || !names.includes(name)) delete made[name]
    else if (fate === 1) made[name] = null
  }
  return made
}

function plan(text: string, values: VariableValues): OperationPlan | null {
  const document = parseDocument(text, settings)
  try {
    return planOperation({ document, operationName: null, variables: values }, schema, settings)
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return null
  }
}

for (const [text, names] of documents)
  test(`where the guards of a plan of ${text} hold, a new plan would be the same one`, () => {
    const random = generator(42)
    const made = Array.from({ length: 150 }, () => {
      const values = variables(random, names)
      return { values, plan: plan(text, values) }
    })
    let alike = 0
    for (const { plan: kept, values } of made) {
      if (!kept) continue
      assert.ok(holds(kept.guards, values), JSON.stringify(values))
      for (const other of made) {
        if (!holds(kept.guards, other.values)) continue
        alike++
        assert.ok(other.plan, `the guards hold for what is refused: ${JSON.stringify(other.values)}`)
        assert.deepEqual(other.plan.roots, kept.roots)
        assert.deepEqual(other.plan.guards, kept.guards)
        assert.deepEqual([...other.plan.templates], [...kept.templates])
      }
    }
    assert.ok(alike > 300, `${alike} pairs`)
  })
