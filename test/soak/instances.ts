/**
 * `npm run soak -- instances [ROUNDS]`: three engines on one catalogue, kills, lost notifications, a database that hangs
 * (20 rounds). The short form is test/serving/three-instances.test.ts.
 */
import assert from 'node:assert/strict'
import { runInstances } from '../serving/run-instances.ts'

const { followed, followedAfterCut, ...counts } = await runInstances(Number(process.argv[2] ?? 20), ['paused', 'cut'])
for (const [what, times] of [
  ['served by the others', followed],
  ['after the connections that listen were cut', followedAfterCut],
] as const) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  console.log(`${what}: ${sorted.length} times, ${at(0.5).toFixed(1)} ms (median), ${at(1).toFixed(1)} ms (longest)`)
}
console.log(`writes: ${JSON.stringify(counts)}`)
assert.ok(Math.max(...followed) <= 200, 'longer than 200 ms')
process.exit(0)
