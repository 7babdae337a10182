import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { type Course, type Difference, runDifferential } from './run-differential.ts'
import type { SeededBug } from './seeded-bugs.ts'

/** The first answer of an engine with a bug that the oracle calls wrong; null: it took them all. Throws where the bug has no place. */
export async function catchBug({ name }: SeededBug, course: Course): Promise<Difference | null> {
  const database = await createTestDatabase()
  const hooks = new URL('./seed-bug.ts', import.meta.url).href
  const env = { TEST_SEEDED_BUG: name, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${hooks}` }
  const engine = await startEngine({ databaseUrl: database.url, env })
  try {
    return (await runDifferential(engine, course)).found
  } finally {
    await engine.stop()
    await database.drop()
  }
}

/** A wrong answer, rather than an error that everybody would see. */
export const isWrongAnswer = ({ what }: Difference): boolean => !/^\d/.test(what)
