import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzTemplates } from './fuzz-templates.ts'

test('random transforms of random payloads end, with a request or with errors of known kinds', () => {
  const { refused, failed, applied } = fuzzTemplates(17, 500)
  assert.ok(refused > 30 && failed > 30 && applied > 30, JSON.stringify({ refused, failed, applied }))
})
