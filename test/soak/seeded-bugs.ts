/**
 * `npm run soak -- seeded-bugs [QUERIES] [SEED] [PART_OF_NAME]`: every bug of test/differential/seeded-bugs.ts is put into an engine of its
 * own, and has to be caught by the oracle within that many queries (6,000). The short form is
 * test/differential/seeded-bugs.test.ts.
 */
import { catchBug, isWrongAnswer } from '../differential/catch-bug.ts'
import { seededBugs } from '../differential/seeded-bugs.ts'

const queries = Number(process.argv[2] ?? 6000)
const seed = Number(process.argv[3] ?? 1)
const bugs = seededBugs.filter(({ name }) => name.includes(process.argv[4] ?? ''))
let missed = 0
console.log(`${bugs.length} bugs, ${queries} queries each from seed ${seed} on`)
for (const bug of bugs) {
  const { found, asked } = await catchBug(bug, { seed, queries, perWorld: 40 })
  const isCaught = found !== null && isWrongAnswer(found)
  if (!isCaught) missed++
  const verdict = isCaught ? `caught after ${asked}` : 'MISSED'
  console.log(
    `${verdict}: ${bug.name}${found ? ` (seed ${found.seed}, role ${found.role}: ${found.what.slice(0, 120)})` : ''}`,
  )
}
console.log(`${bugs.length - missed} of ${bugs.length} caught`)
process.exit(missed === 0 ? 0 : 1)
