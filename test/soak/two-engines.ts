/** `npm run soak -- two-engines [CHANGES]`: how soon a change through one engine is served by another. */
import assert from 'node:assert/strict'
import { followChanges } from '../serving/follow-changes.ts'

const times = [...(await followChanges(Number(process.argv[2] ?? 500)))].sort((a, b) => a - b)
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
console.log(
  `${times.length} changes: served by the other engine after ${at(0.5).toFixed(1)} ms (median), ${at(0.99).toFixed(1)} ms (99 %), ${at(1).toFixed(1)} ms (longest)`,
)
assert.ok(at(1) <= 200, 'longer than 200 ms')
