/**
 * `npm run soak -- planning [QUERIES [SEED]]`: a search for the query within the default bounds that costs the database most to
 * plan. It starts over after 250, with the next seed, since a search stays near the worst that it knows.
 */
import assert from 'node:assert/strict'
import { searchWorstPlan } from '../../engine/src/backends/postgres/compile/search-worst-plan.fixture.ts'
import { seededRandom } from '../admin/random.ts'
import { createTestDatabase } from '../postgres.ts'

const ISLAND = 250
const queries = Number(process.argv[2] ?? 10_000)
const worst = { milliseconds: 0, megabytes: 0 }
let seed = Number(process.argv[3] ?? 1)
for (let planned = 0; planned < queries; planned += ISLAND) {
  const { url, drop } = await createTestDatabase()
  const random = seededRandom(seed)
  const { slowest, largest } = await searchWorstPlan(url, Math.min(ISLAND, queries - planned), random.next)
  console.log(
    `seed ${seed}: slowest ${slowest.milliseconds} ms, ${slowest.size} characters; largest ${largest.megabytes.toFixed(0)} MB, ${largest.size} characters`,
  )
  console.log(JSON.stringify({ slowest: slowest.genes, largest: largest.genes }))
  worst.milliseconds = Math.max(worst.milliseconds, slowest.milliseconds)
  worst.megabytes = Math.max(worst.megabytes, largest.megabytes)
  seed += 1
  await drop()
}
assert.ok(worst.milliseconds <= 1000 && worst.megabytes <= 200, JSON.stringify(worst))
process.exit(0)
