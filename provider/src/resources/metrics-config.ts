import { defineResource } from './define-resource.ts'
import { operations } from './operation.ts'

/** What the engine reads for its metrics (reference/metadata-operations#roles-limits-telemetry). */
export const metricsConfig = defineResource({
  kind: 'MetricsConfig',
  type: 'metrics_config',
  description:
    'What of requests the engine reads for its metrics. There is one of it in an engine: a second stack that declares it is refused, and deleting it turns both off.',
  inputs: {
    analyze_query_variables: 'Whether variables of queries are read.',
    analyze_response_body: 'Whether bodies of responses are read.',
  },
  identity: [],
  example: ['metrics_config'],
  ...operations('set_metrics_config', 'set_metrics_config', 'remove_metrics_config'),
})
