/**
 * `npm run soak -- write-forms [COUNT] [SEED]`: that many random mutations (5,000) of tables of which some look at the session,
 * each done by one statement and by more, compared. The short form is test/differential/write-forms.test.ts.
 */
import { runWriteForms } from '../differential/run-write-forms.ts'
import { startEngine } from '../engine.ts'

const total = Number(process.argv[2] ?? 5_000)
const first = Number(process.argv[3] ?? Date.now() % 1_000_000)
const each = 1_000
const engine = await startEngine()
let failed = false
for (let at = 0; at < total && !failed; at += each) {
  const { done, refused, found } = await runWriteForms(engine, first + at, Math.min(each, total - at))
  console.log(
    found
      ? `DIFFERS, seed ${first + at}: ${found.what}\n${found.query}`
      : `${done} done, ${refused} refused, none differs`,
  )
  failed = found !== null
}
await engine.stop()
process.exit(failed ? 1 : 0)
