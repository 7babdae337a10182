import { readFileSync } from 'node:fs'
import pg from 'pg'
import { ApiError } from '../../../errors.ts'
import type { CompiledQuery } from '../../backend.ts'
import { compileQuery } from './compile-query.ts'
import { queryOf } from './random-query.fixture.ts'
import { shopSql } from './shop.fixture.ts'

export interface PlanningCost {
  /** Of the backend's own time: on a busy machine the rest is waiting. */
  readonly milliseconds: number
  readonly megabytes: number
  readonly genes: readonly number[]
  /** Characters of the statement. */
  readonly size: number
}

/** Has the database plan so many queries that the bounds allow, each new or made of one of the worst, and gives the slowest and the largest. */
export async function searchWorstPlan(
  url: string,
  queries: number,
  random: () => number,
): Promise<{ readonly slowest: PlanningCost; readonly largest: PlanningCost }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`SET jit = off; ${shopSql}
      INSERT INTO artist SELECT n, 'artist ' || n FROM generate_series(4, 100) n;
      INSERT INTO album SELECT n, 'album ' || n, n FROM generate_series(20, 100) n;
      INSERT INTO track SELECT n, 'track ' || n, n FROM generate_series(20, 99) n; ANALYZE`)
    const { rows } = await client.query(
      "SELECT pg_backend_pid() AS pid, current_setting('server_version_num')::int AS version",
    )
    // older ones do not say how much they took
    const hasMemory = rows[0]?.version >= 170_000
    const cpu = () => cpuMilliseconds(Number(rows[0]?.pid))
    let worst: readonly PlanningCost[] = []
    let planned = 0
    while (planned < queries) {
      const genes = genesFrom(worst, random)
      const compiled = within(() => compileQuery(queryOf(genes), { stringifyNumericTypes: false }))
      if (!compiled) continue
      planned += 1
      const cost = { ...(await costOf(client, compiled, cpu, hasMemory)), genes, size: compiled.text.length }
      const slowest = [...worst, cost].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, 5)
      const largest = [...worst, cost].sort((a, b) => b.megabytes - a.megabytes).slice(0, 5)
      worst = [...new Set([...slowest, ...largest])]
    }
    const most = (by: (cost: PlanningCost) => number) => worst.reduce((a, b) => (by(b) > by(a) ? b : a))
    return { slowest: most((cost) => cost.milliseconds), largest: most((cost) => cost.megabytes) }
  } finally {
    await client.end()
  }
}

/** What is refused costs the database nothing. */
function within(compile: () => CompiledQuery): CompiledQuery | null {
  try {
    return compile()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'validation-failed') return null
    throw error
  }
}

async function costOf(client: pg.Client, { text, slots }: CompiledQuery, cpu: () => number, hasMemory: boolean) {
  const before = cpu()
  const { rows } = await client.query({
    text: `EXPLAIN (SUMMARY, ${hasMemory ? 'MEMORY, ' : ''}COSTS OFF, FORMAT JSON) ${text}`,
    values: slots.map((slot) => (slot.kind === 'constant' ? slot.text : null)),
  })
  const { Planning: planning } = rows[0]['QUERY PLAN'][0]
  return { milliseconds: cpu() - before, megabytes: (planning?.['Memory Allocated'] ?? 0) / 1024 }
}

/** With what parsing and printing take. */
function cpuMilliseconds(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
  return (user + system) * 10
}

function genesFrom(worst: readonly PlanningCost[], random: () => number): readonly number[] {
  const gene = () => Math.floor(random() * 840)
  const parent = worst[Math.floor(random() * worst.length * 1.5)]
  if (!parent) return Array.from({ length: 1 + Math.floor(random() * 60) }, gene)
  const { genes } = parent
  const at = Math.floor(random() * genes.length)
  switch (Math.floor(random() * 4)) {
    case 0:
      return genes.with(at, gene())
    case 1:
      return genes.toSpliced(at, 0, gene())
    case 2:
      return genes.length > 1 ? genes.toSpliced(at, 1) : [gene()]
    default:
      return [...genes.slice(0, at), ...genes.slice(Math.floor(random() * genes.length)), gene()]
  }
}
