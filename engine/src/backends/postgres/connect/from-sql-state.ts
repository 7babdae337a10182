/** The one place that reads SQLSTATE (reference/mutations#errors-of-the-database). */
import pg from 'pg'
import { ApiError, type ErrorCode, Path } from '../../../errors.ts'
import { type ReadFailure, SourceUnavailable } from '../../backend.ts'
import { StatementError } from './database-error.ts'
import { maskQuoted } from './mask-quoted.ts'
import { NeverBegan } from './never-began.ts'

/** The statement that was sent, for `internal` of its error. */
export interface SentStatement {
  readonly text: string
  readonly parameters: readonly (string | null)[]
  readonly prepared: boolean
  /** Whether only the admin sees its errors. */
  readonly isAdmins?: boolean
}

/** Returns the ApiError for an error of a statement of ours. What is no error of the database is returned unchanged. */
export function fromSqlState(error: unknown, path: Path, sent: SentStatement): unknown {
  if (error instanceof NeverBegan) return fromSqlState(error.cause, path, sent)
  if (isConnectionError(error)) return connectionError(error)
  if (!(error instanceof pg.DatabaseError)) return error
  const found = classify(error)
  const masked = sent.isAdmins ? null : masksRows(error, sent)
  if (found && masked !== null)
    return new ApiError(found.code, path, masked, {
      adminMessage: found.message,
      internal: internalOf(error, sent),
      cause: error,
    })
  if (found) return new ApiError(found.code, path, found.message, { cause: error })
  return new ApiError('unexpected', path, 'database query error', {
    status: 500,
    internal: internalOf(error, sent),
    cause: error,
  })
}

/** Returns the message without values of rows, or null where it quotes none. */
function masksRows(error: pg.DatabaseError, { parameters }: SentStatement): string | null {
  if (!error.code?.startsWith('22')) return null
  // before it ran it had seen parameters only
  const isBefore = error instanceof StatementError && !error.isRunning
  return maskQuoted(error.message, (value) =>
    parameters.some((own) => own !== null && (own === value || (isBefore && own.includes(value)))),
  )
}

/** Returns the error of run_sql: all errors of the database have one form (reference/metadata-operations#sql). */
export function scriptError(error: unknown, path: Path, script: string): unknown {
  if (isConnectionError(error)) return connectionError(error)
  if (!(error instanceof pg.DatabaseError)) return error
  const internal = internalOf(error, { text: script, parameters: [], prepared: false })
  return new ApiError('postgres-error', path, 'query execution failed', { internal, cause: error })
}

/** Returns the error for a database that was not reached, or a connection that was lost on the way. */
export function connectionError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof NeverBegan) return connectionError(error.cause)
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof pg.DatabaseError && isTooMany(error))
    return new ApiError('postgres-max-connections-error', Path.root, 'max connections reached on postgres', {
      internal: message,
      cause: error,
    })
  return new ApiError('postgres-error', Path.root, 'connection error', { status: 500, internal: message, cause: error })
}

/** Returns the same error where nothing was sent, since the source is known to be unavailable. */
export const unreachable = (reason: unknown): ApiError =>
  new ApiError('postgres-error', Path.root, 'connection error', { status: 500, internal: reason })

/** Whether it is what `connectionError` returns. */
export const isUnreachable = ({ code, message }: ApiError): boolean =>
  code === 'postgres-max-connections-error' || (code === 'postgres-error' && message === 'connection error')

/** Returns why a read on a replica failed, by the error that it was rejected with; null: the primary says the same. */
export function readFailure(error: unknown): ReadFailure | null {
  if (error instanceof SourceUnavailable) return 'unreachable'
  if (!(error instanceof ApiError)) return null
  const { cause } = error
  if (error.code === 'postgres-error' && isConnectionError(cause)) return 'unreachable'
  const state = cause instanceof pg.DatabaseError ? (cause.code ?? '') : ''
  // it was recovering while it read; nothing else changes what it reads
  if (['40001', '40P01', '25006'].includes(state)) return 'elsewhere'
  if (['53', '58', 'XX'].includes(state.slice(0, 2))) return 'elsewhere'
  if (['42', '0A', '3F', '3D'].includes(state.slice(0, 2))) return 'differs'
  return null
}

/** Whether the connection (not the statement) is at fault: then a statement without side effects may be sent again. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof NeverBegan) return isConnectionError(error.cause)
  if (!(error instanceof pg.DatabaseError)) return error instanceof Error && isLostSocket(error)
  const state = error.code ?? ''
  return state.startsWith('08') || ['57P01', '57P02', '57P03', '57P05', '53300'].includes(state)
}

function isLostSocket(error: Error): boolean {
  if ('code' in error && typeof error.code === 'string' && /^E[A-Z_]+$/.test(error.code)) return true
  return isCutOff(error) || /^(Client was closed|timeout expired)/.test(error.message)
}

const isCutOff = ({ message }: Error) =>
  /^(Connection terminated|Client has encountered a connection error)/.test(message)

/** Whether the server does not listen, or starts or stops just now: it may recover soon. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return ['57P01', '57P02', '57P03'].includes(error.code ?? '')
  return error instanceof Error && (isRefusedSocket(error) || isCutOff(error))
}

const isRefusedSocket = (error: Error) =>
  'code' in error && ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT'].includes(String(error.code))

/** Whether the server accepts no more connections (PgBouncer says so in words only). */
export const isTooMany = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (error.code === '53300' || error.message.startsWith('no more connections allowed'))

/** Whether the server has no such prepared statement, or another by its name: due to a pooler, or a parse that failed. */
export function isLostStatement(error: unknown): boolean {
  if (error instanceof NeverBegan) return isLostStatement(error.cause)
  return error instanceof pg.DatabaseError && (error.code === '26000' || error.code === '42P05')
}

/** Whether code of a user's failed: by a text of its own, a setting, a right or a name that no statement of ours lacks. */
export function isUsersCode(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  if (!(error instanceof pg.DatabaseError)) return isUsersCode(error.cause)
  const state = error.code ?? ''
  return state.startsWith('P0') || state.startsWith('42')
}

/** Whether the statement reached a time limit, or was cancelled. */
export const isCancelled = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '57014'

/** Whether the statement waited for a lock for as long as it may. */
export const isLockTimeout = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '55P03'

interface Classified {
  readonly code: ErrorCode
  readonly message: string
}

function classify(error: pg.DatabaseError): Classified | null {
  const state = error.code ?? ''
  const known = states[state]
  if (known) return { code: known.code, message: known.message(error.message) }
  if (state.startsWith('23')) return { code: 'constraint-violation', message: error.message }
  if (state.startsWith('22')) return { code: 'data-exception', message: error.message }
  // more columns, arguments or levels than PostgreSQL takes: the client requests less, or never gets it
  if (state.startsWith('54')) return { code: 'not-supported', message: error.message }
  return null
}

const after = (prefix: string) => (message: string) => `${prefix}${message}`

const states: Readonly<Record<string, { readonly code: ErrorCode; readonly message: (text: string) => string }>> = {
  '23001': {
    code: 'constraint-violation',
    message: after('Can not delete or update due to data being referred. '),
  },
  '23502': { code: 'constraint-violation', message: after('Not-NULL violation. ') },
  '23503': { code: 'constraint-violation', message: after('Foreign key violation. ') },
  '23505': { code: 'constraint-violation', message: after('Uniqueness violation. ') },
  '23514': { code: 'permission-error', message: after('Check constraint violation. ') },
  '23P01': { code: 'constraint-violation', message: after('Exclusion violation. ') },
  '22025': { code: 'bad-request', message: after('') },
  '40001': { code: 'concurrent-update', message: after('') },
  '42704': { code: 'constraint-error', message: after('') },
  '42P10': {
    code: 'constraint-error',
    message: () => 'there is no unique or exclusion constraint on target column(s)',
  },
}

/** Characters of an argument that are shown. */
const SHOWN = 10_000

function internalOf(error: pg.DatabaseError, { text, parameters, prepared }: SentStatement) {
  return {
    statement: text,
    prepared,
    arguments: parameters.map((text) => text && (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)),
    error: {
      exec_status: 'PGRES_FATAL_ERROR',
      hint: error.hint ?? null,
      message: error.message,
      status_code: error.code ?? null,
      description: error.detail ?? null,
    },
  }
}
