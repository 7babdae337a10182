import { type HandlerServices, startActionPoller } from '../actions/index.ts'
import type { MetadataService } from '../admin/index.ts'
import type { ServerConfig } from '../config/index.ts'
import type { ActionServices } from '../execute/index.ts'
import type { HttpClient } from '../http-client/index.ts'
import type { MetadataStore } from '../metadata/index.ts'
import { actionPart, type Model, partValues, type ResolvedAction } from '../model/index.ts'
import type { Observer } from '../observe/index.ts'

export interface ActionParts {
  readonly config: ServerConfig
  readonly environment: ServerConfig['environment']
  readonly client: HttpClient
  readonly observer: Observer
  readonly metadata: MetadataService
  readonly store: MetadataStore
  /** That serve as one: they share the asynchronous actions at a time. */
  readonly processes: number
  /** While it says no, no asynchronous action is taken from the log. */
  readonly sends: () => boolean
}

export interface StartedActions {
  readonly services: ActionServices
  close(): Promise<void>
}

/**
 * Starts calling the handlers of asynchronous actions when they are due; synchronous ones are called with its services.
 */
export function startActions(parts: ActionParts): StartedActions {
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
