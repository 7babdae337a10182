import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineWarnings } from './engine-warnings.ts'

test('warnings in the answer to one operation, or to several, are warnings of a plan', () => {
  const one = { message: 'success', warnings: [{ code: 'partition-filter-missing', message: 'no filter' }] }
  const shown = { severity: 'warning', summary: 'no filter', detail: '', path: [] }
  assert.deepEqual(engineWarnings(one), [shown])
  assert.deepEqual(engineWarnings([{ message: 'success' }, one]), [shown])
  assert.deepEqual(engineWarnings(null), [])
})
