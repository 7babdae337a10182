import pg from 'pg'
import { type Random, seededRandom } from '../admin/random.ts'
import type { Engine } from '../engine.ts'
import { difference } from './expected.ts'
import { metadataOf, sqlOf } from './install-world.ts'
import { Ambiguous, Oracle } from './oracle.ts'
import { ADMIN, type Session, viewOf } from './oracle-view.ts'
import { type PrintedQuery, printQuery } from './print-query.ts'
import type { Root } from './query.ts'
import { QueryGenerator } from './random-query.ts'
import { randomWorld } from './random-world.ts'
import type { World } from './world.ts'

export interface Tally {
  /** Queries whose answers were compared. */
  readonly compared: number
  /** Those whose answer hangs on which of several equal rows the database takes. */
  readonly ambiguous: number
}

export interface Difference extends PrintedQuery {
  readonly seed: number
  readonly role: string
  readonly session: Session
  readonly what: string
}

type Found = Omit<Difference, 'seed'>
type Counts = { -readonly [K in keyof Tally]: Tally[K] }

export interface Course {
  readonly seed: number
  readonly queries: number
  readonly perWorld: number
}

/**
 * Asks random queries in random worlds and compares each answer with the oracle's. Ends at the first one that differs.
 * The engine's database is made anew for each world.
 */
export async function runDifferential(
  engine: Engine,
  { seed, queries, perWorld }: Course,
): Promise<Tally & { readonly found: Difference | null }> {
  const client = new pg.Client({ connectionString: engine.databaseUrl })
  client.on('notice', () => {})
  await client.connect()
  const tally = { compared: 0, ambiguous: 0 }
  try {
    for (let at = seed; tally.compared < queries; at++) {
      const random = seededRandom(at)
      const world = randomWorld(random)
      await client.query(sqlOf(world))
      await install(engine, world)
      for (let i = 0; i < perWorld && tally.compared < queries; i++) {
        const found = await compareOne(engine, world, random, tally)
        if (found) return { ...tally, found: { seed: at, ...found } }
      }
    }
    return { ...tally, found: null }
  } finally {
    await client.end()
  }
}

async function install(engine: Engine, world: World): Promise<void> {
  const metadata = metadataOf(world, engine.databaseUrl)
  const cleared = await engine.metadata('clear_metadata', {})
  const answer = await engine.metadata(
    'replace_metadata',
    { allow_inconsistent_metadata: true, metadata },
    { version: 2 },
  )
  const { status, body } = answer
  const broken = body.inconsistent_objects ?? []
  if (cleared.status !== 200 || status !== 200 || broken.length > 0) throw new Error(`no such world: ${answer.text}`)
}

interface Asked {
  readonly role: string
  readonly session: Session
  readonly roots: readonly Root[]
  readonly printed: PrintedQuery
}

/** A query, now and then the same for the admin or another session too: plans are kept by text and role. */
async function compareOne(engine: Engine, world: World, random: Random, tally: Counts): Promise<Found | null> {
  const role = random.pick([ADMIN, 'user', 'editor', 'guest', 'both', 'both', 'nested'])
  const session = randomSession(random)
  const roots = new QueryGenerator(world, viewOf(world, role, session), random).query()
  if (!roots) return null
  const asked: Asked = { role, session, roots, printed: printQuery(world, roots, random) }
  const found = await ask(engine, world, asked, tally)
  if (found || random.chance(0.8)) return found
  return ask(engine, world, { ...asked, role: random.pick([role, ADMIN]), session: randomSession(random) }, tally)
}

const randomSession = (random: Random): Session => ({
  'x-svc-user-id': String(random.below(5)),
  'x-svc-word': random.pick(['bee', 'cat', 'eel']),
  'x-svc-ids': random.pick(['{1,2}', '{0,3,4}', '{5}']),
})

async function ask(
  engine: Engine,
  world: World,
  { role, session, roots, printed }: Asked,
  tally: Counts,
): Promise<Found | null> {
  const expected = expectedOf(() => new Oracle(world, viewOf(world, role, session), session).answer(roots))
  if (!expected) {
    tally.ambiguous++
    return null
  }
  tally.compared++
  const { status, text, body } = await engine.post('/v1/graphql', printed, { 'x-svc-role': role, ...session })
  const what = body?.data ? difference(body.data, expected) : `${status} ${text}`
  return what === null ? null : { ...printed, role, session, what }
}

function expectedOf<T>(answer: () => T): T | null {
  try {
    return answer()
  } catch (error) {
    if (error instanceof Ambiguous) return null
    throw error
  }
}

export const shownDifference = ({ seed, role, session, query, variables, what }: Difference): string =>
  `seed ${seed}, role ${role}, session ${JSON.stringify(session)}\n${query}\n${JSON.stringify(variables)}\n${what}`
