import { type HandlerServices, startActionPoller } from '../actions/index.ts'
import type { ActionServices } from '../execute/index.ts'
import { actionPart, type Model, partValues, type ResolvedAction } from '../model/index.ts'
import type { SendingParts } from './server-parts.ts'

export interface StartedActions {
  readonly services: ActionServices
  close(): Promise<void>
}

/**
 * Starts calling the handlers of asynchronous actions when they are due; synchronous ones are called with its services.
 */
export function startActions(parts: SendingParts): StartedActions {
  const { config, environment, client, observer, metadata, store, processes, sends } = parts
  const handlers: HandlerServices = {
    http: client,
    environment,
    configuredHeadersFirst: config.configuredHeaderPrecedence,
    report: observer.report,
  }
  const poller = startActionPoller({
    log: store.actionLog,
    services: handlers,
    actions: () => (sends() ? asynchronousActions(metadata.current().model) : new Map()),
    interval: config.asyncActionsFetchInterval,
    batchSize: Math.ceil(config.asyncActionsFetchBatchSize / processes),
  })
  return {
    services: { handlers, log: store.actionLog, enqueued: () => poller.wake() },
    close: () => poller.close(config.gracefulShutdownTimeout * 1000),
  }
}

const asynchronousActions = (model: Model): ReadonlyMap<string, ResolvedAction> =>
  new Map(
    [...partValues(model, actionPart).values()].flatMap((action) =>
      action.kind === 'asynchronous' ? [[action.name, action] as const] : [],
    ),
  )
