import { databaseInspectionArgs } from '@svc/schema'
import { readySource } from '../../changes/index.ts'
import { ApiError } from '../../errors.ts'
import { defineSourceRead } from '../read-operation.ts'

/** database_inspection: all tables of a source with their columns, as rows of SQL. not-exists, unexpected. */
export const databaseInspection = defineSourceRead({
  name: 'database_inspection',
  scope: 'read',
  effects: 'none',
  besideSql: true,
  args: () => databaseInspectionArgs,
  async answer({ source }, { draft, path }) {
    const { connection } = readySource(draft, source, path)
    if (!connection.inspectDatabase)
      throw new ApiError('not-supported', path, `the database of source "${source}" is not inspected`)
    return { ...(await connection.inspectDatabase(path)) }
  },
})
