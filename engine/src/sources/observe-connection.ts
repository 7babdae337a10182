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

/** Returns a connection that reports what requests send over it and how long that took, while spans are recorded. */
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
  const { runWrites, runSql } = connection
  return {
    ...unobserved(connection),
    connections: () => connection.connections(),
    ping: () => connection.ping(),
    introspect: (previous, only) => connection.introspect(previous, only),
    explain: (sql) => connection.explain(sql),
    rest: () => connection.rest(),
    close: () => connection.close(),
    query(plan, ...others) {
      const run = () => connection.query(plan, ...others)
      return isRecorded() ? timed([plan.text], run) : run()
    },
    queryRows(plan, ...others) {
      const run = () => connection.queryRows(plan, ...others)
      return isRecorded() ? timed([plan.text], run) : run()
    },
    ...(runWrites && {
      runWrites: (programs, options) => {
        if (!isRecorded()) return runWrites.call(connection, programs, options)
        const statements = programs.flatMap((program) => program.statements.map(({ plan }) => plan.text))
        return timed(statements, () => runWrites.call(connection, programs, options))
      },
    }),
    ...(runSql && {
      runSql: (script, path, inspect) => {
        const run = () => runSql.call(connection, script, path, inspect)
        return isRecorded() ? timed([script.sql], run) : run()
      },
    }),
  }
}

type Part = {
  [K in keyof SourceConnection]-?: object extends Pick<SourceConnection, K> ? K : never
}[keyof SourceConnection]

/** The parts that are passed on as they are: a new one does not compile before it stands here. */
const passedOn: Readonly<Record<Exclude<Part, 'runWrites' | 'runSql'>, true>> = {
  openTransaction: true,
  events: true,
  replication: true,
  check: true,
  readEnum: true,
  readFunctions: true,
  readTrackables: true,
  readTypes: true,
  checkQueries: true,
  dryRun: true,
  inspectDatabase: true,
}

function unobserved(connection: SourceConnection): Partial<SourceConnection> {
  const parts = (Object.keys(passedOn) as (keyof typeof passedOn)[]).flatMap((key) => {
    const part = connection[key]
    if (part === undefined) return []
    return [[key, part instanceof Function ? part.bind(connection) : part] as const]
  })
  return Object.fromEntries(parts)
}
