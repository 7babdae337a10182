/** `npm run soak -- events [CHANGES]`: 200,000 changes through kills, crashes of the database and a failing receiver. */
import { loseNothing } from '../events/lose-nothing.ts'

const losses = await loseNothing({
  changes: Number(process.argv[2] ?? 200_000),
  clients: 8,
  killEvery: 4000,
  mostKills: Number.POSITIVE_INFINITY,
  restarts: 2,
  failing: 0.1,
  progress: ({ committed, delivered, kills }) => {
    if (Math.random() < 0.2) console.log(`${committed} committed, ${delivered} delivered, ${kills} kills`)
  },
})
console.log(
  `${losses.committed} changes were committed, all of them delivered, none invented; ${losses.kills} engines killed, ` +
    `${losses.restarts} crashes of the database, ${losses.duplicates} delivered more than once; ` +
    `the last one ${losses.secondsAfterLastCommit.toFixed(1)} s after the last commit`,
)
