import type { ServerConfig } from '../config/index.ts'
import { type EmbeddedDatabase, startEmbedded } from '../embedded/index.ts'
import { type InitialSettings, initialDocument } from '../metadata/index.ts'
import type { Observer } from '../observe/index.ts'

export interface ChosenDatabase {
  readonly embedded: EmbeddedDatabase | null
  readonly metadataUrl: string
  /** What `from_env` of sources reads. */
  readonly environment: ServerConfig['environment']
  readonly initial: ReturnType<typeof initialDocument>
}

/**
 * The URL of the embedded database is set in the variable that otherwise names a user's, so that metadata fits either.
 */
const databaseVariable = 'SVC_GRAPHQL_DATABASE_URL'

/** Returns the database that the configuration names, or starts an embedded one. */
export async function chooseDatabase(config: ServerConfig, observer: Observer): Promise<ChosenDatabase> {
  const { database, environment } = config
  if (database.kind === 'given') {
    const source = database.source
    const url = source?.fromEnvironment ? { from_env: databaseVariable } : (source?.url ?? null)
    return {
      embedded: null,
      metadataUrl: database.metadataUrl,
      environment,
      initial: initialDocument(url, initialSettings(config)),
    }
  }
  const isSandbox = config.sandbox !== null
  const embedded = await startEmbedded({
    dataDirectory: database.dataDirectory,
    isDisposable: isSandbox,
    ...(database.port !== null && { port: database.port }),
    report: observer.report,
  })
  void embedded.ended.then((lastLine) => observer.report({ kind: 'embedded-ended', lastLine }))
  if (isSandbox)
    return {
      embedded,
      metadataUrl: embedded.url,
      environment: unresolvedEnvironment,
      initial: initialDocument(embedded.url, initialSettings(config)),
    }
  return {
    embedded,
    metadataUrl: embedded.url,
    environment: { ...environment, [databaseVariable]: embedded.url },
    initial: initialDocument({ from_env: databaseVariable }, initialSettings(config)),
  }
}

/** Every variable is set there, to an address that nothing has. */
const unresolvedEnvironment: ServerConfig['environment'] = new Proxy<Record<string, string>>(
  {},
  {
    get: () => unresolved,
    has: () => true,
    getOwnPropertyDescriptor: () => ({ value: unresolved, configurable: true, enumerable: true, writable: false }),
  },
)
const unresolved = 'http://unresolved.invalid'

const initialSettings = (config: ServerConfig): InitialSettings => ({
  isolationLevel: config.txIso,
  maxConnections: config.connections,
  idleTimeout: config.timeout,
  connectionLifetime: config.connLifetime,
})
