import { ApiError, Path } from '../../../errors.ts'
import type { WriteCompiler } from '../../backend.ts'

/** Inserts as batches around a temporary table (docs/sql-server.md). */
export const prepareInserts: WriteCompiler['prepareInserts'] = () => {
  throw new ApiError('not-supported', Path.root, 'SQL Server sources are not written yet')
}
