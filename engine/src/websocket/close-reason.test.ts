import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closing } from './close-reason.ts'

test('a reason is cut to what a close frame holds, between characters', () => {
  assert.equal(closing(1000, 'short').reason, 'short')
  assert.equal(closing(1000, 'x'.repeat(200)).reason, 'x'.repeat(123))
  const cut = closing(1000, `x${'é'.repeat(100)}`).reason
  assert.equal(cut, `x${'é'.repeat(61)}`)
  assert.equal(Buffer.byteLength(cut), 123)
})
