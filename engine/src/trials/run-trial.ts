import type { SourceConnection } from '../backends/index.ts'
import { ApiError, errorForRole, graphqlError, Path } from '../errors.ts'
import type { Session } from '../session.ts'
import type { PermissionUse } from './permissions-used.ts'
import { sessionOf, type Trial, type TrialRequest } from './read-trial.ts'
import { currentTrial, TrialTransactions } from './trial-connections.ts'

export interface TrialServices {
  readonly prefix: string
  /** Throws ApiError for a source that is not there. */
  connection(source: string): SourceConnection
  /** The bytes of an answer. Throws ApiError. */
  answer(body: unknown, session: Session): Promise<readonly Buffer[]>
  /** Throws ApiError where the request cannot be planned. */
  uses(body: unknown, session: Session): readonly PermissionUse[]
}

/** What a request of a trial was answered with, as a client reads it, and the permissions that it went by. */
export interface TrialAnswer {
  readonly body: unknown
  readonly uses: readonly PermissionUse[]
}

/**
 * Runs scripts and requests one after the other in transactions that are rolled back. Throws ApiError where a script fails; a
 * request that fails has an answer that says so.
 */
export async function runTrial(
  { scripts, requests }: Trial,
  services: TrialServices,
): Promise<{ readonly answers: readonly TrialAnswer[] }> {
  const transactions = new TrialTransactions()
  try {
    return await currentTrial.run(transactions, async () => {
      for (const [index, { source, sql }] of scripts.entries())
        await runScript(services.connection(source), sql, Path.root.at('args', 'scripts', index))
      const answers: TrialAnswer[] = []
      for (const request of requests) answers.push(await answerOf(request, services))
      return { answers }
    })
  } finally {
    await transactions.end()
  }
}

async function runScript(connection: SourceConnection, sql: string, path: Path): Promise<void> {
  if (!connection.runSql) throw new ApiError('not-supported', path, 'no SQL runs on a source of this kind')
  await connection.runSql({ sql, readOnly: false, noTransaction: false }, path, null)
}

async function answerOf(request: TrialRequest, { prefix, answer, uses }: TrialServices): Promise<TrialAnswer> {
  const session = sessionOf(request, prefix)
  let used: readonly PermissionUse[] = []
  try {
    used = uses(request.body, session)
    const body: unknown = JSON.parse(Buffer.concat(await answer(request.body, session)).toString())
    return { body, uses: used }
  } catch (cause) {
    const error = errorForRole(cause, session.role)
    if (!(error instanceof ApiError)) throw error
    return { body: { errors: error.graphqlErrors ?? [graphqlError(error, false)] }, uses: used }
  }
}
