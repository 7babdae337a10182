import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiLimits } from '@svc/schema'
import { parse } from 'graphql'
import { ApiError } from '../errors.ts'
import { defaultGraphqlSettings } from '../graphql/index.ts'
import { RequestLimits } from './index.ts'
import { measureQuery } from './measure-query.ts'
import { RequestRate } from './request-rate.ts'

const limitsOf = (limits: ApiLimits) => new RequestLimits({ limits: () => limits, settings: defaultGraphqlSettings })
const session = (role: string, variables: Readonly<Record<string, string>> = {}) => ({
  role,
  variables: new Map(Object.entries(variables)),
  backendOnly: false,
})
const request = (query: string) => ({ query, operationName: null, variables: {} })

function code(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return `${error.status} ${error.code}`
  }
  return 'allowed'
}

test('depth and nodes count fields, fragments wherever they are used, and nothing of introspection', () => {
  const size = (query: string, name: string | null = null) => measureQuery(parse(query), name)
  assert.deepEqual(size('{ a { b c } d }'), { depth: 2, nodes: 4 })
  assert.deepEqual(
    size('{ ...F ... on query_root { x } } fragment F on query_root { a { ...G } b { ...G } } fragment G on x { c d }'),
    {
      depth: 2,
      nodes: 7,
    },
  )
  assert.deepEqual(size('{ __typename __schema { types { name fields { name } } } }'), { depth: 1, nodes: 1 })
  assert.deepEqual(size('{ ...F } fragment F on q { a ...F }'), { depth: 1, nodes: 1 })
  assert.deepEqual(size('query A { a } query B { a { b } }', 'B'), { depth: 2, nodes: 2 })
  assert.equal(size('query A { a } query B { a { b } }'), null)
  const bomb = [
    '{ ...F0 }',
    ...Array.from({ length: 60 }, (_, i) => `fragment F${i} on q { ...F${i + 1} ...F${i + 1} }`),
  ]
  assert.equal(size(`${bomb.join(' ')} fragment F60 on q { a }`)?.nodes, 2 ** 60)
})

test('a role has its own limits, else those for all; the admin has only its own', () => {
  const limits = limitsOf({
    disabled: false,
    depth_limit: { global: 1, per_role: { deep: 2 } },
    node_limit: { global: 2, per_role: { admin: 3 } },
  })
  const ask = (role: string, query: string) => code(() => limits.checkOperation(role, request(query)))
  assert.equal(ask('user', '{ a { b } }'), '400 depth-limit-exceeded')
  assert.equal(ask('deep', '{ a { b } }'), 'allowed')
  assert.equal(ask('deep', '{ a { b c } }'), '400 node-limit-exceeded')
  assert.equal(ask('admin', '{ a { b { c } } }'), 'allowed')
  assert.equal(ask('admin', '{ a { b { c d } } }'), '400 node-limit-exceeded')
  assert.equal(ask('user', '{ a '), 'allowed')
  const disabled = limitsOf({ disabled: true, depth_limit: { global: 1, per_role: {} } })
  assert.equal(
    code(() => disabled.checkOperation('user', request('{ a { b } }'))),
    'allowed',
  )
})

test('the operations of a batch are limited', () => {
  const limits = limitsOf({ disabled: false, batch_limit: { global: 2, per_role: {} } })
  assert.equal(
    code(() => limits.checkBatch('user', 2)),
    'allowed',
  )
  assert.equal(
    code(() => limits.checkBatch('user', 3)),
    '400 batch-limit-exceeded',
  )
})

test('requests a minute are counted by role, by address, or by session variables', () => {
  const rate = (unique_params: unknown) => ({
    disabled: false,
    rate_limit: { global: { max_reqs_per_min: 2, unique_params }, per_role: {} },
  })
  const asked = (unique: unknown, asking: readonly (readonly [string, Readonly<Record<string, string>>, string])[]) => {
    const limits = limitsOf(rate(unique) as unknown as ApiLimits)
    return asking.map(([role, variables, address]) =>
      code(() => limits.countRequest(session(role, variables), address)),
    )
  }
  const refused = '429 rate-limit-exceeded'
  const a = ['user', { 'x-svc-user-id': '1' }, '10.0.0.1'] as const
  const b = ['user', { 'x-svc-user-id': '2' }, '10.0.0.1'] as const
  const c = ['user', { 'x-svc-user-id': '2' }, '10.0.0.2'] as const
  assert.deepEqual(asked(null, [a, b, c]), ['allowed', 'allowed', refused])
  assert.deepEqual(asked('IP', [a, b, c, a]), ['allowed', 'allowed', 'allowed', refused])
  assert.deepEqual(asked(['X-Svc-User-Id'], [a, b, c, b]), ['allowed', 'allowed', 'allowed', refused])
})

test('a minute is any sixty seconds, in the mean', () => {
  const rate = new RequestRate()
  const admitted = (now: number, of: number) =>
    Array.from({ length: of }, () => rate.admit('a', 10, now)).filter(Boolean).length
  assert.equal(admitted(0, 20), 10)
  assert.equal(admitted(59_000, 5), 0)
  assert.equal(admitted(61_000, 20), 0)
  assert.equal(admitted(90_000, 20), 5)
  assert.equal(admitted(400_000, 20), 10)
})

test('what takes longer than the role may is cancelled', async () => {
  const limits = limitsOf({ disabled: false, time_limit: { global: 0.01, per_role: { slow: 1000 } } })
  const forever = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const { signal } = new AbortController()
  await assert.rejects(limits.withinTime('user', signal, forever), { code: 'time-limit-exceeded' })
  assert.equal(await limits.withinTime('user', signal, async () => 1), 1)
  const left = new AbortController()
  const asking = limits.withinTime('slow', left.signal, forever)
  left.abort(new Error('left'))
  await assert.rejects(asking, { message: 'left' })
})
