import pg from 'pg'
import { seededRandom } from '../admin/random.ts'
import { metadataOf, sqlOf } from '../differential/install-world.ts'
import { ADMIN, viewOf } from '../differential/oracle-view.ts'
import { type PrintedQuery, printQuery } from '../differential/print-query.ts'
import { randomQuery } from '../differential/random-query.ts'
import { randomSession } from '../differential/random-session.ts'
import { randomWorld } from '../differential/random-world.ts'
import type { Engine } from '../engine.ts'
import { introspectionQueries } from './introspection-queries.ts'
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
  // a LIKE pattern that ends in its escape
  'bad-request',
  'not-supported',
])

/**
 * Sends `count` queries with mutated tokens and variables, some to be explained; each must be answered or refused as a
 * mistake. Ends at the first that is neither, and reports it.
 */
export async function runFuzz(
  engine: Engine,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<FuzzTally & { readonly found: string | null }> {
  const client = new pg.Client({ connectionString: engine.databaseUrl })
  await client.connect()
  const tally: FuzzTally = { answered: 0, refused: 0 }
  const session = randomSession(seededRandom(seed))
  try {
    for (let at = seed; tally.answered + tally.refused < count; at++) {
      const random = seededRandom(at)
      const world = randomWorld(random)
      await client.query(sqlOf(world))
      await engine.metadata('clear_metadata', {})
      await engine.metadata('replace_metadata', metadataOf(world, engine.databaseUrl))
      const queries = ['both', 'user', ADMIN].flatMap((role) => {
        const asker = { world, session, view: viewOf(world, role, session), stringify: false }
        const asked = Array.from({ length: 15 }, () => random.chance(0.2)).flatMap((relay) => {
          const roots = randomQuery(asker, random, relay)
          return roots ? [{ role, relay, printed: printQuery(world, roots, random) }] : []
        })
        const relay = random.chance(0.3)
        return [...asked, ...introspectionQueries(world).map((printed) => ({ role, relay, printed }))]
      })
      for (let i = 0; i < 150 && tally.answered + tally.refused < count; i++) {
        const { role, relay, printed } = random.pick(queries)
        const query: PrintedQuery = {
          query: mutateQuery(random, printed.query, random.pick(queries).printed.query),
          variables: random.chance(0.5) ? mutateVariables(random, printed.variables) : printed.variables,
        }
        const ask = random.chance(0.1) ? explain : send
        const { outcome, text } = await ask(engine, query, relay, { 'x-svc-role': role, ...session })
        if (outcome !== 'broken') tally[outcome]++
        else return { ...tally, found: `seed ${at}, role ${role}, ${ask.name}: ${JSON.stringify(query)}\n${text}` }
      }
    }
    return { ...tally, found: null }
  } finally {
    await client.end()
  }
}

interface Reported {
  readonly outcome: 'answered' | 'refused' | 'broken'
  readonly text: string
}

type Session = Readonly<Record<string, string>>

async function send(engine: Engine, query: PrintedQuery, relay: boolean, session: Session): Promise<Reported> {
  const { status, body, text } = await engine.post(relay ? '/v1beta1/relay' : '/v1/graphql', query, session)
  if (status !== 200) return { outcome: 'broken', text: `${status} ${text}` }
  return { outcome: outcomeOf(Boolean(body?.data), body?.errors?.[0]?.extensions?.code), text }
}

/** Here values stand in the statement's text. */
async function explain(engine: Engine, query: PrintedQuery, relay: boolean, session: Session): Promise<Reported> {
  const { status, body, text } = await engine.post('/v1/graphql/explain', { query, user: session, is_relay: relay })
  return { outcome: outcomeOf(status === 200, status === 400 ? body?.code : undefined), text: `${status} ${text}` }
}

function outcomeOf(isAnswered: boolean, code: string | undefined): Reported['outcome'] {
  if (isAnswered) return 'answered'
  return code !== undefined && mistakes.has(code) ? 'refused' : 'broken'
}
