/**
 * `npm run soak -- sessions [ROUNDS] [SEED]`: sessions of several roles ask the same questions over all transports for that many
 * rounds of changes (300), the database restarts in one of ten; each answer is compared with an oracle. The short form is
 * test/sessions/sessions.test.ts.
 */
import { runSessions } from '../sessions/run-sessions.ts'

const rounds = Number(process.argv[2] ?? 300)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
console.log(`${rounds} rounds, seed ${seed}`)
const { compared, wrong } = await runSessions({ rounds, load: 8, seed, restarts: Math.floor(rounds / 10) })
console.log(`compared: ${JSON.stringify(compared)}`)
for (const one of wrong) console.log(`WRONG: ${one}`)
process.exit(wrong.length > 0 ? 1 : 0)
