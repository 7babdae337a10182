/**
 * `npm run bench -- metadata [ROUNDS]`: medians of one metadata operation at 100 and at 2,000 tracked tables, over HTTP,
 * against a real engine on the embedded PostgreSQL. The goal: at most 10 ms at 2,000, at most 1.5 times that at 100.
 */

import pg from 'pg'
import { type Engine, startEngine } from '../../test/engine.ts'
import { createTestDatabase } from '../../test/postgres.ts'

const rounds = Number(process.argv[2] ?? 60)
const sizes = [100, 2000] as const

interface Step {
  readonly name: string
  readonly type: string
  readonly args: unknown
}

/** What is created and removed in a round, always on another table; `t0` is referenced by all others. */
function steps(table: string): readonly Step[] {
  const using = { foreign_key_constraint_on: 'parent_id' }
  const permission = { columns: ['id', 'name'], filter: { id: { _eq: 'X-Svc-User-Id' } } }
  const fresh = `u${table.slice(1)}`
  return [
    { name: 'create permission', type: 'pg_create_select_permission', args: { table, role: 'bench', permission } },
    { name: 'drop permission', type: 'pg_drop_select_permission', args: { table, role: 'bench' } },
    { name: 'create relationship', type: 'pg_create_object_relationship', args: { table, name: 'bench', using } },
    { name: 'drop relationship', type: 'pg_drop_relationship', args: { table, relationship: 'bench' } },
    { name: 'track table', type: 'pg_track_table', args: { table: fresh } },
    { name: 'untrack table', type: 'pg_untrack_table', args: { table: fresh } },
  ]
}

type Times = Map<string, number[]>

async function measure(engine: Engine, times: Times, name: string, type: string, args: unknown, more = {}) {
  const started = performance.now()
  const answer = await engine.metadata(type, args, more)
  const milliseconds = performance.now() - started
  if (answer.status !== 200) throw new Error(`${type}: ${answer.text}`)
  times.set(name, [...(times.get(name) ?? []), milliseconds])
}

/** Both sizes take turns, so that whatever else the machine does falls on both. */
async function measureAll(engines: readonly Engine[]): Promise<readonly ReadonlyMap<string, number>[]> {
  const all = engines.map((): Times => new Map())
  for (let round = 0; round < rounds + warmUp; round++)
    for (const [i, engine] of engines.entries()) {
      const times = round < warmUp ? new Map() : (all[i] ?? new Map())
      const ofRound = steps(`t${(round % 99) + 1}`)
      for (const { name, type, args } of ofRound) await measure(engine, times, name, type, args)
      const four = ofRound.slice(0, 4).map(({ type, args }) => ({ type, args }))
      const ten = [...four, ...four, ...four.slice(0, 2)]
      await measure(engine, times, 'dry run of ten', 'bulk', ten, { dry_run: true })
    }
  return all.map((times) => new Map([...times].map(([name, list]) => [name, median(list)])))
}

const warmUp = 20

/** An engine with that many tracked tables, each with a foreign key, a relationship and a permission; and as many untracked. */
async function prepare(tables: number): Promise<Engine> {
  const { url } = await createTestDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const columns =
    'id int primary key, name text, parent_id int references t0 (id), created_at timestamptz, price numeric'
  await client.query(`CREATE TABLE t0 (${columns})`)
  for (let i = 1; i < tables; i++)
    await client.query(`CREATE TABLE t${i} (${columns}); CREATE TABLE u${i} (id int primary key, name text)`)
  await client.end()
  const engine = await startEngine({ databaseUrl: url })
  return declare(engine, tables)
}

async function declare(engine: Engine, tables: number): Promise<Engine> {
  const { body } = await engine.metadata('export_metadata', {})
  const [source] = body.sources
  const list = Array.from({ length: tables }, (_, i) => ({
    table: { schema: 'public', name: `t${i}` },
    object_relationships: [{ name: 'parent', using: { foreign_key_constraint_on: 'parent_id' } }],
    select_permissions: [
      { role: 'user', permission: { columns: '*', filter: { parent: { id: { _eq: 'X-Svc-User-Id' } } } } },
    ],
  }))
  const metadata = { ...body, sources: [{ ...source, tables: list }] }
  const answer = await engine.metadata('replace_metadata', metadata)
  if (answer.status !== 200) throw new Error(answer.text.slice(0, 2000))
  return engine
}

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

const engines = [await prepare(sizes[0]), await prepare(sizes[1])]
const [small = new Map(), large = new Map()] = await measureAll(engines)
for (const engine of engines) await engine.stop()
console.log(`medians of ${rounds} rounds, milliseconds`)
console.table(
  [...large].map(([operation, at2000]) => {
    const at100 = small.get(operation) ?? 0
    return {
      operation,
      '100 tables': Number(at100.toFixed(2)),
      '2,000 tables': Number(at2000.toFixed(2)),
      ratio: Number((at2000 / at100).toFixed(2)),
    }
  }),
)
process.exit(0)
