import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meantKey } from './meant-key.ts'

test('a slip of the pen is recognised, at the top and in a source', () => {
  for (const [path, meant] of [
    [['acitons'], 'actions'],
    [['Sources'], 'sources'],
    [['remote_schema'], 'remote_schemas'],
    [['comment'], null],
    [['sources', 0, 'table'], 'tables'],
    [['sources', 0, 'query_tag'], 'query_tags'],
    [['sources', 0, 'anything'], null],
  ] as const)
    assert.equal(meantKey(path), meant)
})
