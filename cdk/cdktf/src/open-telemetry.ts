// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { BatchSpanProcessor, OtlpExporter, Timeouts } from './types.ts'

/** Where the engine sends traces, metrics and logs with OpenTelemetry. There is one of it in an engine: a second stack that declares it is refused, and deleting it sends nothing any more. */
export interface OpenTelemetryConfig extends TerraformMetaArguments {
  /** `enabled`, `disabled`, or a variable of the engine that says so: `{{TELEMETRY}}`. Default: `"disabled"`. */
  readonly status?: string | undefined
  /** What is sent. */
  readonly dataTypes?: readonly string[] | undefined
  /** Where and how it is sent. */
  readonly exporterOtlp?: OtlpExporter | IResolvable | undefined
  /** More of `exporter_otlp.headers`, values by name, that are stored in no state and no plan. Sent when the object is made or changed, and when `exporter_otlp_headers_wo_version` changes. Stored nowhere. */
  readonly exporterOtlpHeadersWo?: Readonly<Record<string, string>> | IResolvable | undefined
  /** Any number, given with `exporter_otlp_headers_wo`; a change sends it again. */
  readonly exporterOtlpHeadersWoVersion?: number | undefined
  /** How spans are collected before they are sent. */
  readonly batchSpanProcessor?: BatchSpanProcessor | IResolvable | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  status: ['status', 'plain'],
  dataTypes: ['data_types', 'plain'],
  exporterOtlp: ['exporter_otlp', { object: {
    otlpTracesEndpoint: ['otlp_traces_endpoint', 'plain'],
    otlpMetricsEndpoint: ['otlp_metrics_endpoint', 'plain'],
    otlpLogsEndpoint: ['otlp_logs_endpoint', 'plain'],
    protocol: ['protocol', 'plain'],
    headers: ['headers', { each: { object: {
      name: ['name', 'plain'],
      value: ['value', 'plain'],
      valueFromEnv: ['value_from_env', 'plain'],
    } } }],
    resourceAttributes: ['resource_attributes', { each: { object: {
      name: ['name', 'plain'],
      value: ['value', 'plain'],
    } } }],
    tracesPropagators: ['traces_propagators', 'plain'],
  } }],
  exporterOtlpHeadersWo: ['exporter_otlp_headers_wo', 'plain'],
  exporterOtlpHeadersWoVersion: ['exporter_otlp_headers_wo_version', 'plain'],
  batchSpanProcessor: ['batch_span_processor', { object: {
    maxExportBatchSize: ['max_export_batch_size', 'plain'],
  } }],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** Where the engine sends traces, metrics and logs with OpenTelemetry. There is one of it in an engine: a second stack that declares it is refused, and deleting it sends nothing any more.
 * 
 * `svc_open_telemetry` in Terraform. */
export class OpenTelemetry extends TerraformResource {
  static readonly tfResourceType = 'svc_open_telemetry'
  readonly #config: OpenTelemetryConfig

  constructor(scope: Construct, id: string, config: OpenTelemetryConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'svc_open_telemetry',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `open_telemetry`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** `enabled`, `disabled`, or a variable of the engine that says so: `{{TELEMETRY}}`. */
  get status(): string {
    return this.getStringAttribute('status')
  }

  /** What is sent. */
  get dataTypes(): string[] {
    return this.getListAttribute('data_types')
  }

  /** Where and how it is sent. */
  get exporterOtlp(): IResolvable {
    return this.interpolationForAttribute('exporter_otlp')
  }

  /** Any number, given with `exporter_otlp_headers_wo`; a change sends it again. */
  get exporterOtlpHeadersWoVersion(): number {
    return this.getNumberAttribute('exporter_otlp_headers_wo_version')
  }

  /** How spans are collected before they are sent. */
  get batchSpanProcessor(): IResolvable {
    return this.interpolationForAttribute('batch_span_processor')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
