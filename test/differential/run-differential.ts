import pg from 'pg'
import { type Random, seededRandom } from '../admin/random.ts'
import type { Engine } from '../engine.ts'
import { difference } from './expected.ts'
import { metadataOf, sqlOf } from './install-world.ts'
import { answer } from './oracle.ts'
import { mayAsk } from './oracle-may-ask.ts'
import { Ambiguous } from './oracle-values.ts'
import { ADMIN, type Asker, type Session, viewOf } from './oracle-view.ts'
import { type PrintedQuery, printInVariables, printQuery } from './print-query.ts'
import type { Root } from './query.ts'
import { randomQuery, withOtherArguments } from './random-query.ts'
import { randomSession, randomSpoilt, type Spoilt } from './random-session.ts'
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
  /** The engine was configured to show large and exact numbers as text. */
  readonly stringify?: boolean
}

/**
 * Asks random queries in random worlds and compares each answer with the oracle's. Ends at the first one that differs.
 * The engine's database is made anew for each world.
 */
export async function runDifferential(
  engine: Engine,
  { seed, queries, perWorld, stringify = false }: Course,
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
      for (let i = 0; i < perWorld && tally.compared < queries; i += atOnce) {
        const asked = Array.from({ length: Math.min(atOnce, perWorld - i) }, () =>
          randomAsked({ world, stringify }, random),
        )
        const all = await Promise.all(asked.map((list) => askInTurn(engine, { world, stringify }, list, tally)))
        const found = all.find((one) => one !== null)
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

/** So many are asked at a time: answers of one must not come to another. */
const atOnce = 5

/** What does not change from query to query. */
type Setting = Pick<Asker, 'world' | 'stringify'>

interface AskedQuery {
  readonly role: string
  readonly session: Session
  readonly relay: boolean
  readonly roots: readonly Root[]
  readonly printed: PrintedQuery
  /** It must answer as if it were not, or say so. */
  readonly spoilt?: Spoilt
}

const roles = [ADMIN, 'user', 'editor', 'guest', 'both', 'both', 'nested']

/**
 * A query, now and then the same for another role or session too: plans are kept by text and role, and other roles may
 * see less.
 */
function randomAsked(setting: Setting, random: Random): readonly AskedQuery[] {
  const role = random.pick(roles)
  const session = randomSession(random)
  const relay = random.chance(0.25)
  const roots = randomQuery(askerOf(setting, role, session), random, relay)
  if (!roots) return []
  if (random.chance(0.15)) return randomVariants(setting, { role, session, relay, roots }, random)
  const asked: AskedQuery = { role, session, relay, roots, printed: printQuery(setting.world, roots, random) }
  if (random.chance(0.06)) return [asked, { ...asked, spoilt: randomSpoilt(random) }]
  if (random.chance(0.7)) return [asked]
  return [asked, { ...asked, role: random.pick([role, ADMIN, ...roles]), session: randomSession(random) }]
}

/** One text with different variables: plans of a text differ by what the planner had to know of them. */
function randomVariants(setting: Setting, asked: Omit<AskedQuery, 'printed'>, random: Random): readonly AskedQuery[] {
  const { role, session, relay } = asked
  const seed = random.below(1000)
  const variants: AskedQuery[] = []
  for (let { roots } = asked; variants.length < 4; ) {
    variants.push({ ...asked, roots, printed: printInVariables(setting.world, roots, random, seed) })
    roots = withOtherArguments(askerOf(setting, role, session), random, relay, roots)
  }
  return variants
}

const askerOf = (setting: Setting, role: string, session: Session): Asker => ({
  ...setting,
  session,
  view: viewOf(setting.world, role, session),
})

/** What was asked first may have left a plan for what comes after it. */
async function askInTurn(
  engine: Engine,
  setting: Setting,
  list: readonly AskedQuery[],
  tally: Counts,
): Promise<Found | null> {
  for (const one of list) {
    const found = await ask(engine, setting, one, tally)
    if (found) return found
  }
  return null
}

async function ask(
  engine: Engine,
  setting: Setting,
  { role, session, relay, roots, printed, spoilt }: AskedQuery,
  tally: Counts,
): Promise<Found | null> {
  const asker = askerOf(setting, role, session)
  const expected = expectedOf(() => (mayAsk(asker, roots) ? answer(asker, roots) : 'refused'))
  if (!expected) {
    tally.ambiguous++
    return null
  }
  tally.compared++
  const path = relay ? '/v1beta1/relay' : '/v1/graphql'
  const headers = { 'x-svc-role': role, ...session, ...(spoilt && { [spoilt.variable]: spoilt.value }) }
  const { status, text, body } = await engine.post(path, printed, headers)
  if (spoilt?.codes.includes(body?.errors?.[0]?.extensions?.code)) return null
  const what =
    expected === 'refused' ? refusal(body, text) : body?.data ? difference(body.data, expected) : `${status} ${text}`
  const wrong = what ?? (expected !== 'refused' && tally.compared % explainedOf === 0 ? await explained() : null)
  return wrong === null ? null : { ...printed, role, session, what: wrong }

  /** Every valid query has plans, whatever it asks for. */
  async function explained(): Promise<string | null> {
    const asked = { query: printed, user: { 'x-svc-role': role, ...session }, is_relay: relay }
    const { status, text, body } = await engine.post('/v1/graphql/explain', asked)
    const isWhole = status === 200 && body.every((one: { plan: unknown; sql: unknown }) => !one.sql === !one.plan)
    return isWhole ? null : `explain: ${status} ${text}`
  }
}

/** Of so many queries one is explained as well. */
const explainedOf = 10

/** A query that names what the role's schema lacks is wrong; nothing of it is answered. */
function refusal(
  body: { readonly errors?: readonly { readonly extensions?: { readonly code?: unknown } }[] },
  text: string,
): string | null {
  const code = body?.errors?.[0]?.extensions?.code
  return code === 'validation-failed' && !('data' in body) ? null : `is answered: ${text}`
}

function expectedOf<T>(compute: () => T): T | null {
  try {
    return compute()
  } catch (error) {
    if (error instanceof Ambiguous) return null
    throw error
  }
}

export const shownDifference = ({ seed, role, session, query, variables, what }: Difference): string =>
  `seed ${seed}, role ${role}, session ${JSON.stringify(session)}\n${query}\n${JSON.stringify(variables)}\n${what}`
