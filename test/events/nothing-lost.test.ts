import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loseNothing } from './lose-nothing.ts'

test('each change is delivered, and none invented, though engines are killed, the receiver fails and the database crashes', async () => {
  const { committed, delivered, kills } = await loseNothing({
    changes: 3000,
    clients: 4,
    killEvery: 1500,
    mostKills: 8,
    restarts: 1,
    failing: 0.2,
  })
  assert.equal(delivered, committed)
  assert.ok(kills > 0)
})
