/**
 * `npm run soak -- remote-subsets [COUNT] [SEED]`: that many documents (10,000) of roles that have random parts of random
 * remote schemas; nothing that they lack is answered. The short form is test/security/remote-subsets.test.ts.
 */
import { startEngine } from '../engine.ts'
import { runRemoteSubsets } from '../security/run-remote-subsets.ts'

const count = Number(process.argv[2] ?? 10_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const engine = await startEngine({ env: { SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true' } })
const { compared, cut, found } = await runRemoteSubsets(engine, seed, count)
console.log(
  found === null
    ? `${compared} compared from seed ${seed} on, ${cut} cut: none differs`
    : `DIFFERS:\n${JSON.stringify(found, null, 1)}`,
)
await engine.stop()
process.exit(found === null ? 0 : 1)
