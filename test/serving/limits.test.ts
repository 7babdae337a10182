import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'

test('limits of metadata hold for requests of GraphQL, one by one and in batches', async (t) => {
  const engine = await startEngine({}, t)
  const limit = <T>(global: T) => ({ global, per_role: {} })
  const setLimits = async (api_limits: unknown) => {
    const { body: metadata } = await engine.metadata('export_metadata', {})
    const { status, text } = await engine.metadata('replace_metadata', { ...metadata, api_limits })
    assert.equal(status, 200, text)
  }
  await setLimits({
    depth_limit: limit(1),
    node_limit: { global: 100, per_role: { small: 1 } },
    batch_limit: limit(2),
    rate_limit: limit({ max_reqs_per_min: 3, unique_params: ['x-svc-user-id'] }),
  })
  const code = async (body: unknown, role: string, user: string) => {
    const headers = { 'x-svc-role': role, 'x-svc-user-id': user }
    const { body: answer, status } = await engine.post('/v1alpha1/graphql', body, headers)
    return answer.errors ? `${status} ${answer.errors[0].extensions.code}` : 'ok'
  }
  const simple = { query: '{ __typename }' }
  assert.equal(await code({ query: '{ a { b } }' }, 'user', '1'), '400 depth-limit-exceeded')
  assert.equal(await code({ query: '{ a: __typename __typename }' }, 'small', '2'), '400 node-limit-exceeded')
  assert.equal(await code({ query: '{ __schema { types { name fields { name } } } }' }, 'user', '3'), 'ok')
  assert.equal(await code([simple, simple, simple], 'user', '4'), '400 batch-limit-exceeded')
  for (const expected of ['ok', 'ok', 'ok', '429 rate-limit-exceeded'])
    assert.equal(await code(simple, 'user', '5'), expected)
  assert.equal(await code(simple, 'user', '6'), 'ok')
  assert.equal(await code({ query: '{ a { b } }' }, 'admin', '7'), '400 validation-failed')
})
