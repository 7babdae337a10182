/**
 * bigquery: the BigQuery backend, which reads. introspect/ lists tables, types/ says what each type can do, compile/ makes
 * GoogleSQL of IR, connect/ runs it as jobs, assemble/ makes JSON of the rows that come back.
 */
import type { BigqueryConfiguration } from '@svc/schema'
import type { Backend } from '../backend.ts'
import { compileQuery } from './compile/compile-query.ts'
import { noWrites } from './compile/no-writes.ts'
import { refuseSubscriptions } from './compile/refuse-subscriptions.ts'
import { connect } from './connect/connect.ts'
import { sourceKinds } from './source-kinds.ts'
import { sourceSettings } from './source-settings.ts'
import { typeSystem } from './types/type-system.ts'

export const bigquery: Backend = {
  kind: 'bigquery',
  kinds: sourceKinds,
  types: typeSystem,
  enumShape: () => ({ ok: false, reasons: ['Enum tables are not supported for BigQuery sources'] }),
  compileQuery,
  writes: noWrites,
  compileMultiplexed: refuseSubscriptions,
  readFailure: () => null,
  source(name, json, context) {
    const settings = sourceSettings(name, json as BigqueryConfiguration, context)
    return {
      key: JSON.stringify(settings),
      shown: `bigquery:${settings.projectId}/${settings.datasets.join(',')}`,
      open: (report) => connect(settings, report),
    }
  },
}
