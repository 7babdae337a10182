import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { createHttpClient } from '../http-client/index.ts'
import { silent } from '../observe/index.ts'
import type { Session } from '../session.ts'
import { type AuthMode, type Headers, isLocalHost, startAuthentication } from './index.ts'

const http = createHttpClient({
  allowPrivateAddresses: true,
  maxResponseBytes: 1000,
  tlsAllowlist: () => [],
  report: silent,
})

async function sessions(mode: AuthMode): Promise<(headers: Headers) => Session> {
  const { authenticate } = await startAuthentication(mode, { http, report: silent })
  return (headers) => {
    const result = authenticate({ headers, requestId: '', graphqlRequest: async () => null })
    return result instanceof Promise ? assert.fail('waits') : result.session
  }
}

const open = await sessions({ kind: 'open' })
const secured = await sessions({ kind: 'secret', secrets: ['one', 'two'], unauthorizedRole: null })
const anonymous = await sessions({ kind: 'secret', secrets: ['one'], unauthorizedRole: 'anonymous' })

function refusal(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    assert.ok(error instanceof ApiError)
    assert.deepEqual([error.code, error.status, error.path.toString()], ['access-denied', 401, '$'])
    return error.message
  }
  return assert.fail('was accepted')
}

test('in open mode a request has the role that it names, admin when it names none', () => {
  assert.equal(open({}).role, 'admin')
  assert.equal(open({ 'x-svc-role': '' }).role, 'admin')
  const session = open({ 'x-svc-role': 'user', 'x-svc-user-id': '7', 'x-other': 'no' })
  assert.deepEqual(
    [...session.variables],
    [
      ['x-svc-role', 'user'],
      ['x-svc-user-id', '7'],
    ],
  )
})

test('with a secret, a request without one or with a wrong one is refused', () => {
  assert.equal(
    refusal(() => secured({})),
    '"x-svc-admin-secret"/"x-svc-access-key" required, but not found',
  )
  assert.equal(
    refusal(() => secured({ 'x-svc-admin-secret': 'onee' })),
    'invalid "x-svc-admin-secret"/"x-svc-access-key"',
  )
  refusal(() => anonymous({ 'x-svc-admin-secret': 'two' }))
})

test('each of several secrets is right, under both names', () => {
  assert.equal(secured({ 'x-svc-admin-secret': 'one' }).role, 'admin')
  assert.equal(secured({ 'x-svc-access-key': 'two', 'x-svc-role': 'user' }).role, 'user')
})

test('the secret and the actor are no session variables', () => {
  const { variables } = secured({
    'x-svc-admin-secret': 'one',
    'x-svc-access-key': 'one',
    'x-svc-actor': 'ci',
    'x-svc-a': 'b',
  })
  assert.deepEqual(
    [...variables],
    [
      ['x-svc-a', 'b'],
      ['x-svc-role', 'admin'],
    ],
  )
})

test('the unauthorized role cannot be changed by a header, other variables are kept', () => {
  const session = anonymous({ 'x-svc-role': 'admin', 'x-svc-user-id': '7' })
  assert.equal(session.role, 'anonymous')
  assert.deepEqual(
    [...session.variables],
    [
      ['x-svc-role', 'anonymous'],
      ['x-svc-user-id', '7'],
    ],
  )
})

test('a trusted client requests backend-only permissions with yes or no; the header of other clients is ignored', () => {
  const asking = (text: string) => ({ 'x-svc-admin-secret': 'one', 'x-svc-use-backend-only-permissions': text })
  for (const text of ['true', 'T', 'Yes', 'y', 'FALSE', 'f', 'no', 'N', ''])
    assert.equal(secured(asking(text)).backendOnly, /^[ty]/i.test(text))
  for (const text of ['maybe', '1', 'true '])
    assert.throws(
      () => secured(asking(text)),
      (error) => error instanceof ApiError && error.code === 'bad-request' && error.status === 400,
    )
  assert.equal(anonymous({ 'x-svc-use-backend-only-permissions': 'maybe' }).role, 'anonymous')
})

test('a variable is read as UTF-8', () => {
  const bytes = Buffer.from('Ключ', 'utf8').toString('latin1')
  assert.equal(open({ 'x-svc-name': bytes }).variables.get('x-svc-name'), 'Ключ')
})

test('only loopback names are local', () => {
  for (const host of ['localhost:8080', '127.0.0.1', '[::1]:80', 'app.localhost:3']) assert.ok(isLocalHost(host), host)
  for (const host of ['evil.io', '127.0.0.1.evil.io', 'localhost.evil.io:8080', '', '10.0.0.1'])
    assert.ok(!isLocalHost(host), host)
})
