import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgres } from '../backends/index.ts'
import { parseDocument, planSubscription, roleSchema, defaultGraphqlSettings as settings } from '../graphql/index.ts'
import { storeModel } from '../graphql/store.fixture.ts'
import { prepareSubscription } from './prepared-subscription.ts'

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
