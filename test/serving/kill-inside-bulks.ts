/**
 * An engine killed (SIGKILL) at moments spread over a bulk and the time after it: whatever the moment, the next start
 * finds the document before the bulk or the one after it. Each round goes the other way when the last one went through:
 * tables are tracked with a permission each, or untracked.
 */
import assert from 'node:assert/strict'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

export interface KillCounts {
  readonly before: number
  readonly after: number
  /** Of those, answered before the kill. */
  readonly answered: number
  /** Of those after, killed before the answer: stored, but the client got no answer. */
  readonly storedUnanswered: number
  /** Median milliseconds of an undisturbed bulk. */
  readonly bulkMilliseconds: number
}

interface Stored {
  readonly document: string
  readonly resourceVersion: number
}

export async function killInsideBulks(
  rounds: number,
  tables: number,
  progress: (counts: Omit<KillCounts, 'bulkMilliseconds'>) => void = () => {},
): Promise<KillCounts> {
  const database = await createTestDatabase()
  await createTables(database.url, tables)
  const bulkMilliseconds = await measure(database.url, tables)
  let engine = await startEngine({ databaseUrl: database.url })
  try {
    let stored = await readStored(engine)
    // follows a machine that becomes faster or slower meanwhile
    let length = bulkMilliseconds
    const counts = { before: 0, after: 0, answered: 0, storedUnanswered: 0 }
    for (let round = 0; round < rounds; round++) {
      const tracked = stored.document.includes('"name":"t0"')
      // early and late moments alternate, half of them after the usual end, where an answer may be under way
      const moment = ((round % 2 === 0 ? round : rounds - round) / rounds) * 2 * length
      const answered = await killDuring(engine, tracked ? untrackAll(tables) : trackAll(tables), moment)
      await untilLeft(database.url)
      engine = await startEngine({ databaseUrl: database.url })
      const found = await readStored(engine)
      if (found.resourceVersion === stored.resourceVersion) {
        assert.equal(found.document, stored.document, 'same version, another document')
        assert.ok(!answered, 'an answered bulk is gone')
        counts.before++
        if (moment > length) length *= 1.05
      } else {
        assert.equal(found.resourceVersion, stored.resourceVersion + 1)
        checkWhole(found.document, tables, !tracked)
        await checkLog(engine, stored, tables)
        counts.after++
        if (moment < length) length *= 0.95
        if (!answered) counts.storedUnanswered++
      }
      if (answered) counts.answered++
      stored = found
      progress(counts)
    }
    return { ...counts, bulkMilliseconds }
  } finally {
    await engine.stop()
    await database.drop()
  }
}

async function createTables(url: string, tables: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const names = Array.from({ length: tables }, (_, i) => `CREATE TABLE t${i} (id integer PRIMARY KEY, owner text)`)
  await client.query(names.join(';'))
  await client.end()
}

const all = <T>(tables: number, make: (table: { schema: string; name: string }) => readonly T[]) =>
  Array.from({ length: tables }, (_, i) => make({ schema: 'public', name: `t${i}` })).flat()

const trackAll = (tables: number) =>
  all(tables, (table) => [
    { type: 'pg_track_table', args: { table } },
    {
      type: 'pg_create_select_permission',
      args: { table, role: 'user', permission: { columns: ['id'], filter: { owner: { _eq: 'X-Svc-User-Id' } } } },
    },
  ])

const untrackAll = (tables: number) =>
  all(tables, (table) => [{ type: 'pg_untrack_table', args: { table, cascade: true } }])

/** Each on an engine that has just started, as those are that will be killed. */
async function measure(databaseUrl: string, tables: number): Promise<number> {
  const times: number[] = []
  for (const members of [trackAll(tables), untrackAll(tables), trackAll(tables), untrackAll(tables)]) {
    const engine = await startEngine({ databaseUrl })
    const started = performance.now()
    assert.equal((await engine.metadata('bulk', members)).status, 200)
    times.push(performance.now() - started)
    await engine.stop()
  }
  return times.sort((a, b) => a - b)[2] ?? 0
}

async function readStored(engine: Engine): Promise<Stored> {
  const answer = await engine.metadata('export_metadata', {}, { version: 2 })
  assert.equal(answer.status, 200)
  return { document: JSON.stringify(answer.body.metadata), resourceVersion: answer.body.resource_version }
}

/** Whether the bulk was answered before the kill took effect. */
async function killDuring(engine: Engine, members: readonly unknown[], milliseconds: number): Promise<boolean> {
  const answer = engine.metadata('bulk', members).then(
    ({ status }) => {
      assert.equal(status, 200)
      return true
    },
    () => false,
  )
  setTimeout(() => engine.kill('SIGKILL'), milliseconds)
  await engine.ended
  return answer
}

async function untilLeft(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await untilAlone(client)
  await client.end()
}

/** Until the database has noticed: what reached it before the kill is stored or gone then. */
export async function untilAlone(client: pg.Client): Promise<void> {
  const others = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`
  while ((await client.query(others)).rows.length > 0);
}

function checkWhole(document: string, tables: number, tracked: boolean): void {
  const [source] = JSON.parse(document).sources as { tables: { select_permissions?: unknown[] }[] }[]
  assert.equal(source?.tables.length, tracked ? tables : 0)
  assert.ok(source?.tables.every((table) => table.select_permissions?.length === 1))
}

/** The log reports every object of the bulk, under one version. */
async function checkLog(engine: Engine, before: Stored, tables: number): Promise<void> {
  const args = { since_resource_version: before.resourceVersion }
  const { body } = await engine.metadata('get_metadata_changes', args)
  assert.equal(body.complete, true)
  assert.equal(body.changes.length, 2 * tables)
}
