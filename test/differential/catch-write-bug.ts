import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { runWrites, type WritesFound } from './run-writes.ts'
import type { SeededBug } from './seeded-bugs.ts'

/** Writes to an engine with a bug until it differs from the oracle; null: it never did. */
export async function catchWriteBug({ name }: SeededBug, seed: number, count: number): Promise<WritesFound | null> {
  const database = await createTestDatabase()
  const hooks = new URL('./seed-bug.ts', import.meta.url).href
  const env = { TEST_SEEDED_BUG: name, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${hooks}` }
  const engine = await startEngine({ databaseUrl: database.url, env })
  try {
    return (await runWrites(engine, seed, count)).found
  } finally {
    await engine.stop()
    await database.drop()
  }
}
