import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgres } from '../backends/index.ts'
import { parseDocument, planSubscription, roleSchema, defaultGraphqlSettings as settings } from '../graphql/index.ts'
import { storeModel } from '../graphql/store.fixture.ts'
import { findSubscription } from './find-subscription.ts'
import { PlanCache } from './plan-cache.ts'
import { type PreparedSubscription, prepareSubscription } from './prepared-subscription.ts'

const session = { role: 'admin', variables: new Map<string, string>(), backendOnly: false }

test('a subscription that the database refuses is answered in the words of the database, and so is an explained one', () => {
  const subscriptions = { status: 'refused', reason: 'no live queries', explain: 'no plans' } as const
  const features = { ...postgres.types.features, subscriptions }
  const model = storeModel({ types: { ...postgres.types, features } })
  const query = 'subscription { track { id } }'
  const request = { document: parseDocument(query, settings), operationName: null, variables: {} }
  const plan = planSubscription(request, roleSchema(model, 'admin'), settings)
  const error = (message: string) => ({ code: 'unexpected', status: 500, message })
  assert.throws(() => prepareSubscription(query, plan, model), error('no live queries'))
  assert.throws(() => prepareSubscription(query, plan, model, 'explain'), error('no plans'))
})

test('what a subscription requests that is refused for its values is not learned', () => {
  const model = storeModel()
  const plans = new PlanCache<PreparedSubscription>(1e7)
  const subscription = (l: unknown) => ({
    request: {
      query: 'subscription ($l: Int) { artist(limit: $l) { id } }',
      operationName: null,
      variables: { l },
    },
    session,
    api: 'graphql' as const,
  })
  const known = findSubscription(subscription(1), model, plans, settings)
  const other = {
    document: parseDocument('subscription { track { id } }', settings),
    operationName: null,
    variables: {},
  }
  const { asked } = planSubscription(other, roleSchema(model, 'admin'), settings)
  const before = [...asked.parts()]
  plans.put(subscription(1).request, session, model, { ...known, asked: Object.assign(asked, { covers: () => false }) })
  assert.throws(() => findSubscription(subscription('x'), model, plans, settings), { code: 'validation-failed' })
  assert.deepEqual([...asked.parts()], before)
  findSubscription(subscription(2), model, plans, settings)
  assert.ok([...asked.parts()].length > before.length)
})
