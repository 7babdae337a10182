import { ApiError, Path } from '../../errors.ts'

/** What the catalogue is that cannot be used: shown at start as one line. */
export class CatalogueRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CatalogueRefused'
  }
}

/** No connection could be had, for whatever reason: down, gone, refusing this user. */
export class NotConnected extends Error {}

/** Whether the server could not be reached at all (or broke off), in which case another try may succeed. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof NotConnected) return true
  const code = sqlState(error)
  // 08 connection exception; 57P01-5 the server goes down or comes up, or an administrator ended the connection;
  // 53300 too many connections
  return code === null || code.startsWith('08') || code.startsWith('57P0') || code === '53300'
}

/** Five characters; errors of sockets have other codes, or none. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null
}

/**
 * The answer to a request that needed the catalogue and failed there (reference/catalogue,
 * reference/metadata-requests#errors).
 */
export function catalogueError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const message = isConnectionError(error) ? 'connection error' : 'the metadata database refused a statement'
  const cause = error instanceof NotConnected ? error.cause : error
  const internal = cause instanceof Error ? { message: cause.message, code: sqlState(cause) } : undefined
  return new ApiError('postgres-error', Path.root, message, { status: 500, internal, cause: error })
}

/** Whether a statement was sent and its outcome is unknown, of what `catalogueError` has made. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && isConnectionError(error.cause) && !(error.cause instanceof NotConnected)
