/**
 * `npm run soak -- websocket-fuzz [COUNT] [SEED]`: that many mutated messages and frames over websockets (10,000). The short
 * form is test/fuzz/websocket-fuzz.test.ts.
 */
import { runWebsocketFuzz } from '../fuzz/run-websocket-fuzz.ts'
import { startWebsocketEngine } from '../fuzz/websocket-database.ts'

const count = Number(process.argv[2] ?? 10_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const { engine, database } = await startWebsocketEngine()
console.log(`${count} mutated messages and frames, from seed ${seed} on`)
const { sent, answered, found } = await runWebsocketFuzz(engine, { seed, count })
console.log(found === null ? `${sent} sent, ${answered} answered` : `BROKEN: ${found}`)
await engine.stop()
await database.drop()
process.exit(found === null ? 0 : 1)
