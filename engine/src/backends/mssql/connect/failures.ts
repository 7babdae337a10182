import type { Failures } from '../../backend.ts'
import { CONNECTION_ERROR, connectionError } from './database-error.ts'

/** What errors of SQL Server mean. It has no replicas that reads are sent to. */
export const failures: Failures = {
  unreachable: connectionError,
  isUnreachable: (error) => error.message === CONNECTION_ERROR,
  ofRead: () => null,
}
