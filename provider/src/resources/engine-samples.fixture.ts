/** What is there once for the whole engine, in one list or as one object. */
import type { KindSample } from './kind-sample.fixture.ts'
import { given, none } from './write-only-samples.fixture.ts'

/** With select permissions of the roles user and guest. */
export const inheritedRole: KindSample = {
  kind: 'InheritedRole',
  base: { role_name: 'editor', role_set: ['user', 'guest'] },
  changes: { role_name: { role_name: 'writer' }, role_set: { role_set: ['guest'] } },
  respelled: [{ role_set: ['guest', 'user', 'guest'] }],
}

export const apiLimits: KindSample = {
  kind: 'ApiLimits',
  base: {
    disabled: false,
    depth_limit: { global: 7, per_role: { user: 5 } },
    node_limit: { global: 100, per_role: null },
    batch_limit: null,
    time_limit: { global: 2.5, per_role: { user: 1 } },
    rate_limit: {
      global: { max_reqs_per_min: 100, unique_by_ip: true, unique_params: null },
      per_role: { user: { max_reqs_per_min: 50, unique_by_ip: false, unique_params: ['x-svc-user-id'] } },
    },
  },
  changes: {
    disabled: { disabled: true },
    depth_limit: { depth_limit: null },
    node_limit: { node_limit: { global: 50 } },
    batch_limit: { batch_limit: { global: 3 } },
    time_limit: { time_limit: { global: 3 } },
    rate_limit: { rate_limit: { global: { max_reqs_per_min: 10 } } },
  },
  respelled: [
    {
      rate_limit: {
        global: { max_reqs_per_min: 100, unique_by_ip: true },
        per_role: { user: { max_reqs_per_min: 50, unique_params: ['x-svc-user-id'] } },
      },
    },
  ],
}

export const metricsConfig: KindSample = {
  kind: 'MetricsConfig',
  base: { analyze_query_variables: true, analyze_response_body: true },
  changes: {
    analyze_query_variables: { analyze_query_variables: false },
    analyze_response_body: { analyze_response_body: null },
  },
  respelled: [],
}

export const introspectionOptions: KindSample = {
  kind: 'IntrospectionOptions',
  base: { disabled_for_roles: ['user', 'guest'] },
  changes: { disabled_for_roles: { disabled_for_roles: ['user'] } },
  respelled: [{ disabled_for_roles: ['guest', 'user', 'guest'] }],
}

export const openTelemetry: KindSample = {
  kind: 'OpenTelemetry',
  base: {
    status: 'disabled',
    data_types: ['metrics', 'traces'],
    exporter_otlp: {
      otlp_traces_endpoint: 'http://localhost:1/v1/traces',
      otlp_metrics_endpoint: 'http://localhost:1/v1/metrics',
      otlp_logs_endpoint: null,
      protocol: 'http/protobuf',
      headers: [{ name: 'x-key', value: null, value_from_env: 'SVC_TEST_OTHER_URL' }],
      resource_attributes: [{ name: 'service.name', value: 'shop' }],
      traces_propagators: ['tracecontext'],
    },
    ...none('exporter_otlp_headers'),
    batch_span_processor: { max_export_batch_size: 100 },
  },
  changes: {
    status: { status: '{{SVC_TEST_TELEMETRY}}' },
    data_types: { data_types: null },
    exporter_otlp: { exporter_otlp: { otlp_traces_endpoint: 'http://localhost:2/v1/traces' } },
    ...given('exporter_otlp_headers'),
    batch_span_processor: { batch_span_processor: null },
  },
  respelled: [{ data_types: ['traces', 'metrics'] }],
}

export const tlsAllowlistEntry: KindSample = {
  kind: 'TlsAllowlistEntry',
  base: { host: 'collector.internal', suffix: '4318', permissions: ['self-signed'] },
  changes: {
    host: { host: 'reports.internal' },
    suffix: { suffix: null },
    permissions: { permissions: null },
  },
  respelled: [],
}
