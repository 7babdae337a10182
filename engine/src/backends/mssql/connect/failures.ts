import { ApiError, Path } from '../../../errors.ts'
import type { Failures } from '../../backend.ts'

const message = 'mssql connection error'

/** What errors of SQL Server mean. It has no replicas that reads are sent to. */
export const failures: Failures = {
  unreachable: (reason) => new ApiError('unexpected', Path.root, message, { status: 500, internal: reason }),
  isUnreachable: (error) => error.message === message,
  ofRead: () => null,
}
