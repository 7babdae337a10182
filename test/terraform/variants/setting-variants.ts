import { type Config, changing, inObject, type Makers, nothing, without } from './variant.ts'
import { writeOnlyVariants } from './webhook-variants.ts'

export function apiLimitsVariants(): Makers {
  const limit = (name: string): Makers => ({
    ...inObject(nothing, name)('global', { global: 5 }, { global: 6 }),
    ...inObject(nothing, name)('per_role', { global: 5, per_role: { a: 1 } }, { global: 5, per_role: { a: 2 } }),
  })
  const rate = (attribute: string, from: Config, to: Config): Makers => ({
    [`rate_limit.global.${attribute}`]: changing(
      nothing,
      { rate_limit: { global: { max_reqs_per_min: 1, ...from } } },
      { rate_limit: { global: { max_reqs_per_min: 1, ...to } } },
    ),
    [`rate_limit.per_role.*.${attribute}`]: changing(
      nothing,
      { rate_limit: { global: { max_reqs_per_min: 1 }, per_role: { a: { max_reqs_per_min: 1, ...from } } } },
      { rate_limit: { global: { max_reqs_per_min: 1 }, per_role: { a: { max_reqs_per_min: 1, ...to } } } },
    ),
  })
  return {
    ...limit('depth_limit'),
    ...limit('node_limit'),
    ...limit('batch_limit'),
    ...limit('time_limit'),
    ...rate('max_reqs_per_min', {}, { max_reqs_per_min: 2 }),
    ...rate('unique_by_ip', {}, { unique_by_ip: true }),
    ...rate('unique_params', { unique_params: ['x-a'] }, { unique_params: ['x-a', 'x-b'] }),
    disabled: changing(nothing, { depth_limit: { global: 1 } }, { depth_limit: { global: 1 }, disabled: true }),
  }
}

export function metricsConfigVariants(): Makers {
  return {
    analyze_query_variables: changing(
      nothing,
      { analyze_response_body: true },
      { analyze_response_body: true, analyze_query_variables: true },
    ),
    analyze_response_body: changing(
      nothing,
      { analyze_query_variables: true },
      { analyze_response_body: true, analyze_query_variables: true },
    ),
  }
}

export function introspectionOptionsVariants(): Makers {
  return {
    disabled_for_roles: changing(nothing, { disabled_for_roles: ['a'] }, { disabled_for_roles: ['b', 'a'] }),
  }
}

export function openTelemetryVariants(): Makers {
  const base = (): Config => ({ data_types: ['traces'] })
  const exporter = inObject(base, 'exporter_otlp')
  const header = (attribute: string, from: Config, to: Config): Makers =>
    exporter(
      `headers.*.${attribute}`,
      { headers: [without({ name: 'x-key', value: 'a', ...from })] },
      { headers: [without({ name: 'x-key', value: 'a', ...to })] },
    )
  const resource = (attribute: string, to: Config): Makers =>
    exporter(
      `resource_attributes.*.${attribute}`,
      { resource_attributes: [{ name: 'a', value: '1' }] },
      { resource_attributes: [{ name: 'a', value: '1', ...to }] },
    )
  const url = 'http://localhost:1/a'
  return {
    ...inObject(base, 'batch_span_processor')(
      'max_export_batch_size',
      { max_export_batch_size: 1 },
      { max_export_batch_size: 2 },
    ),
    status: changing(base, {}, { status: '{{SVC_TEST_EMPTY}}' }),
    data_types: changing(base, {}, { data_types: ['metrics', 'traces'] }),
    ...exporter('otlp_traces_endpoint', { otlp_traces_endpoint: url }, { otlp_traces_endpoint: `${url}b` }),
    ...exporter('otlp_metrics_endpoint', { otlp_metrics_endpoint: url }, { otlp_metrics_endpoint: `${url}b` }),
    ...exporter('otlp_logs_endpoint', { otlp_logs_endpoint: url }, { otlp_logs_endpoint: `${url}b` }),
    ...writeOnlyVariants(base, 'exporter_otlp_headers', { exporter_otlp: { otlp_traces_endpoint: url } }),
    ...exporter('protocol', { otlp_traces_endpoint: url }, { otlp_traces_endpoint: url, protocol: 'grpc' }),
    ...header('name', {}, { name: 'x-other' }),
    ...header('value', {}, { value: 'b' }),
    ...header('value_from_env', { value: null, value_from_env: 'A' }, { value: null, value_from_env: 'B' }),
    ...resource('name', { name: 'b' }),
    ...resource('value', { value: '2' }),
    ...exporter(
      'traces_propagators',
      { otlp_traces_endpoint: url },
      { otlp_traces_endpoint: url, traces_propagators: ['tracecontext'] },
    ),
  }
}

export function tlsAllowlistEntryVariants(): Makers {
  const base = (slot: string): Config => ({ host: slot.replaceAll('_', '-'), suffix: '443' })
  return {
    host: (slot) => [base(slot), { ...base(slot), host: `${slot.replaceAll('_', '-')}-2` }],
    suffix: changing(base, {}, { suffix: '444' }),
    permissions: changing(base, {}, { permissions: ['self-signed'] }),
  }
}
