import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tablesOfExpression } from './tables-of-expression.ts'

const table = (name: string) => ({ schema: 'public', name })

test('a row condition names the tables of its _exists, however deep', () => {
  const inner = { _exists: { _table: table('b'), _where: { x: { _eq: '_exists' } } } }
  const expression = { _or: [{ name: { _eq: 1 } }, { _exists: { _table: table('a'), _where: { _not: inner } } }] }
  assert.deepEqual(tablesOfExpression(expression), [table('a'), table('b')])
})

test('a condition without _exists names none', () => {
  assert.deepEqual(tablesOfExpression({ author: { name: { _eq: { schema: 'public' } } } }), [])
})
