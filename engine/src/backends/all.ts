import type { Backend } from './backend.ts'
import { bigquery } from './bigquery/index.ts'
import { mssql } from './mssql/index.ts'
import { postgres } from './postgres/index.ts'

/** The backends of this version: the one list of them. */
export const allBackends: readonly Backend[] = [postgres, mssql, bigquery]
