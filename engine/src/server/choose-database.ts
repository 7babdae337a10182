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
  const initial = (url: Parameters<typeof initialDocument>[0]) => initialDocument(url, initialSettings(config))
  if (database.kind === 'given') {
    const { source, metadataUrl } = database
    const url = source?.fromEnvironment ? { from_env: databaseVariable } : (source?.url ?? null)
    return { embedded: null, metadataUrl, environment, initial: initial(url) }
  }
  const isSandbox = config.sandbox !== null
  const embedded = await startEmbedded({
    dataDirectory: database.dataDirectory,
    isDisposable: isSandbox,
    ...(database.port !== null && { port: database.port }),
    report: observer.report,
  })
  void embedded.ended.then((lastLine) => observer.report({ kind: 'embedded-ended', lastLine }))
  const { url } = embedded
  if (isSandbox) return { embedded, metadataUrl: url, environment: unresolvedEnvironment, initial: initial(url) }
  return {
    embedded,
    metadataUrl: url,
    environment: { ...environment, [databaseVariable]: url },
    initial: initial({ from_env: databaseVariable }),
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
