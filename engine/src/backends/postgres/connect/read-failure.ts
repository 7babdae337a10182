import pg from 'pg'
import { ApiError } from '../../../errors.ts'
import { type ReadFailure, SourceUnavailable } from '../../backend.ts'
import { isConnectionError } from './from-sql-state.ts'

/** What `connectionError` returns. */
export const isUnreachable = ({ code, message }: ApiError): boolean =>
  code === 'postgres-max-connections-error' || (code === 'postgres-error' && message === 'connection error')

/** Why a read on a replica failed, of what `query`, `queryRows` and `explain` reject with; null: the primary says the same. */
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
