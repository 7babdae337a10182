import { ApiError } from '../errors.ts'
import type { ActionLog, ClaimedAction } from '../metadata/index.ts'
import type { ResolvedAction } from '../model/index.ts'
import { errorReport } from '../observe/index.ts'
import { callHandler, type HandlerServices } from './call-handler.ts'
import { HandlerError } from './handler-error.ts'

export interface PollerOptions {
  readonly log: ActionLog
  readonly services: HandlerServices
  /** The asynchronous actions that are served now. */
  readonly actions: () => ReadonlyMap<string, ResolvedAction>
  /** Milliseconds between reads of the log; 0: it is never read. */
  readonly interval: number
  /** Actions at a time. */
  readonly batchSize: number
}

export interface ActionPoller {
  /** Reads the log now, since this process has put something into it. */
  wake(): void
  /** Starts no more actions; waits at most this many milliseconds for those that run, then aborts them. */
  close(milliseconds: number): Promise<void>
}

/** Between checks of what a dead process has left, in milliseconds. */
const sweepMilliseconds = 10_000

/** In addition to its own time limit, what an action has to write its answer down, in seconds. */
const graceSeconds = 30

/**
 * Calls the handlers of asynchronous actions (reference/actions#asynchronous-actions), on every instance: a row is
 * taken by one of them and its handler called at most once. What was running when a process died ends as an error that
 * says so.
 */
export function startActionPoller(options: PollerOptions): ActionPoller {
  const { log, services, actions, interval, batchSize } = options
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | null = null
  let isWoken = false
  let swept = 0

  const poll = (): void => {
    clearTimeout(timer)
    if (stopping.signal.aborted || isClosed || interval === 0) return
    if (round) {
      isWoken = true
      return
    }
    round = runRound()
      .catch((error: unknown) => services.report({ kind: 'action-log-failed', error: errorReport(error) }))
      .finally(() => {
        round = null
        const again = isWoken
        isWoken = false
        if (again) poll()
        else if (!isClosed) timer = setTimeout(poll, interval).unref()
      })
  }
  let isClosed = false

  async function runRound(): Promise<void> {
    const known = actions()
    if (known.size === 0) return
    if (Date.now() - swept > sweepMilliseconds) {
      swept = Date.now()
      for (const { id, action } of await log.giveUpInterrupted())
        services.report({ kind: 'action-interrupted', id, action })
    }
    const limits = new Map([...known].map(([name, { timeout }]) => [name, timeout + graceSeconds]))
    for (;;) {
      const claimed = await log.claim(limits, batchSize)
      await Promise.all(claimed.map((one) => process(one, known.get(one.action))))
      if (claimed.length < batchSize || isClosed) return
    }
  }

  async function process(claimed: ClaimedAction, action: ResolvedAction | undefined): Promise<void> {
    const { id, input, session, headers } = claimed
    if (!action) return
    try {
      const { json } = await callHandler(
        {
          action,
          input,
          session: new Map(Object.entries(session)),
          clientHeaders: Object.entries(headers),
          requestQuery: null,
          requestId: id,
          signal: stopping.signal,
        },
        services,
      )
      await log.complete(id, json)
      services.report({ kind: 'action-finished', id, action: action.name, failed: false })
    } catch (error) {
      await log.fail(id, errorOf(error))
      services.report({ kind: 'action-finished', id, action: action.name, failed: true })
    }
  }

  poll()
  return {
    wake: poll,
    async close(milliseconds) {
      isClosed = true
      clearTimeout(timer)
      const enough = setTimeout(() => stopping.abort(), milliseconds)
      await round
      clearTimeout(enough)
    },
  }
}

/** What the row says of a failure: nothing internal (reference/actions#asynchronous-actions). */
interface ProcessedAction {
  readonly error: string
  readonly path: string
  readonly code: string
}

function errorOf(error: unknown): ProcessedAction {
  if (error instanceof HandlerError) return { error: error.message, path: '$', code: error.handlerCode }
  if (error instanceof ApiError) return { error: error.message, path: error.path.toString(), code: error.code }
  return { error: 'the engine was stopped while the handler was called', path: '$', code: 'unexpected' }
}
