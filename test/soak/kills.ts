/** `npm run soak -- kills [ROUNDS]`: 500 engines killed at moments spread over a bulk; takes a quarter of an hour. */
import assert from 'node:assert/strict'
import { killInsideBulks } from '../serving/kill-inside-bulks.ts'

const rounds = Number(process.argv[2] ?? 500)
const tables = 200
const counts = await killInsideBulks(rounds, tables, ({ before, after }) => {
  if ((before + after) % 50 === 0) console.log(`${before + after} kills: ${before} before, ${after} after`)
})
const { before, after, answered, storedUnanswered, bulkMilliseconds } = counts
console.log(
  `a bulk of ${2 * tables} objects takes ${bulkMilliseconds.toFixed(0)} ms; ${rounds} engines were killed inside or after one`,
)
console.log(
  `${before} restarts found the document before it, ${after} the one after (${answered} of them had been answered, ${storedUnanswered} not), none anything between`,
)
assert.ok(before >= rounds / 5 && after >= rounds / 5, 'the kills were not spread over both sides of the commit')
