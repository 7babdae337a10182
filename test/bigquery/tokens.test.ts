import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../engine/src/errors.ts'
import { failure, startRestDouble } from './rest-double.ts'
import { createServiceAccount } from './service-account.ts'
import { namesOf, openSource } from './source-on-double.ts'

test('an assertion of the account is exchanged for a token, once for all who want one', async (t) => {
  const double = await startRestDouble(t)
  const { source } = await openSource(double)
  await Promise.all([1, 2, 3].map(() => source.query(namesOf('SELECT'), [])))
  assert.equal(double.tokens.length, 1)
  const [claims = {}] = double.tokens
  const { iat, exp, ...rest } = claims
  assert.equal(Number(exp) - Number(iat), 3600)
  assert.deepEqual(rest, {
    iss: double.account.json.client_email,
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    aud: double.tokenUrl,
  })
})

test('a token is renewed ten seconds before its end', async (t) => {
  const double = await startRestDouble(t)
  const { source } = await openSource(double)
  double.tokenLifetime = 9
  await source.query(namesOf('SELECT'), [])
  const before = double.tokens.length
  double.tokenLifetime = 3600
  await source.query(namesOf('SELECT'), [])
  await source.query(namesOf('SELECT'), [])
  assert.equal(double.tokens.length, before + 1)
})

test('a token that is refused before its time is renewed once', async (t) => {
  const double = await startRestDouble(t)
  const { source } = await openSource(double)
  await source.query(namesOf('SELECT'), [])
  double.revokeTokens()
  await source.query(namesOf('SELECT'), [])
  assert.deepEqual([double.tokens.length, double.jobs.size], [2, 2])
  double.fault = () => failure(401, 'Invalid Credentials', 'authError')
  const asked = double.requests.length
  await assert.rejects(source.query(namesOf('SELECT'), []), /failed with status 401 "Unauthorized"/)
  assert.equal(double.requests.length, asked + 2)
})

test('a key of another account is refused, and nothing of it is shown', async (t) => {
  const double = await startRestDouble(t)
  const other = createServiceAccount('other')
  const { source, observations } = await openSource(double, { service_account: JSON.stringify(other.json) })
  const error = await source.query(namesOf('SELECT'), []).catch((reason) => reason)
  assert.ok(error instanceof ApiError)
  assert.equal(error.message, 'Cannot execute BigQuery request')
  assert.deepEqual(error.internal, {
    exception: 'no access token: BigQuery HTTP request failed with status 400 "Bad Request"',
    rest_request_non_ok: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' },
  })
  const shown = JSON.stringify([error, error.stack, error.cause, observations])
  const secrets = other.json.private_key.split('\n').filter((line) => line.length > 20 && !line.includes('-----'))
  assert.ok(secrets.length > 10)
  for (const secret of secrets) assert.ok(!shown.includes(secret))
  await assert.rejects(source.introspect(null), /^Error: unexpected exception while connecting to database: /)
})
