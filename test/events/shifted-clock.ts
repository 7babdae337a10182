/**
 * A clock that is moved while engines run: of a database, where `now()` and `clock_timestamp()` come from a schema that
 * lies before pg_catalog in the search path, and of engines, which read how far it is off from a file
 * (shift-dates.ts, loaded into them).
 */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runOnDatabase } from '../admin/run-on-database.ts'

export interface ShiftedClock {
  /** Milliseconds since 1970, as database and engines see it. */
  now(): number
  /** Moves it at once, also back. */
  move(milliseconds: number): Promise<void>
  /** For engines. */
  readonly env: Readonly<Record<string, string>>
  close(): void
}

/** `databaseUrl`: of a database that no engine uses yet. `start`: what time it is. */
export async function shiftClock(databaseUrl: string, start: number): Promise<ShiftedClock> {
  let offset = start - Date.now()
  const directory = mkdtempSync(join(tmpdir(), 'svc-clock-'))
  const file = join(directory, 'offset')
  const write = () => {
    writeFileSync(`${file}.new`, String(offset))
    renameSync(`${file}.new`, file)
  }
  write()
  const database = new URL(databaseUrl).pathname.slice(1)
  await runOnDatabase(
    databaseUrl,
    `CREATE SCHEMA shifted;
     CREATE TABLE shifted.clock (milliseconds bigint);
     INSERT INTO shifted.clock VALUES (${offset});
     CREATE FUNCTION shifted.now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
       SELECT pg_catalog.now() + (SELECT milliseconds FROM shifted.clock) * interval '1 millisecond' $$;
     CREATE FUNCTION shifted.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
       SELECT pg_catalog.clock_timestamp() + (SELECT milliseconds FROM shifted.clock) * interval '1 millisecond' $$;
     ALTER DATABASE ${database} SET search_path = shifted, public, pg_catalog`,
  )
  return {
    now: () => Date.now() + offset,
    async move(milliseconds) {
      offset += milliseconds
      write()
      await runOnDatabase(databaseUrl, `UPDATE shifted.clock SET milliseconds = ${offset}`)
    },
    env: {
      SVC_TEST_CLOCK: file,
      NODE_OPTIONS: `--import=${new URL('./shift-dates.ts', import.meta.url).href}`,
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  }
}
