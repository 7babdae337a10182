// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. Datasets of BigQuery whose tables the engine serves. What lies in it is declared as in any other source, by the `name` of this resource; tables and functions have a `dataset` in place of a schema. A new name makes a new source: everything that lies in the old one goes with it. */
export interface DataSvcBigquerySourceConfig extends TerraformMetaArguments {
  /** Its name, by which everything in it names it. */
  readonly name: string
  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  readonly showSecrets?: boolean | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  showSecrets: ['show_secrets', 'plain'],
}

/** Reads one object that is there, whoever made it. Datasets of BigQuery whose tables the engine serves. What lies in it is declared as in any other source, by the `name` of this resource; tables and functions have a `dataset` in place of a schema. A new name makes a new source: everything that lies in the old one goes with it.
 * 
 * `svc_bigquery_source` in Terraform. */
export class DataSvcBigquerySource extends TerraformDataSource {
  static readonly tfResourceType = 'svc_bigquery_source'
  readonly #config: DataSvcBigquerySourceConfig

  constructor(scope: Construct, id: string, config: DataSvcBigquerySourceConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_bigquery_source',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its name, by which everything in it names it. */
  get name(): string {
    return this.getStringAttribute('name')
  }

  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  get showSecrets(): IResolvable {
    return this.getBooleanAttribute('show_secrets')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Key of the service account, as JSON: the file that Google makes of it. */
  get serviceAccount(): string {
    return this.getStringAttribute('service_account')
  }

  /** Variable of the engine's environment that holds that text. */
  get serviceAccountFromEnv(): string {
    return this.getStringAttribute('service_account_from_env')
  }

  /** Project that its jobs run in. */
  get projectId(): string {
    return this.getStringAttribute('project_id')
  }

  /** Variable of the engine's environment that holds the project. */
  get projectIdFromEnv(): string {
    return this.getStringAttribute('project_id_from_env')
  }

  /** Datasets whose tables it has. */
  get datasets(): string[] {
    return this.getListAttribute('datasets')
  }

  /** Variable of the engine's environment that holds the datasets, with commas between them. */
  get datasetsFromEnv(): string {
    return this.getStringAttribute('datasets_from_env')
  }

  /** Most rows of any list; 1000 if it is not given. */
  get globalSelectLimit(): number {
    return this.getNumberAttribute('global_select_limit')
  }

  /** Variable of the engine's environment that holds that number. */
  get globalSelectLimitFromEnv(): string {
    return this.getStringAttribute('global_select_limit_from_env')
  }

  /** How often a request to BigQuery is tried again; 5 if it is not given. */
  get retryLimit(): number {
    return this.getNumberAttribute('retry_limit')
  }

  /** Variable of the engine's environment that holds that number. */
  get retryLimitFromEnv(): string {
    return this.getStringAttribute('retry_limit_from_env')
  }

  /** Microseconds before the first of these tries; 500000 if it is not given. */
  get retryBaseDelay(): number {
    return this.getNumberAttribute('retry_base_delay')
  }

  /** Variable of the engine's environment that holds that number. */
  get retryBaseDelayFromEnv(): string {
    return this.getStringAttribute('retry_base_delay_from_env')
  }

  /** Most bytes that one job may bill, beyond which it fails before it costs anything; 10 GB if it is not given, 0: no limit. */
  get maximumBytesBilled(): number {
    return this.getNumberAttribute('maximum_bytes_billed')
  }

  /** Names of root fields and types. */
  get customization(): IResolvable {
    return this.interpolationForAttribute('customization')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
