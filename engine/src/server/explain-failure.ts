import { FatalError, type ServerConfig } from '../config/index.ts'
import { EmbeddedError } from '../embedded/index.ts'
import { CatalogueRefused } from '../metadata/index.ts'
import { errorReport, redactUrl } from '../observe/index.ts'

/** Returns why the engine does not start, as one line for the process that started it. */
export function explainFailure(error: unknown, config: ServerConfig): FatalError {
  if (error instanceof FatalError) return error
  if (error instanceof EmbeddedError || error instanceof CatalogueRefused) return new FatalError(error.message)
  return new FatalError(reasonOf(error, config), { cause: error })
}

function reasonOf(error: unknown, { serverPort, listenHost, database }: ServerConfig): string {
  const { message, code } = errorReport(error)
  if (code === 'EADDRINUSE')
    return `Port ${serverPort} is in use. Stop what listens there, or take another port: --server-port (SVC_GRAPHQL_SERVER_PORT)`
  if (code === 'EADDRNOTAVAIL' || code === 'EACCES')
    return `Cannot listen on ${listenHost}, port ${serverPort} (${code}): take others with --server-host and --server-port`
  return database.kind === 'given'
    ? `Cannot use the metadata database ${redactUrl(database.metadataUrl)}: ${message}`
    : message
}
