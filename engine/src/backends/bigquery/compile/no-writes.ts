import { ApiError, Path } from '../../../errors.ts'
import type { WriteCompiler } from '../../backend.ts'

const refuse = (): never => {
  throw new ApiError('not-supported', Path.root, 'BigQuery sources are only read')
}

/** The schema of a BigQuery source has no mutations. */
export const noWrites: WriteCompiler = { prepare: refuse, prepareInserts: refuse }
