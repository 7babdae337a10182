import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FatalError } from '../config/index.ts'
import { type AuthSettings, readAuthMode } from './index.ts'

const nothing: AuthSettings = {
  secrets: [],
  unauthorizedRole: null,
  authHook: null,
  authHookMode: 'GET',
  authHookSendRequestBody: true,
  jwtSecret: null,
  jwtSecrets: null,
}
const mode = (settings: Partial<AuthSettings>) => readAuthMode({ ...nothing, ...settings })

function fatal(settings: Partial<AuthSettings>): string {
  try {
    mode(settings)
  } catch (error) {
    assert.ok(error instanceof FatalError)
    return error.message
  }
  return assert.fail('was accepted')
}

const secrets = ['x']
const jwtSecret = JSON.stringify({ jwk_url: 'http://localhost/keys' })

test('the mode follows from what is set', () => {
  assert.equal(mode({}).kind, 'open')
  assert.equal(mode({ secrets }).kind, 'secret')
  assert.equal(mode({ secrets, authHook: 'http://localhost/auth' }).kind, 'webhook')
  assert.equal(mode({ secrets, jwtSecret }).kind, 'jwt')
  const both = mode({ secrets, jwtSecret, jwtSecrets: `[${jwtSecret}]` })
  assert.equal(both.kind === 'jwt' && both.jwt.length, 2)
})

test('settings that do not go together are refused', () => {
  const authHook = 'http://localhost/auth'
  assert.equal(
    fatal({ secrets, authHook, jwtSecret }),
    'Fatal Error: Both webhook and JWT mode cannot be enabled at the same time',
  )
  for (const settings of [{ authHook }, { jwtSecret }, { jwtSecrets: `[${jwtSecret}]` }, { unauthorizedRole: 'a' }])
    assert.match(fatal(settings), /requires --admin-secret/)
  assert.match(fatal({ secrets, authHook, unauthorizedRole: 'a' }), /cannot be used with --auth-hook/)
  assert.match(fatal({ secrets, authHook: 'auth.local' }), /expected a URL/)
})
