import type { ServerConfig } from '../config/index.ts'
import { RequestRate } from '../limits/index.ts'
import { keptFigures, type OwnFigures } from '../metrics/index.ts'
import type { Observer } from '../observe/index.ts'
import { WorkerPool } from '../workers/index.ts'
import { chooseDatabase } from './choose-database.ts'
import { explainFailure } from './explain-failure.ts'
import { reportConfiguration } from './report-configuration.ts'
import type { RunningServer } from './start-server.ts'

/** Milliseconds beyond the graceful timeout after which a worker that has not ended is killed. */
const graceBeyond = 10_000

export interface RunningWorkers extends RunningServer {
  /** Ends all workers at once. */
  kill(): void
}

/**
 * Starts so many workers of one server. This process has the port, the embedded database, the rate counters and the figures
 * of ended workers; it answers no request. Throws FatalError with one line that says what is wrong.
 */
export async function startWorkers(config: ServerConfig, count: number, observer: Observer): Promise<RunningWorkers> {
  const started = performance.now()
  reportConfiguration(config, observer)
  const rate = new RequestRate()
  const embedded =
    config.database.kind === 'embedded'
      ? (
          await chooseDatabase(config, observer).catch((error: unknown) =>
            Promise.reject(explainFailure(error, config)),
          )
        ).embedded
      : null
  try {
    const pool = await WorkerPool.start({
      count,
      port: config.serverPort,
      embeddedUrl: embedded?.url ?? null,
      admit: (key, perMinute) => rate.admit(key, perMinute, performance.now()),
      keepFigures: (kept, ended) => keptFigures(kept as OwnFigures | null, ended as OwnFigures),
      grace: (config.shutdownDelay + config.gracefulShutdownTimeout) * 1000 + graceBeyond,
      observer,
    })
    observer.report({ kind: 'server-started', url: pool.url, milliseconds: performance.now() - started })
    return {
      url: pool.url,
      failed: embedded ? Promise.race([embedded.ended, pool.failed]) : pool.failed,
      kill: () => pool.kill(),
      close: async (signal) => {
        const began = performance.now()
        observer.report({ kind: 'server-stopping', signal: signal ?? null, requestsInFlight: null })
        await pool.close(signal ?? null)
        await embedded?.stop()
        observer.report({ kind: 'server-stopped', milliseconds: performance.now() - began })
      },
    }
  } catch (error) {
    await embedded?.stop()
    throw explainFailure(error, config)
  }
}
