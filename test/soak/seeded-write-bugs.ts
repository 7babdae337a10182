/**
 * `npm run soak -- seeded-write-bugs [COUNT] [SEED] [PART_OF_NAME]`: every bug of test/differential/seeded-write-bugs.ts is
 * put into an engine of its own, and has to be caught by the oracle within that many mutations (500) of one of four worlds.
 */
import { catchWriteBug } from '../differential/catch-write-bug.ts'
import { seededWriteBugs } from '../differential/seeded-write-bugs.ts'

const count = Number(process.argv[2] ?? 500)
const seed = Number(process.argv[3] ?? 1)
const bugs = seededWriteBugs.filter(({ name }) => name.includes(process.argv[4] ?? ''))
let missed = 0
for (const bug of bugs) {
  let verdict = 'MISSED'
  for (let world = 0; world < 4 && verdict === 'MISSED'; world++) {
    const found = await catchWriteBug(bug, seed + world, count)
    if (found) verdict = `caught in world ${seed + world}: ${found.what.slice(0, 120)}`
  }
  if (verdict === 'MISSED') missed++
  console.log(`${bug.name}: ${verdict}`)
}
console.log(`${bugs.length - missed} of ${bugs.length} caught`)
process.exit(missed === 0 ? 0 : 1)
