import { startEngine } from '../engine.ts'
import { type Course, type Difference, runDifferential } from './run-differential.ts'
import type { SeededBug } from './seeded-bugs.ts'
import { createWorldDatabase } from './world-database.ts'

export interface Caught {
  /** The first answer that the oracle calls wrong; null: it took them all. */
  readonly found: Difference | null
  /** After so many queries. */
  readonly asked: number
}

/**
 * Queries an engine with a bug until an answer is wrong. An error, which anyone would notice, is passed over; the last
 * one is named where there is nothing else. Throws where the bug has no place.
 */
export async function catchBug({ name }: SeededBug, course: Course): Promise<Caught> {
  const database = await createWorldDatabase()
  const hooks = new URL('./seed-bug.ts', import.meta.url).href
  const env = { TEST_SEEDED_BUG: name, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${hooks}` }
  const engine = await startEngine({ databaseUrl: database.url, env })
  try {
    let last: Difference | null = null
    for (let left = course.queries, { seed } = course; left > 0; ) {
      const { compared, found } = await runDifferential(engine, { ...course, seed, queries: left })
      left -= compared
      if (!found || isWrongAnswer(found)) return { found: found ?? last, asked: course.queries - left }
      last = found
      seed = found.seed + 1
    }
    return { found: last, asked: course.queries }
  } finally {
    await engine.stop()
    await database.drop()
  }
}

/** A wrong answer, rather than an error that anyone would notice. */
export const isWrongAnswer = ({ what }: Difference): boolean => !/^\d/.test(what)
