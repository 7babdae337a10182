/**
 * `npm run soak -- authentication [COUNT] [SEED]`: that many requests with odd headers and mutated tokens (10,000). The short
 * form is test/fuzz/fuzz-authentication.test.ts.
 */
import { fuzzAuthentication } from '../fuzz/fuzz-authentication.ts'

const count = Number(process.argv[2] ?? 10_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
console.log(`${count} requests from seed ${seed}`)
await fuzzAuthentication(count, seed)
console.log('no session but those that the modes give, no other error')
