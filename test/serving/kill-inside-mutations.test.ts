import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endConnectionsInsideMutations, killInsideMutations } from './kill-inside-mutations.ts'

test('an engine killed inside mutations leaves each of them whole, or nothing of it', async () => {
  const { sent, answered } = await killInsideMutations([1, 60, 120])
  assert.ok(answered >= 181 && answered < sent)
})

test('a mutation whose connection ends is written once or not at all', async () => {
  // where the connections end between two mutations, none was disturbed, and it is tried again
  for (let tries = 1; ; tries++) {
    const { sent, answered } = await endConnectionsInsideMutations(15)
    assert.ok(answered > 15 && tries <= 20, `${answered} of ${sent} were answered`)
    if (answered < sent) break
  }
})
