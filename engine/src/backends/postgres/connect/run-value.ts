import type { Statement } from '../../backend.ts'
import { BatchFailed, type Row, type Step } from './batch.ts'
import { cancelUntil } from './cancel-until.ts'
import type { Connection } from './client-pool.ts'
import { isConnectionError, isLostStatement } from './from-sql-state.ts'
import { NeverBegan } from './never-began.ts'
import { statementName } from './statement-name.ts'
import type { Prepared } from './value-queue.ts'

/** The statement was cancelled: `cause` is the signal's reason. A late cancel may still hit what runs next on its connection. */
export class Interrupted extends Error {}

/**
 * Runs a statement that gives one value, on a connection of its own. When `signal` aborts, the server is asked to cancel
 * it until it ends; Interrupted says that the connection must not be used again.
 */
export function runValue(
  { client, names }: Connection,
  statement: Prepared,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const value = client.values.ask(statement, names)
  return signal ? interruptible(value, client, signal) : value
}

/** The same for one that gives rows. */
export async function runRows(
  { client, names }: Connection,
  plan: Statement,
  parameters: readonly (string | null)[],
  named: boolean,
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  const step: Step = { text: plan.text, name: named ? statementName(plan) : null, parameters, kind: 'statement' }
  const asked = client.values.askAll([step], names)
  try {
    const [answer] = await (signal ? interruptible(asked, client, signal) : asked)
    return answer?.rows ?? []
  } catch (error) {
    if (!(error instanceof BatchFailed)) throw error
    const { cause, isBegun } = error
    throw !isBegun && (isConnectionError(cause) || isLostStatement(cause)) ? new NeverBegan(cause) : cause
  }
}

async function interruptible<Result>(
  asked: Promise<Result>,
  client: Connection['client'],
  signal: AbortSignal,
): Promise<Result> {
  let cancelled: Promise<void> | null = null
  const cancel = () => {
    cancelled = cancelUntil(asked, client)
  }
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel, { once: true })
  try {
    const result = await asked
    if (cancelled === null) return result
  } catch (error) {
    if (cancelled === null) throw error
  } finally {
    signal.removeEventListener('abort', cancel)
    await cancelled
  }
  throw new Interrupted('cancelled', { cause: signal.reason })
}
