/**
 * mssql: the SQL Server backend. introspect/ reads the catalogue, types/ says what each type can do, compile/ makes
 * T-SQL of IR, write/ makes programs of writes, connect/ sends them.
 */
import type { MssqlConfiguration } from '@svc/schema'
import type { Backend } from '../backend.ts'
import { compileMultiplexed } from './compile/compile-multiplexed.ts'
import { compileQuery } from './compile/compile-query.ts'
import { connect } from './connect/connect.ts'
import { CONNECTION_ERROR, connectionError } from './connect/database-error.ts'
import { sourceSettings } from './connect/source-settings.ts'
import { captureProblem } from './events/capture-trigger.ts'
import { sourceKinds } from './source-kinds.ts'
import { typeSystem } from './types/type-system.ts'
import { prepareInserts } from './write/prepare-inserts.ts'
import { prepareWrite } from './write/prepare-write.ts'

export const mssql: Backend = {
  kind: 'mssql',
  system: 'microsoft.sql_server',
  kinds: sourceKinds,
  types: typeSystem,
  compileQuery,
  writes: { prepare: prepareWrite, prepareInserts },
  compileMultiplexed,
  // it has no replicas that reads are sent to
  failures: {
    unreachable: connectionError,
    isUnreachable: ({ message }) => message === CONNECTION_ERROR,
    ofRead: () => null,
  },
  captureProblem,
  source(name, json, context) {
    const settings = sourceSettings(name, json as MssqlConfiguration, context)
    return {
      key: JSON.stringify(settings),
      shown: `mssql:${settings.server}/${settings.database ?? ''}`,
      open: () => connect(settings),
    }
  },
}
