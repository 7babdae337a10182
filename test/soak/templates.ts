/** `npm run soak -- templates [COUNT] [SEED]`: random transforms of random payloads (20,000). */
import { fuzzTemplates } from '../fuzz/fuzz-templates.ts'

const count = Number(process.argv[2] ?? 20_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
console.log(`${count} transforms, from seed ${seed} on`)
const { refused, failed, applied, largest, slowest } = fuzzTemplates(seed, count)
console.log(
  `${applied} applied, ${failed} ended in errors, ${refused} did not parse; the largest body has ${largest} characters, ` +
    `the slowest took ${slowest.toFixed(0)} ms of CPU`,
)
