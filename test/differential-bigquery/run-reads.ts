import pg from 'pg'
import { seededRandom } from '../admin/random.ts'
import type { Emulator } from '../bigquery/emulator.ts'
import type { Engine } from '../engine.ts'
import { metadataOf, type Permissions, randomPermissions, roles, session } from './metadata.ts'
import { everyColumn, randomRead, type Visible, type Way } from './random-read.ts'
import { difference } from './same-answer.ts'
import { bigquerySql, columnNames, postgresSql, randomRows, tables } from './tables.ts'

export interface Found {
  readonly seed: number
  readonly role: string
  readonly query: string
  readonly what: string
}

/** So many reads for each restart of the emulator, with new rows and permissions. */
const perWorld = 100

const ways: readonly Way[] = [
  { root: 'bigquery', far: false },
  { root: 'bigquery', far: false },
  { root: 'bigquery', far: true },
  { root: 'postgres', far: true },
]

/** Reads at random, each from PostgreSQL alone and by another way; ends with the first `most` that differ. */
export async function runReads(
  engine: Engine,
  emulator: Emulator,
  { seed, reads, most = 1 }: { readonly seed: number; readonly reads: number; readonly most?: number },
): Promise<{ readonly compared: number; readonly found: readonly Found[] }> {
  const client = new pg.Client({ connectionString: engine.databaseUrl })
  client.on('notice', () => {})
  await client.connect()
  const found: Found[] = []
  let compared = 0
  try {
    for (let at = seed; compared < reads; at++) {
      const random = seededRandom(at)
      if (compared > 0) await emulator.restart()
      await emulator.createDataset('shop')
      for (const table of tables) {
        const rows = randomRows(random)
        await client.query(postgresSql(table, rows))
        for (const sql of bigquerySql(table, rows)) await emulator.query(sql)
      }
      const permissions = randomPermissions(random)
      await install(engine, metadataOf(engine.databaseUrl, permissions))
      for (let i = 0; i < perWorld && compared < reads; i++) {
        const role = random.pick(roles)
        const visible = visibleTo(role, permissions)
        const read = randomRead(random, visible)
        const way = random.pick(ways)
        const ask = (query: string) => engine.post('/v1/graphql', { query }, { 'x-svc-role': role, ...session })
        const expected = await ask(read({ root: 'postgres', far: false }))
        const query = read(way)
        const answer = await ask(query)
        compared += 1
        const what = expected.body?.data
          ? answer.body?.data
            ? difference(expected.body.data, answer.body.data)
            : answer.text
          : `PostgreSQL: ${expected.text}`
        if (what !== null) found.push({ seed: at, role, query, what })
        if (found.length >= most) return { compared, found }
      }
    }
    return { compared, found }
  } finally {
    await client.end()
  }
}

function visibleTo(role: string, permissions: Permissions): Visible {
  if (role === 'admin') return everyColumn
  const parents = [...permissions].flatMap(([name, of]) => (role === 'both' || role === name ? [of] : []))
  return {
    columns: (table) => columnNames.filter((name) => parents.some((of) => of.get(table)?.columns.includes(name))),
  }
}

async function install(engine: Engine, metadata: object): Promise<void> {
  await engine.metadata('clear_metadata', {})
  const { status, body, text } = await engine.metadata(
    'replace_metadata',
    { allow_inconsistent_metadata: true, metadata },
    { version: 2 },
  )
  if (status !== 200 || (body.inconsistent_objects ?? []).length > 0) throw new Error(text)
}
