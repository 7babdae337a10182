/**
 * `npm run soak -- fuzz [COUNT] [SEED]`: that many queries with mutated tokens and variables (50,000), each answered or
 * refused as a mistake. The short form is test/fuzz/fuzz.test.ts.
 */

import { createWorldDatabase } from '../differential/world-database.ts'
import { startEngine } from '../engine.ts'
import { runFuzz } from '../fuzz/run-fuzz.ts'

const count = Number(process.argv[2] ?? 50_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const { url } = await createWorldDatabase()
const engine = await startEngine({ databaseUrl: url })
console.log(`${count} mutated queries, from seed ${seed} on`)
const { answered, refused, found } = await runFuzz(engine, { seed, count })
console.log(found === null ? `${answered} answered, ${refused} refused` : `BROKEN: ${found}`)
await engine.stop()
process.exit(found === null ? 0 : 1)
