import { FatalError, type ServerConfig } from '../config/index.ts'
import { createObserver, errorReport, linePrinter, logListener } from '../observe/index.ts'
import { type RunningServer, startServer } from '../server/index.ts'
import { boundHeap } from './bound-heap.ts'

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** `serve`: runs until a signal. The first one stops in good order, the second at once (spec 04 §12.3). */
export async function serve(config: ServerConfig): Promise<void> {
  boundHeap()
  const { print, flush } = linePrinter(process.stdout)
  process.on('exit', flush)
  const observer = createObserver(
    logListener(
      {
        level: config.logLevel,
        enabledTypes: config.enabledLogTypes,
        metadataQueries: config.enableMetadataQueryLogging,
        queryOnlyOnError: config.httpLogQueryOnlyOnError,
        maskedVariables: config.logMaskedVariables,
        failedEventsAsErrors: config.enableTriggersErrorLogLevel,
      },
      print,
    ),
  )
  let server: RunningServer | null = null
  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    // still starting: what is started then is ended at once
    if (server) void server.close(signal).then(() => process.exit(0))
  }
  for (const signal of signals) process.on(signal, stop)
  const crashed = (error: unknown) =>
    observer.tell({ kind: 'request-crashed', requestId: '', error: errorReport(error) })
  process.on('unhandledRejection', crashed)
  process.on('uncaughtException', (error) => {
    crashed(error)
    process.exit(1)
  })
  try {
    server = await startServer(config, observer)
  } catch (error) {
    if (!(error instanceof FatalError)) throw error
    const cause = error.cause === undefined ? null : errorReport(error.cause)
    observer.tell({ kind: 'startup-failed', message: error.message, error: cause })
    process.exit(1)
  }
  if (stopping) {
    await server.close()
    process.exit(0)
  }
  void server.failed.then(async () => {
    await server.close()
    process.exit(1)
  })
}
