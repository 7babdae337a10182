import type { ServerConfig } from '../config/index.ts'
import type { HttpServer } from '../http/index.ts'
import type { Observer } from '../observe/index.ts'
import type { WebsocketServer } from '../websocket/index.ts'

/** Answers what is in flight, then ends everything else with `end` (spec 04 §12.3). A second call waits for the first. */
export function closeServer(
  http: HttpServer,
  websockets: WebsocketServer,
  config: ServerConfig,
  observer: Observer,
  end: () => Promise<void>,
) {
  let closed: Promise<void> | undefined
  return (signal?: NodeJS.Signals): Promise<void> => {
    closed ??= (async () => {
      const began = performance.now()
      observer.tell({ kind: 'server-stopping', signal: signal ?? null, requestsInFlight: http.requestsInFlight })
      const milliseconds = config.gracefulShutdownTimeout * 1000
      await Promise.all([http.drain(milliseconds), websockets.stop(milliseconds)])
      await end()
      observer.tell({ kind: 'server-stopped', milliseconds: performance.now() - began })
    })()
    return closed
  }
}
