// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. Where the engine sends traces, metrics and logs with OpenTelemetry. There is one of it in an engine: a second stack that declares it is refused, and deleting it sends nothing any more. */
export interface DataSvcOpenTelemetryConfig extends TerraformMetaArguments {
  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  readonly showSecrets?: boolean | IResolvable | undefined
}

const inputs: Inputs = {
  showSecrets: ['show_secrets', 'plain'],
}

/** Reads one object that is there, whoever made it. Where the engine sends traces, metrics and logs with OpenTelemetry. There is one of it in an engine: a second stack that declares it is refused, and deleting it sends nothing any more.
 * 
 * `svc_open_telemetry` in Terraform. */
export class DataSvcOpenTelemetry extends TerraformDataSource {
  static readonly tfResourceType = 'svc_open_telemetry'
  readonly #config: DataSvcOpenTelemetryConfig

  constructor(scope: Construct, id: string, config: DataSvcOpenTelemetryConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'svc_open_telemetry',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  get showSecrets(): IResolvable {
    return this.getBooleanAttribute('show_secrets')
  }

  /** Its identity, by which it is imported. */
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
