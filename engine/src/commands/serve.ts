import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { FatalError, type ServerConfig } from '../config/index.ts'
import { createObserver, errorReport, linePrinter, logListener, type Observer } from '../observe/index.ts'
import { type RunningServer, startServer, startWorkers } from '../server/index.ts'
import { currentTrace } from '../tracing/index.ts'
import { boundHeap } from './bound-heap.ts'
import { serveAsWorker } from './serve-as-worker.ts'

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * `serve`: runs until a signal. The first one stops in good order, the second at once (reference/server#stop). With
 * --workers this process is the parent of those that answer, or one of them.
 */
export async function serve(config: ServerConfig): Promise<void> {
  boundHeap()
  const observer = logObserver(config)
  if (cluster.isWorker) return serveAsWorker(config, observer)
  const count = config.workers === 0 ? availableParallelism() : config.workers
  let server: RunningServer | null = null
  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    // workers end with their parent
    if (stopping) process.exit(1)
    stopping = true
    // still starting: what is started then is ended at once
    if (server) void server.close(signal).then(() => process.exit(0))
  }
  for (const signal of signals) process.on(signal, stop)
  try {
    server = count === 1 ? await startServer(config, observer) : await startWorkers(config, count, observer)
  } catch (error) {
    if (!(error instanceof FatalError)) throw error
    const cause = error.cause === undefined ? null : errorReport(error.cause)
    observer.report({ kind: 'startup-failed', message: error.message, error: cause })
    process.exit(1)
  }
  if (stopping) {
    await server.close()
    process.exit(0)
  }
  const { failed, close } = server
  void failed.then(async (reason) => {
    if (count > 1) observer.report({ kind: 'startup-failed', message: reason, error: null })
    await close()
    process.exit(1)
  })
}

/** The log on standard output, which has what ends this process as well. */
function logObserver(config: ServerConfig): Observer {
  const { print, flush } = linePrinter(process.stdout)
  process.on('exit', flush)
  const observer = createObserver(
    logListener(
      {
        level: config.logLevel,
        format: config.logFormat,
        enabledTypes: config.enabledLogTypes,
        metadataQueries: config.enableMetadataQueryLogging,
        httpLog: { oneIn: config.httpLogOneIn, slow: config.httpLogSlow },
        queryOnlyOnError: config.httpLogQueryOnlyOnError,
        maskedVariables: config.logMaskedVariables,
        failedEventsAsErrors: config.enableTriggersErrorLogLevel,
        trace: currentTrace,
      },
      print,
    ),
  )
  const crashed = (error: unknown) =>
    observer.report({ kind: 'request-crashed', requestId: '', error: errorReport(error) })
  process.on('unhandledRejection', crashed)
  process.on('uncaughtException', (error) => {
    crashed(error)
    process.exit(1)
  })
  return observer
}
