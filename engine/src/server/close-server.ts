import type { ServerConfig } from '../config/index.ts'
import type { HttpServer } from '../http/index.ts'
import type { Observer } from '../observe/index.ts'
import type { WebsocketServer } from '../websocket/index.ts'
import type { Peers } from '../workers/index.ts'

/**
 * Returns a function that answers requests in flight, then ends everything else with `end` (reference/server#stop). A
 * second call waits for the first.
 */
export function closeServer(
  http: HttpServer,
  websockets: WebsocketServer,
  config: ServerConfig,
  observer: Observer,
  peers: Peers | null,
  end: () => Promise<void>,
) {
  let closed: Promise<void> | undefined
  return (signal?: NodeJS.Signals): Promise<void> => {
    closed ??= (async () => {
      const began = performance.now()
      const { requestsInFlight } = http
      observer.report(
        peers
          ? { kind: 'worker-stopping', worker: peers.worker, requestsInFlight }
          : { kind: 'server-stopping', signal: signal ?? null, requestsInFlight },
      )
      const milliseconds = config.gracefulShutdownTimeout * 1000
      if (config.shutdownDelay > 0) await http.announceStop(config.shutdownDelay * 1000)
      await Promise.all([http.drain(milliseconds), websockets.stop(milliseconds)])
      await end()
      if (!peers) observer.report({ kind: 'server-stopped', milliseconds: performance.now() - began })
    })()
    return closed
  }
}
