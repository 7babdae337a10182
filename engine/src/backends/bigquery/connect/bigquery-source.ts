import type { Json } from '@svc/schema'
import type { ErrorCode, Path } from '../../../errors.ts'
import type { QualifiedName } from '../../../ir/index.ts'
import { Stretches } from '../../../long-work.ts'
import { errorReport, type Observation } from '../../../observe/index.ts'
import {
  AnswerTooLarge,
  type Caller,
  type DatabaseFunction,
  type DryRun,
  type Introspection,
  type RunSqlResult,
  type SourceConnection,
  SourceUnavailable,
  type Statement,
} from '../../backend.ts'
import { assembleRows } from '../assemble/assemble-rows.ts'
import type { ResultField, ResultRow } from '../assemble/result-rows.ts'
import { resultJson } from '../assemble/result-value.ts'
import { queryParameters } from '../compile/query-parameters.ts'
import { introspect } from '../introspect/introspect.ts'
import { readDatasetFunctions } from '../introspect/read-functions.ts'
import type { SourceSettings } from '../source-settings.ts'
import type { StatementShape } from '../statement-shape.ts'
import { PageTooLarge, RequestFailed } from './api-answer.ts'
import type { ApiClient } from './api-client.ts'
import { dryRun } from './dry-run.ts'
import { inspectionQuery } from './inspection-query.ts'
import { jobFailure } from './job-failure.ts'
import { jobLabels } from './job-labels.ts'
import { type ResultPage, runJob } from './run-job.ts'

interface BoundQuery {
  readonly sql: string
  readonly parameters: readonly Json[]
}

const admin: Caller = { role: 'admin', operationName: null }

/** A source on BigQuery: nothing is open between requests but the connections of its HTTP client. */
export class BigquerySource implements SourceConnection {
  readonly #settings: SourceSettings
  readonly #api: ApiClient
  readonly #report: (observation: Observation) => void
  #location: string | null = null

  constructor(settings: SourceSettings, api: ApiClient, report: (observation: Observation) => void) {
    this.#settings = settings
    this.#api = api
    this.#report = report
  }

  connections() {
    return { open: 0, idle: 0, waiting: 0 }
  }

  /** Whether the API answers, and the account may read. */
  async ping(): Promise<void> {
    const [dataset] = this.#settings.datasets
    const path = dataset === undefined ? '/datasets' : `/datasets/${dataset}/tables`
    await this.#api.list(path, { maxResults: '1' }).catch((error) => {
      throw jobFailure(error)
    })
  }

  async introspect(previous: Introspection | null, only?: readonly QualifiedName[]): Promise<Introspection> {
    const { source, datasets } = this.#settings
    const leftOut = (table: QualifiedName, columns: readonly { readonly name: string; readonly type: string }[]) =>
      this.#report({ kind: 'columns-left-out', source, table: `${table.schema}.${table.name}`, columns })
    const located = (location: string) => {
      this.#location ??= location
    }
    return introspect({ ...this.#listing, datasets, leftOut, located }, previous, only).catch(unavailable)
  }

  readFunctions(names: readonly QualifiedName[]): Promise<readonly (readonly DatabaseFunction[])[]> {
    return readDatasetFunctions(this.#listing, this.#settings.datasets, names).catch(unavailable)
  }

  async query(
    plan: Statement,
    parameters: readonly (string | null)[],
    signal?: AbortSignal,
    most = Number.POSITIVE_INFINITY,
    caller: Caller = admin,
  ): Promise<Buffer> {
    const { answer } = shapeOf(plan)
    const stretches = new Stretches()
    const assembler = assembleRows(answer)
    // a page has other text around its values than the answer
    const pageBytes = most * 4 + 1_000_000
    for await (const { rows } of this.#run(this.#bind(plan, parameters), caller, { signal, most: pageBytes })) {
      await stretches.run(assembler.add(rows))
      if (assembler.bytes > most) throw new AnswerTooLarge(assembler.bytes)
    }
    const json = assembler.finish()
    if (json.length > most) throw new AnswerTooLarge(json.length)
    return json
  }

  async queryRows(): Promise<never> {
    throw new Error('subscriptions are not served')
  }

  /** The bytes that a statement would read; it is not run, and costs nothing. */
  async dryRun(plan: Statement, parameters: readonly (string | null)[]): Promise<DryRun> {
    return dryRun(this.#api, this.#settings, this.#queryOf(this.#bind(plan, parameters))).catch((error) => {
      throw jobFailure(error)
    })
  }

  /** The lines of the statement: the service has no plan of what it has not run. */
  async explain(sql: string): Promise<readonly string[]> {
    return sql.split('\n')
  }

  runSql({ sql }: { readonly sql: string }, path: Path): Promise<RunSqlResult> {
    return this.#table(sql, path)
  }

  inspectDatabase(path: Path): Promise<RunSqlResult> {
    const { projectId, datasets } = this.#settings
    if (datasets.length === 0) return Promise.resolve({ result_type: 'TuplesOk', result: [[]] })
    return this.#table(inspectionQuery(projectId, datasets), path)
  }

  rest(): void {}

  async close(): Promise<void> {
    this.#api.close()
  }

  get #listing() {
    return { api: this.#api, retries: this.#settings }
  }

  async #table(sql: string, path: Path): Promise<RunSqlResult> {
    const rows: Json[][] = []
    let names: readonly string[] = []
    const job = { sql, parameters: [] }
    for await (const page of this.#run(job, admin, { code: 'bigquery-error', path })) {
      const fields = page.fields ?? []
      names = fields.map(({ name }) => name)
      rows.push(...page.rows.map((row) => cells(fields, row)))
    }
    const result = rows.length === 0 ? [[]] : [[...names], ...rows]
    return { result_type: 'TuplesOk', result }
  }

  async *#run(
    job: BoundQuery,
    caller: Caller,
    options: {
      readonly signal?: AbortSignal | undefined
      readonly most?: number
      readonly code?: ErrorCode
      readonly path?: Path
    },
  ): AsyncGenerator<ResultPage> {
    const { source, projectId } = this.#settings
    const { signal, most = Number.POSITIVE_INFINITY, code, path } = options
    const started = performance.now()
    let bytesBilled = 0
    let failure: unknown = null
    try {
      const pages = runJob(
        { query: this.#queryOf(job), labels: jobLabels(caller) },
        {
          api: this.#api,
          projectId,
          retries: this.#settings,
          location: this.#location,
          signal,
          most,
        },
      )
      for await (const page of pages) {
        this.#location ??= page.location
        bytesBilled = page.bytesBilled
        yield page
      }
    } catch (error) {
      failure = error instanceof PageTooLarge ? new AnswerTooLarge(most) : jobFailure(error, code, path)
      throw failure
    } finally {
      this.#report({
        kind: 'job-ended',
        source,
        operation: caller.operationName,
        role: caller.role,
        bytesBilled,
        milliseconds: performance.now() - started,
        error: failure === null ? null : errorReport(failure),
      })
    }
  }

  #queryOf({ sql, parameters }: BoundQuery) {
    const { maximumBytesBilled: most } = this.#settings
    return {
      query: sql,
      useLegacySql: false,
      ...(parameters.length > 0 && { parameterMode: 'NAMED', queryParameters: parameters }),
      ...(most > 0 && { maximumBytesBilled: String(most) }),
    }
  }

  #bind(plan: Statement, texts: readonly (string | null)[]): BoundQuery {
    const { globalSelectLimit } = this.#settings
    const parameters = queryParameters(shapeOf(plan), texts, globalSelectLimit)
    return { sql: plan.text, parameters: parameters as unknown as readonly Json[] }
  }
}

const shapeOf = ({ shape }: Statement) => shape as StatementShape

const cells = (fields: readonly ResultField[], row: ResultRow): Json[] =>
  fields.map((field, index) => JSON.parse(resultJson(field, row.f[index]?.v ?? null)))

function unavailable(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  const said = error instanceof RequestFailed && error.reason !== null ? `: ${error.reason}` : ''
  throw new SourceUnavailable(`unexpected exception while connecting to database: ${message}${said}`)
}
