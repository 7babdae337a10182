import { allBackends } from '../backends/index.ts'
import { FatalError, type ServerConfig } from '../config/index.ts'
import { errorReport, type Observer } from '../observe/index.ts'
import { type RunningServer, startServer } from '../server/index.ts'
import { joinParent } from '../workers/index.ts'

/** Of a terminal: they reach every process of the group, and the parent says what becomes of them. */
const ofTerminal = ['SIGINT', 'SIGHUP'] as const

/** One of several processes behind a port: it serves until its parent says so, or it gets SIGTERM itself. */
export async function serveAsWorker(config: ServerConfig, observer: Observer): Promise<void> {
  for (const signal of ofTerminal) process.on(signal, () => {})
  const channel = await joinParent()
  let server: RunningServer | null = null
  let stopping = false
  const stop = (signal: NodeJS.Signals | null) => {
    stopping = true
    if (server) void server.close(signal ?? undefined).then(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  channel.onStop(stop)
  const { port, embeddedUrl } = channel.task
  const own = { ...(embeddedUrl === null ? config : withDatabase(config, embeddedUrl)), serverPort: port }
  try {
    server = await startServer(own, observer, allBackends, channel)
  } catch (error) {
    if (!(error instanceof FatalError)) throw error
    const cause = error.cause === undefined ? null : errorReport(error.cause)
    await channel.failed(error.message, cause)
    process.exit(1)
  }
  if (stopping) {
    await server.close()
    process.exit(0)
  }
  channel.serving(server.url)
}

/** The parent has started the database; its URL is passed in the variable that otherwise names a user's database. */
const withDatabase = (config: ServerConfig, url: string): ServerConfig => ({
  ...config,
  database: { kind: 'given', metadataUrl: url, source: { url, fromEnvironment: true } },
  environment: { ...config.environment, SVC_GRAPHQL_DATABASE_URL: url },
})
