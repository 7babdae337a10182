import { FatalError, type ServerConfig } from '../config/index.ts'
import { EmbeddedError } from '../embedded/index.ts'
import { CatalogueRefused } from '../metadata/index.ts'
import { errorReport, redactUrl } from '../observe/index.ts'

/** Returns why the engine does not start, as one line for the process that started it. */
export function explainFailure(error: unknown, config: ServerConfig): FatalError {
  if (error instanceof FatalError) return error
  if (error instanceof EmbeddedError || error instanceof CatalogueRefused) return new FatalError(error.message)
  const { message, code } = errorReport(error)
  const options = { cause: error }
  if (code === 'EADDRINUSE')
    return new FatalError(
      `Port ${config.serverPort} is in use. Stop what listens there, or take another port: --server-port (SVC_GRAPHQL_SERVER_PORT)`,
      options,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'EACCES')
    return new FatalError(
      `Cannot listen on ${config.listenHost}, port ${config.serverPort} (${code}): take others with --server-host and --server-port`,
      options,
    )
  if (config.database.kind === 'given')
    return new FatalError(
      `Cannot use the metadata database ${redactUrl(config.database.metadataUrl)}: ${message}`,
      options,
    )
  return new FatalError(message, options)
}
