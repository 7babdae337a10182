/**
 * bigquery: the BigQuery backend, which reads. introspect/ lists tables, types/ says what each type can do, compile/ makes
 * GoogleSQL of IR, connect/ runs it as jobs, assemble/ makes JSON of the rows that are returned.
 */
import type { BigqueryConfiguration } from '@svc/schema'
import type { Backend } from '../backend.ts'
import { compileQuery } from './compile/compile-query.ts'
import { connect } from './connect/connect.ts'
import { REQUEST_FAILURE, requestFailure } from './connect/job-failure.ts'
import { sourceKinds } from './source-kinds.ts'
import { sourceSettings } from './source-settings.ts'
import { stringNumberTypes, typeSystem } from './types/type-system.ts'

export const bigquery: Backend = {
  kind: 'bigquery',
  system: 'gcp.bigquery',
  kinds: sourceKinds,
  types: typeSystem,
  experimentalTypes: { bigquery_string_numeric_input: stringNumberTypes },
  compileQuery,
  // it has no replicas that reads are sent to
  failures: {
    unreachable: (reason) => requestFailure(reason),
    isUnreachable: ({ message }) => message === REQUEST_FAILURE,
    ofRead: () => null,
  },
  source(name, json, context) {
    const settings = sourceSettings(name, json as BigqueryConfiguration, context)
    return {
      key: JSON.stringify(settings),
      shown: `bigquery:${settings.projectId}/${settings.datasets.join(',')}`,
      open: (report) => connect(settings, report),
    }
  },
}
