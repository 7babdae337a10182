import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandEnvironment, resolveHeaders } from './environment.ts'

const environment = { HOST: 'http://a', ' A ': 'spaced', EMPTY: '' }

test('references are replaced, their names taken verbatim; an unclosed one remains', () => {
  const value = (template: string) => expandEnvironment(template, environment)
  assert.deepEqual(value('{{HOST}}/x/{{ A }}{{EMPTY}}'), { kind: 'value', value: 'http://a/x/spaced' })
  assert.deepEqual(value('a{{HOST'), { kind: 'value', value: 'a{{HOST' })
  assert.deepEqual(value('}}{{HOST}}'), { kind: 'value', value: '}}http://a' })
  assert.deepEqual(value('{{B}}{{A}}{{B}}{{__proto__}}'), { kind: 'missing', variables: ['B', 'A', '__proto__'] })
})

test('headers are resolved, or the missing variable is named', () => {
  const resolve = (...entries: Parameters<typeof resolveHeaders>[0]) => resolveHeaders(entries, environment)
  assert.deepEqual(resolve({ name: 'A', value: 'x {{HOST}}' }, { name: 'B', value_from_env: 'HOST' }), {
    kind: 'headers',
    headers: [
      ['A', 'x http://a'],
      ['B', 'http://a'],
    ],
  })
  assert.deepEqual(resolve({ name: 'A', value_from_env: 'C' }), {
    kind: 'missing',
    message: "environment variable 'C' not set",
  })
  assert.deepEqual(resolve({ name: 'A', value: '{{C}}' }), {
    kind: 'missing',
    message: 'template cannot be resolved: C',
  })
})
