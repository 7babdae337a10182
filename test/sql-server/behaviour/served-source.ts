/** An engine with a source on SQL Server: the server of SVC_TEST_MSSQL_URL (everything in its schema svc_test is dropped), or the double. */
import { type Engine, type EngineOptions, startEngine } from '../../engine.ts'
import { openSqlServerDouble, type SqlServerDouble } from '../sql-server-double.ts'

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export interface ServedSource {
  readonly engine: Engine
  /** Null where a real server is tested. */
  readonly double: SqlServerDouble | null
  runSql(sql: string): Promise<void>
  /** The text of an answer of /v1/graphql. */
  graphql(query: string): Promise<string>
}

/** Runs `setup` and tracks the tables of dbo that it names. */
export async function serveSource(
  t: WithAfter,
  setup: readonly string[],
  tables: readonly string[],
  settings: object = {},
  options: EngineOptions = {},
): Promise<ServedSource> {
  const double = process.env.SVC_TEST_MSSQL_URL === undefined ? await openSqlServerDouble({ isStrict: true }) : null
  const connection_string = process.env.SVC_TEST_MSSQL_URL ?? double?.connectionString
  const engine = await startEngine(options, t)
  t.after(async () => void (await double?.stop()))
  const metadata = async (type: string, args: unknown) => {
    const { status, text } = await engine.metadata(type, args)
    if (status !== 200) throw new Error(`${type}: ${text}`)
  }
  await metadata('mssql_add_source', {
    name: 'ms',
    configuration: { connection_info: { connection_string, ...settings } },
  })
  const runSql = async (sql: string) => {
    const { status, text } = await engine.post('/v2/query', { type: 'mssql_run_sql', args: { source: 'ms', sql } })
    if (status !== 200) throw new Error(`${sql}: ${text}`)
  }
  for (const sql of setup) await runSql(sql)
  await metadata('mssql_track_tables', { tables: tables.map((table) => ({ source: 'ms', table })) })
  return { engine, double, runSql, graphql: async (query) => (await engine.post('/v1/graphql', { query })).text }
}
