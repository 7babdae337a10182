import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reaches } from './reaches.ts'

test('a file reaches what it imports, and what that imports', () => {
  assert.equal(reaches(['tools/test/reaches.test.ts'], 'tools/test/reaches.ts'), true)
  assert.equal(reaches(['test/serving/relay.test.ts'], 'test/postgres.ts'), true)
  assert.equal(reaches(['engine/src/backends/postgres/connect/planning-choice.test.ts'], 'test/postgres.ts'), false)
})
