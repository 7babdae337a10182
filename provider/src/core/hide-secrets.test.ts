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

test('the password of any address is hidden, wherever it came from', () => {
  assert.equal(hideSecrets({})('cannot open postgres://u:canary@h/d'), 'cannot open postgres://u:***@h/d')
})

for (const [what, address] of [
  ['before the host, with an @ of its own', 'postgres://u:canary@canary@h/d'],
  ['before the host, encoded', 'postgres://u:canary%2Dx@h/d'],
  ['in the query', 'postgres://u@h/d?sslmode=require&password=canary%2Dx&sslpassword=canary-y'],
  ['in a pair of libpq', 'host=h user=u password=canary-x'],
  ['in a quoted pair of libpq', "host=h password = 'canary x' dbname=d"],
] as const)
  test(`a password ${what} is hidden wherever it is repeated, and with its address`, () => {
    const hide = hideSecrets(attributes, { database_url_wo: address })
    const repeated = hide(`refused: ${address}: with canary@canary, canary-x, canary x and canary-y`)
    const known = ['canary@canary', 'canary-x', 'canary x', 'canary-y'].filter((one) =>
      decodeURIComponent(address).includes(one),
    )
    assert.equal(repeated.includes(address), false)
    for (const one of known) assert.equal(repeated.includes(one), false, repeated)
  })

for (const [what, connection, password] of [
  ['plain', 'Server=h,1433;Uid=u;Pwd=canary-1;Encrypt=yes', 'canary-1'],
  ['in braces', 'Server=h;Database=d;PWD = {canary-1};Uid=u', 'canary-1'],
  ['with signs that braces are for', 'Server=h;Password={canary;-}}1};Uid=u', 'canary;-}1'],
] as const)
  test(`the password of a connection string of SQL Server is hidden: ${what}`, () => {
    const own = hideSecrets(kindNamed('MssqlSource')?.attributes ?? {}, { connection_string: connection })
    assert.doesNotMatch(own(`refused: ${connection}; for ${password}`), /canary/)
    assert.doesNotMatch(hideSecrets({})(`refused: Driver={x};${connection}`), /canary/)
  })

test('of a service account only the private key is hidden, as text and in JSON', () => {
  const account = { client_email: 'a@acme.example', project_id: 'acme', private_key: '-----BEGIN\ncanary\n' }
  const attributes = kindNamed('BigquerySource')?.attributes ?? {}
  for (const service_account of [JSON.stringify(account), JSON.stringify(account, null, 2)]) {
    const hide = hideSecrets(attributes, { service_account })
    assert.doesNotMatch(hide(`${service_account} ${JSON.stringify(account)} ${account.private_key}`), /canary/)
    assert.equal(hide('a@acme.example has no access to acme'), 'a@acme.example has no access to acme')
  }
})

test('the password of an undeclared address is hidden wherever the address has it', () => {
  const hide = hideSecrets({})
  assert.equal(hide('no postgres://u:can@ary@h/d?x=a@b there'), 'no postgres://u:***@h/d?x=a@b there')
  assert.equal(
    hide('"postgres://h/d?user=u&password=canary&sslpassword=canary&x=1"'),
    '"postgres://h/d?user=u&password=***&sslpassword=***&x=1"',
  )
  assert.equal(hide('see https://h/a?b=c and password=x'), 'see https://h/a?b=c and password=x')
})
