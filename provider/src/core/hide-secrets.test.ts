import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindNamed } from '../resources/index.ts'
import { hideSecrets } from './hide-secrets.ts'

const attributes = kindNamed('Source')?.attributes ?? {}

test('whatever stands in a sensitive attribute is hidden, at any depth, in JSON and in addresses', () => {
  const hide = hideSecrets(attributes, {
    database_url: 'postgres://u:canary%2D1@host/d',
    connection_parameters: { username: 'mia', password: 'canary-2' },
    read_replicas: [{ connection_parameters: { password: 'canary-3' } }, { database_url: 'canary-4' }],
    connection_set: [{ name: 'a', connection_info: { database_url: 'postgres://u:canary-5@host/d' } }],
    name: 'visible',
  })
  const text = hide(
    'visible mia canary%2D1 canary-1 canary-2 canary-3 canary-4 canary-5 postgres://u:canary%2D1@host/d',
  )
  assert.doesNotMatch(text, /canary/)
  assert.match(text, /^visible mia/)
})

test('the password of any address is hidden, whoever put it there', () => {
  assert.equal(hideSecrets({})('cannot open postgres://u:canary@h/d'), 'cannot open postgres://u:***@h/d')
})
