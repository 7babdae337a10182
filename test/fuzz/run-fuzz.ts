import pg from 'pg'
import { seededRandom } from '../admin/random.ts'
import { metadataOf, sqlOf } from '../differential/install-world.ts'
import { ADMIN, viewOf } from '../differential/oracle-view.ts'
import { type PrintedQuery, printQuery } from '../differential/print-query.ts'
import { QueryGenerator } from '../differential/random-query.ts'
import { randomWorld } from '../differential/random-world.ts'
import type { Engine } from '../engine.ts'
import { mutateQuery, mutateVariables } from './mutate-query.ts'

export interface FuzzTally {
  answered: number
  refused: number
}

/** What a query may be refused with: the user's mistakes, and what the database says of values. */
const mistakes: ReadonlySet<string> = new Set([
  'validation-failed',
  'parse-failed',
  'unexpected-payload',
  'data-exception',
  'not-supported',
])

/**
 * Sends `count` queries with mutated tokens and variables; each must be answered or refused as a mistake. Ends at the
 * first that is neither, and tells it.
 */
export async function runFuzz(
  engine: Engine,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<FuzzTally & { readonly found: string | null }> {
  const client = new pg.Client({ connectionString: engine.databaseUrl })
  await client.connect()
  const tally: FuzzTally = { answered: 0, refused: 0 }
  const session = { 'x-svc-user-id': '1', 'x-svc-word': 'bee', 'x-svc-ids': '{1,2}' }
  try {
    for (let at = seed; tally.answered + tally.refused < count; at++) {
      const random = seededRandom(at)
      const world = randomWorld(random)
      await client.query(sqlOf(world))
      await engine.metadata('clear_metadata', {})
      await engine.metadata('replace_metadata', metadataOf(world, engine.databaseUrl))
      const queries = ['both', 'user', ADMIN].flatMap((role) => {
        const generator = new QueryGenerator(world, viewOf(world, role, session), random)
        return Array.from({ length: 15 }, () => generator.query()).flatMap((roots) =>
          roots ? [{ role, printed: printQuery(world, roots, random) }] : [],
        )
      })
      for (let i = 0; i < 150 && tally.answered + tally.refused < count; i++) {
        const { role, printed } = random.pick(queries)
        const query: PrintedQuery = {
          query: mutateQuery(random, printed.query, random.pick(queries).printed.query),
          variables: random.chance(0.5) ? mutateVariables(random, printed.variables) : printed.variables,
        }
        const { status, body, text } = await engine.post('/v1/graphql', query, { 'x-svc-role': role, ...session })
        const code = body?.errors?.[0]?.extensions?.code
        if (status === 200 && (body?.data || mistakes.has(code))) tally[body?.data ? 'answered' : 'refused']++
        else return { ...tally, found: `seed ${at}, role ${role}: ${JSON.stringify(query)}\n${status} ${text}` }
      }
    }
    return { ...tally, found: null }
  } finally {
    await client.end()
  }
}
