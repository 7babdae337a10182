import { ApiError, Path } from '../../../errors.ts'
import { errorClass, isRolledBack, isTooLarge } from './error-classes.ts'

/** What of the client's errors is read; it has classes of its own for them, which are loaded with it. */
interface ClientError extends Error {
  readonly code?: unknown
  readonly number?: unknown
  readonly class?: unknown
  readonly precedingErrors?: unknown
  readonly originalError?: unknown
}

/** An error of the server: a message with a number. */
export interface ServerError {
  readonly number: number
  readonly severity: number
  readonly message: string
}

/** Returns the server's first error of a statement; null: there is none, the connection or the client failed. */
export function serverError(error: unknown): ServerError | null {
  if (!(error instanceof Error)) return null
  const own: ClientError = error
  // what comes later says only that something went wrong before
  const first = Array.isArray(own.precedingErrors) ? serverError(own.precedingErrors[0]) : null
  if (first) return first
  if (typeof own.number === 'number' && own.code === 'EREQUEST')
    return { number: own.number, severity: Number(own.class), message: own.message }
  return own.originalError === undefined ? null : serverError(own.originalError)
}

const lost = new Set([
  'ELOGIN',
  'ETIMEOUT',
  'ESOCKET',
  'ECLOSE',
  'ECONNCLOSED',
  'ENOTOPEN',
  'ENOCONN',
  'EINSTLOOKUP',
  'ECONNRESET',
  'EINVALIDSTATE',
  'EPIPE',
])

/** Whether the connection failed, and not the statement. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error) || serverError(error)) return false
  const { code, name, originalError }: ClientError = error
  if (name === 'TimeoutError' || (typeof code === 'string' && lost.has(code))) return true
  return originalError !== undefined && isConnectionError(originalError)
}

export const CONNECTION_ERROR = 'mssql connection error'

/** Returns the error for a database that was not reached, or a connection that was lost on the way. */
export function connectionError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const type = error instanceof Error && 'code' in error ? String(error.code) : 'connection'
  const message = error instanceof Error ? error.message : String(error)
  return new ApiError('unexpected', Path.root, CONNECTION_ERROR, {
    status: 500,
    internal: { exception: { type, message } },
    cause: error,
  })
}

/** Returns the error for a transaction that the script or the server has ended before its commit. */
export function commitError(error: unknown): ApiError {
  if (isConnectionError(error)) return connectionError(error)
  const known = serverError(error)
  return new ApiError('unexpected', Path.root, 'mssql internal error', {
    status: 500,
    internal: known?.message ?? 'No active transaction exist; cannot commit',
    cause: error,
  })
}

/** Returns the error of a failed query: only the admin sees what the server said. */
export function queryError(error: unknown, query: string, path: Path = Path.root): ApiError {
  if (error instanceof ApiError) return error
  if (isConnectionError(error)) return connectionError(error)
  const known = serverError(error)
  if (known && isTooLarge(known.number))
    return new ApiError('validation-failed', path, 'the request is too deep or too large for the database', {
      internal: { query, exception: { type: 'unsuccessful_return_code', message: known.message } },
      cause: error,
    })
  const message =
    known && isRolledBack(known.number)
      ? 'the database has rolled this root field back for another transaction: it may be tried again'
      : 'database query error'
  const said = error instanceof Error ? (known?.message ?? error.message) : String(error)
  return new ApiError('unexpected', path, message, {
    status: 500,
    internal: { query, exception: { type: 'unsuccessful_return_code', message: said } },
    cause: error,
  })
}

/** Returns the error of a failed write, which shows errors of values and constraints to the client. */
export function writeError(error: unknown, query: string, path: Path = Path.root): ApiError {
  const known = serverError(error)
  const found = known && errorClass(known.number, known.severity)
  if (!known || !found?.isOfData) return queryError(error, query, path)
  const adminMessage = `${found.prefix} ${known.message}`
  const message = `${found.prefix} ${withoutValues(known.message)}`
  return new ApiError(found.code, path, message, {
    internal: { query },
    cause: error,
    ...(message !== adminMessage && { adminMessage }),
  })
}

/** Returns the error of run_sql. */
export function scriptError(error: unknown, script: string, path: Path): ApiError {
  if (error instanceof ApiError) return error
  const known = serverError(error)
  const found = known && errorClass(known.number, known.severity)
  if (!known || !found) return queryError(error, script, path)
  return new ApiError(found.code, path, `${found.prefix} ${known.message}`, {
    internal: { query: script },
    cause: error,
  })
}

/** Values that a message quotes may be of columns that a role does not see. */
const withoutValues = (message: string): string =>
  message
    .replace(/ The duplicate key value is \(.*\)\./s, '')
    .replace(/ Truncated value: '.*'\./s, '')
    .replace(/ value '.*' overflowed/s, ' value overflowed')
    .replace(/, value = [^.]*\.?\d*\./, '.')
