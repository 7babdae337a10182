import { ApiError, Path } from '../../../errors.ts'
import { AnswerTooLarge, type BoundStatement, type ConnectionSettings, type Statement } from '../../backend.ts'
import { bind, join, print, sql } from '../../sql.ts'
import { BatchFailed, control, type Row, type Step, type StepAnswer } from './batch.ts'
import { cancelledBy } from './cancel-until.ts'
import type { Connection } from './client-pool.ts'
import { encodeLong } from './encode-long.ts'
import {
  connectionError,
  fromSqlState,
  isCancelled,
  isConnectionError,
  isLockTimeout,
  isLostStatement,
} from './from-sql-state.ts'
import { NeverBegan } from './never-began.ts'
import { beginStep } from './session-settings.ts'
import { shortenWaits } from './short-waits.ts'
import { statementName } from './statement-name.ts'
import { type Transaction, TransactionFailed, type TransactionOptions } from './transaction-options.ts'

/** A transaction that the server rolled back since it would have delayed others: it is to be sent again by itself. */
export class KeptWaiting extends Error {}

export interface TransactionContext extends TransactionOptions {
  readonly isolationLevel: ConnectionSettings['isolationLevel']
  /** Statements remain prepared. */
  readonly named: boolean
  /** At the end of each statement. */
  readonly comment: string
}

/**
 * Runs all of it in one write. What stands before one Sync is a transaction by itself, in the level that the session
 * has as its default: BEGIN and COMMIT, which took the database 20 µs, are sent only where the session is a pooler's.
 * Rejects with a TransactionFailed, or with a NeverBegan where the whole may be sent again. COMMIT is sent with the
 * statements, so whether a cancel came in time is for the server to say: where it rolled back, the reason of the
 * signal; else the answers. The connection is left outside of a transaction, or is lost.
 */
export async function sendTransaction(
  connection: Connection,
  statements: readonly BoundStatement[],
  context: TransactionContext,
  isShared = false,
): Promise<readonly Buffer[]> {
  const isOwn = connection.client.values.pooled === null
  // a pooler's session is left in a transaction where one fails
  if (isShared && !isOwn) throw new KeptWaiting()
  const opening = isOwn ? settingSteps(context.settings, context.named) : openingSteps(context, connection)
  if (isShared) shortenWaits(connection)
  const own = stepsOf(statements, context.named, context.comment)
  const steps = isOwn && opening.length === 0 ? own : [...opening, ...own, ...(isOwn ? [] : [COMMIT])]
  try {
    const asked = connection.client.values.askAll(steps, connection.names, context.most)
    // a cancel could hit other transactions on the connection; the time limit ends this one soon enough
    const answers = await (isShared ? asked : cancelledBy(context.signal, connection, asked))
    if (!isOwn) refuseRollback(answers.at(-1))
    return answers.slice(opening.length, opening.length + statements.length).map(jsonOf)
  } catch (error) {
    await leave(connection)
    if (error instanceof AnswerTooLarge) throw new TransactionFailed(null, 'committed', error)
    const isLate = error instanceof BatchFailed && (isLockTimeout(error.cause) || isCancelled(error.cause))
    if (isShared && isLate) throw new KeptWaiting()
    if (isLate && context.signal?.aborted && isCancelled(error.cause)) throw context.signal.reason
    throw failure(error, steps, { opening: opening.length, isFirst: true, isLast: true })
  }
}

/** A transaction of which the later statements depend on earlier answers. BEGIN travels with the first of them. */
export class OpenTransaction implements Transaction {
  #connection: Connection
  readonly #context: TransactionContext
  readonly #replace: (lost: Connection) => Promise<Connection>
  #begun = false
  #over = false

  /** `replace` returns another connection for one that was lost before anything began. */
  constructor(connection: Connection, context: TransactionContext, replace: (lost: Connection) => Promise<Connection>) {
    this.#connection = connection
    this.#context = context
    this.#replace = replace
  }

  async query(plan: Statement, parameters: readonly (string | null)[]): Promise<Buffer> {
    const [answer] = await this.#sendOne(plan, parameters)
    return jsonOf(answer)
  }

  async queryAll(statements: readonly BoundStatement[]): Promise<readonly Buffer[]> {
    return (await this.#send(statements)).map(jsonOf)
  }

  async queryRows(plan: Statement, parameters: readonly (string | null)[]): Promise<readonly Row[]> {
    const [answer] = await this.#sendOne(plan, parameters)
    return answer?.rows ?? []
  }

  /** Commits. Rejects with a TransactionFailed. */
  async commit(): Promise<void> {
    this.#over = true
    if (!this.#begun) return
    try {
      const answers = await this.#connection.client.values.askAll([COMMIT], this.#connection.names)
      refuseRollback(answers[0])
    } catch (error) {
      await leave(this.#connection)
      if (error instanceof NeverBegan) throw new TransactionFailed(null, 'rolled-back', connectionError(error))
      throw failure(error, [COMMIT], { opening: 0, isFirst: false, isLast: true })
    }
  }

  /** Rolls back. Never rejects: where the connection cannot even do that it is lost, and the server rolls back. */
  async rollBack(): Promise<void> {
    this.#over = true
    await leave(this.#connection)
  }

  async #sendOne(plan: Statement, parameters: readonly (string | null)[]): Promise<readonly StepAnswer[]> {
    try {
      return await this.#send([{ plan, parameters }])
    } catch (error) {
      throw error instanceof TransactionFailed ? error.cause : error
    }
  }

  async #send(statements: readonly BoundStatement[]): Promise<readonly StepAnswer[]> {
    if (this.#over) throw new Error('the transaction is over')
    for (const { parameters } of statements) await encodeLong(parameters)
    for (;;) {
      this.#context.signal?.throwIfAborted()
      try {
        return await this.#sendOver(this.#connection, statements)
      } catch (error) {
        if (!(error instanceof NeverBegan)) throw error
        if (this.#begun) throw new TransactionFailed(null, 'rolled-back', connectionError(error))
        this.#connection = await this.#replace(this.#connection)
      }
    }
  }

  async #sendOver(connection: Connection, statements: readonly BoundStatement[]): Promise<readonly StepAnswer[]> {
    const { signal, most, named, comment } = this.#context
    const opening = this.#begun ? [] : openingSteps(this.#context, connection)
    // later a statement that a pooler has lost would end the transaction
    const steps = [...opening, ...stepsOf(statements, named && !this.#begun, comment)]
    const asked = connection.client.values.askAll(steps, connection.names, most)
    try {
      const answers = await cancelledBy(signal, connection, asked)
      this.#begun = true
      return answers.slice(opening.length)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      const reason = failure(error, steps, { opening: opening.length, isFirst: !this.#begun, isLast: false })
      this.#begun ||= !(reason instanceof NeverBegan)
      if (error instanceof AnswerTooLarge) throw new TransactionFailed(null, 'rolled-back', error)
      throw reason
    }
  }
}

const COMMIT = control('COMMIT')

function openingSteps({ isolationLevel, settings }: TransactionContext, { client }: Connection): Step[] {
  const pooled = client.values.pooled?.settings
  const begin = [beginStep(isolationLevel), ...(pooled ? [pooled] : [])]
  return [...begin, ...settingSteps(settings, false)]
}

/** An object, so that equal texts are parameters of their own. */
const bound = (value: string) => sql`${bind({ value })}::text`

/** Returns one statement that sets all of these until the transaction ends. */
function settingSteps(settings: TransactionContext['settings'] = [], named: boolean): Step[] {
  if (settings.length === 0) return []
  const statement = settingStatement(settings.length)
  return [
    {
      text: statement.text,
      name: named ? statementName(statement) : null,
      parameters: settings.flat(),
      kind: 'control',
    },
  ]
}

const settingStatements: { readonly text: string }[] = []

/** Returns the statement that sets so many. */
function settingStatement(count: number): { readonly text: string } {
  const known = settingStatements[count]
  if (known) return known
  const calls = Array.from(
    { length: count },
    () => sql`pg_catalog.set_config(${bound('name')}, ${bound('value')}, true)`,
  )
  const made = { text: print(sql`SELECT ${join(calls, sql`, `)}`).text }
  settingStatements[count] = made
  return made
}

function stepsOf(statements: readonly BoundStatement[], named: boolean, comment: string): readonly Step[] {
  const isKept =
    named && (statements.length <= MOST_KEPT || new Set(statements.map(({ plan }) => plan.text)).size <= MOST_KEPT)
  return statements.map(({ plan, parameters }) => ({
    text: plan.text + comment,
    name: isKept ? statementName(plan) : null,
    parameters,
    kind: 'statement',
  }))
}

/** Less than the number of statements that a connection has prepared: no batch may close its own. */
const MOST_KEPT = 50

const NULL = Buffer.from('null')

const jsonOf = (answer: StepAnswer | undefined): Buffer => answer?.rows[0]?.[0] ?? NULL

/** Throws where COMMIT rolled back a transaction that had failed, which it says in its tag only. */
function refuseRollback(answer: StepAnswer | undefined): void {
  if (answer?.tag !== 'ROLLBACK') return
  const message = 'the transaction was rolled back: one of its statements had failed'
  throw new TransactionFailed(null, 'rolled-back', new ApiError('postgres-error', Path.root, message))
}

/** Ends a transaction that is still open. */
async function leave({ client, names }: Connection): Promise<void> {
  if (!client.lost && client.values.inTransaction)
    await client.values.askAll([control('ROLLBACK')], names).catch(() => {})
}

/** Where steps stand in their transaction; `opening`: so many of them prepare the ground. */
interface StepPlace {
  readonly opening: number
  readonly isFirst: boolean
  /** It ends with them. */
  readonly isLast: boolean
}

/** Returns the reason for what `askAll` rejected with. */
function failure(error: unknown, steps: readonly Step[], { opening, isFirst, isLast }: StepPlace): unknown {
  if (!(error instanceof BatchFailed)) return error
  const { cause, isBegun, isLost, isStepBegun } = error
  if (!isBegun && isFirst && (isLost || isLostStatement(cause) || isConnectionError(cause)))
    return new NeverBegan(cause)
  const step = steps[error.step]
  const isUnknown = isLost && isLast && (error.step >= steps.length || (step === COMMIT && isStepBegun))
  const { text = '', parameters = [], name = null } = step ?? {}
  const sent = { text, parameters, prepared: name !== null }
  const reason = isUnknown ? connectionError(cause) : fromSqlState(cause, Path.root, sent)
  const index = step?.kind === 'statement' ? error.step - opening : null
  return new TransactionFailed(index, isUnknown ? 'unknown' : 'rolled-back', reason)
}
