/**
 * `npm run soak -- metadata [OPERATIONS] [SEED]`: random operations on metadata against a plain model (20,000), a new
 * engine on the same catalogue every 100 requests. The short form is test/metadata-fuzz/metadata-fuzz.test.ts.
 */
import { runMetadataFuzz } from '../metadata-fuzz/run-metadata-fuzz.ts'

const operations = Number(process.argv[2] ?? 20_000)
const first = Number(process.argv[3] ?? Date.now() % 1_000_000)
/** Each piece begins with empty metadata. */
const piece = 2_000
const started = performance.now()
for (let done = 0, seed = first; done < operations; done += piece, seed++) {
  const tally = await runMetadataFuzz({
    seed,
    operations: Math.min(piece, operations - done),
    restartEvery: 100,
    ...(process.env.SVC_FUZZ_GO_ON && {
      onDifference: (error: Error) => console.log(`DIFFERENCE ${error.message.slice(0, 2500)}\n----`),
    }),
  })
  console.log(`seed ${seed}, ${Math.round((performance.now() - started) / 1000)} s: ${JSON.stringify(tally)}`)
}
process.exit(0)
