import type { Backend, SourceConnection } from '../backends/index.ts'
import { ApiError } from '../errors.ts'
import type { Observation } from '../observe/index.ts'
import { isRecorded } from '../tracing/index.ts'

/** Whose statements are reported, and to whom. */
export interface Observed {
  /** As spans name it. */
  readonly source: string
  readonly backend: Pick<Backend, 'system'>
  readonly report: (observation: Observation) => void
}

/** A connection that reports what requests ask of it and how long that took, while spans are kept. */
export function observeConnection(
  connection: SourceConnection,
  { source, backend: { system }, report }: Observed,
): SourceConnection {
  const timed = async <Result>(statements: readonly string[], run: () => Promise<Result>): Promise<Result> => {
    const started = performance.now()
    const done = (error: string | null) => {
      const milliseconds = performance.now() - started
      report({ kind: 'statement-executed', source, system, statements, milliseconds, error })
    }
    try {
      const result = await run()
      done(null)
      return result
    } catch (error) {
      done(error instanceof ApiError ? error.code : 'unexpected')
      throw error
    }
  }
  const observe = <Result>(statements: () => readonly string[], run: () => Promise<Result>): Promise<Result> =>
    isRecorded() ? timed(statements(), run) : run()
  const { runWrites, runSql, openTransaction, events, replication, check } = connection
  const { readEnum, readFunctions, readTypes, checkQueries, dryRun, inspectDatabase } = connection
  return {
    connections: () => connection.connections(),
    ping: () => connection.ping(),
    introspect: (previous, only) => connection.introspect(previous, only),
    explain: (sql) => connection.explain(sql),
    rest: () => connection.rest(),
    close: () => connection.close(),
    query(plan, parameters, signal, most, caller) {
      const run = () => connection.query(plan, parameters, signal, most, caller)
      return isRecorded() ? timed([plan.text], run) : run()
    },
    queryRows(plan, parameters, signal) {
      const run = () => connection.queryRows(plan, parameters, signal)
      return isRecorded() ? timed([plan.text], run) : run()
    },
    ...(runWrites && {
      runWrites: (programs, options) =>
        observe(
          () => programs.flatMap(({ statements }) => statements.map(({ plan }) => plan.text)),
          () => runWrites.call(connection, programs, options),
        ),
    }),
    ...(runSql && {
      runSql: (script, path, inspect) =>
        observe(
          () => [script.sql],
          () => runSql.call(connection, script, path, inspect),
        ),
    }),
    ...(openTransaction && { openTransaction: openTransaction.bind(connection) }),
    ...(events && { events }),
    ...(replication && { replication: replication.bind(connection) }),
    ...(check && { check: check.bind(connection) }),
    ...(readEnum && { readEnum: readEnum.bind(connection) }),
    ...(readFunctions && { readFunctions: readFunctions.bind(connection) }),
    ...(readTypes && { readTypes: readTypes.bind(connection) }),
    ...(checkQueries && { checkQueries: checkQueries.bind(connection) }),
    ...(dryRun && { dryRun: dryRun.bind(connection) }),
    ...(inspectDatabase && { inspectDatabase: inspectDatabase.bind(connection) }),
  }
}
