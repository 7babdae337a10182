/** `npm run soak -- planning [QUERIES]`: a search for the query within the default bounds that costs the database most to plan. */
import assert from 'node:assert/strict'
import { searchWorstPlan } from '../../engine/src/backends/postgres/compile/search-worst-plan.fixture.ts'
import { createTestDatabase } from '../postgres.ts'

const { url, drop } = await createTestDatabase()
const { slowest, largest, planned } = await searchWorstPlan(url, Number(process.argv[2] ?? 10_000), Math.random)
console.log(`${planned} planned; slowest ${slowest.milliseconds} ms, largest ${largest.megabytes.toFixed(0)} MB`)
console.log(JSON.stringify({ slowest, largest }))
await drop()
assert.ok(slowest.milliseconds <= 1000 && largest.megabytes <= 200)
process.exit(0)
