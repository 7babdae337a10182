import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactValue } from './redact-value.ts'

const redacted = (database_url: unknown): unknown => {
  const value = redactValue('source', { name: 's', configuration: { connection_info: { database_url } } } as never)
  return (value as { configuration: { connection_info: { database_url: unknown } } }).configuration.connection_info
    .database_url
}

test('passwords leave every form of a connection, and nothing else does', () => {
  for (const [given, expected] of [
    ['postgres://me:secret@host:5432/db?sslmode=require', 'postgres://me:***@host:5432/db?sslmode=require'],
    ['postgres://me:se@cr:et/x@host/db', 'postgres://me:***@host/db'],
    ['postgres://me@host/db', 'postgres://me@host/db'],
    ['postgres://host/db?user=me&password=secret&x=1', 'postgres://host/db?user=me&password=***&x=1'],
    ["host=h password='se cret' user=me", 'host=h password=*** user=me'],
    ['Driver={x};Server=h;Uid=me;Pwd=secret;', 'Driver={x};Server=h;Uid=me;Pwd=***;'],
    ['{{DATABASE_URL}}', '{{DATABASE_URL}}'],
    [{ from_env: 'DATABASE_URL' }, { from_env: 'DATABASE_URL' }],
    [
      { connection_parameters: { username: 'me', password: 'secret', host: 'h' } },
      { connection_parameters: { username: 'me', password: '***', host: 'h' } },
    ],
  ])
    assert.deepEqual(redacted(given), expected)
  const other = { name: 'a', definition: { handler: 'http://me:secret@host' } }
  assert.equal(redactValue('action', other), other)
})
