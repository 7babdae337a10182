// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { Timeouts } from './types.ts'

export interface BigquerySourceCustomizationRootFields {
  /** Field below which all root fields of the source stand. */
  readonly namespace?: string | undefined
  /** What root fields begin with. */
  readonly prefix?: string | undefined
  /** What root fields end with. */
  readonly suffix?: string | undefined
}

export interface BigquerySourceCustomizationTypeNames {
  /** What types begin with. */
  readonly prefix?: string | undefined
  /** What types end with. */
  readonly suffix?: string | undefined
}

export interface BigquerySourceCustomization {
  /** Names of the root fields. */
  readonly rootFields?: BigquerySourceCustomizationRootFields | IResolvable | undefined
  /** Names of the types. */
  readonly typeNames?: BigquerySourceCustomizationTypeNames | IResolvable | undefined
  /** How names of the database become names of GraphQL. */
  readonly namingConvention?: string | undefined
}

/** Datasets of BigQuery whose tables the engine serves. What lies in it is declared as in any other source, by the `name` of this resource; tables and functions have a `dataset` in place of a schema. A new name makes a new source: everything that lies in the old one goes with it. */
export interface BigquerySourceConfig extends TerraformMetaArguments {
  /** Its name, by which everything in it names it. A change replaces. */
  readonly name: string
  /** Key of the service account, as JSON: the file that Google makes of it. Any value, or a text of JSON. */
  readonly serviceAccount?: unknown | undefined
  /** Variable of the engine's environment that holds that text. */
  readonly serviceAccountFromEnv?: string | undefined
  /** Key that is stored in no state and no plan. Sent when the source is made and when `service_account_wo_version` changes. Any value, or a text of JSON. Stored nowhere. */
  readonly serviceAccountWo?: unknown | undefined
  /** Any number; a change sends `service_account_wo` again. */
  readonly serviceAccountWoVersion?: number | undefined
  /** Project that its jobs run in. */
  readonly projectId?: string | undefined
  /** Variable of the engine's environment that holds the project. */
  readonly projectIdFromEnv?: string | undefined
  /** Datasets whose tables it has. */
  readonly datasets?: readonly string[] | undefined
  /** Variable of the engine's environment that holds the datasets, with commas between them. */
  readonly datasetsFromEnv?: string | undefined
  /** Most rows of any list; 1000 if it is not given. */
  readonly globalSelectLimit?: number | undefined
  /** Variable of the engine's environment that holds that number. */
  readonly globalSelectLimitFromEnv?: string | undefined
  /** How often a request to BigQuery is tried again; 5 if it is not given. */
  readonly retryLimit?: number | undefined
  /** Variable of the engine's environment that holds that number. */
  readonly retryLimitFromEnv?: string | undefined
  /** Microseconds before the first of these tries; 500000 if it is not given. */
  readonly retryBaseDelay?: number | undefined
  /** Variable of the engine's environment that holds that number. */
  readonly retryBaseDelayFromEnv?: string | undefined
  /** Most bytes that one job may bill, beyond which it fails before it costs anything; 10 GB if it is not given, 0: no limit. */
  readonly maximumBytesBilled?: number | undefined
  /** Names of root fields and types. */
  readonly customization?: BigquerySourceCustomization | IResolvable | undefined
  /** Whether what lies in it goes with it when it is deleted, though no resource deletes it. Without it such a delete is refused. Applied before the delete. */
  readonly forceDestroy?: boolean | IResolvable | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  serviceAccount: ['service_account', 'json'],
  serviceAccountFromEnv: ['service_account_from_env', 'plain'],
  serviceAccountWo: ['service_account_wo', 'json'],
  serviceAccountWoVersion: ['service_account_wo_version', 'plain'],
  projectId: ['project_id', 'plain'],
  projectIdFromEnv: ['project_id_from_env', 'plain'],
  datasets: ['datasets', 'plain'],
  datasetsFromEnv: ['datasets_from_env', 'plain'],
  globalSelectLimit: ['global_select_limit', 'plain'],
  globalSelectLimitFromEnv: ['global_select_limit_from_env', 'plain'],
  retryLimit: ['retry_limit', 'plain'],
  retryLimitFromEnv: ['retry_limit_from_env', 'plain'],
  retryBaseDelay: ['retry_base_delay', 'plain'],
  retryBaseDelayFromEnv: ['retry_base_delay_from_env', 'plain'],
  maximumBytesBilled: ['maximum_bytes_billed', 'plain'],
  customization: ['customization', { object: {
    rootFields: ['root_fields', { object: {
      namespace: ['namespace', 'plain'],
      prefix: ['prefix', 'plain'],
      suffix: ['suffix', 'plain'],
    } }],
    typeNames: ['type_names', { object: {
      prefix: ['prefix', 'plain'],
      suffix: ['suffix', 'plain'],
    } }],
    namingConvention: ['naming_convention', 'plain'],
  } }],
  forceDestroy: ['force_destroy', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** Datasets of BigQuery whose tables the engine serves. What lies in it is declared as in any other source, by the `name` of this resource; tables and functions have a `dataset` in place of a schema. A new name makes a new source: everything that lies in the old one goes with it.
 * 
 * `svc_bigquery_source` in Terraform. */
export class BigquerySource extends TerraformResource {
  static readonly tfResourceType = 'svc_bigquery_source'
  readonly #config: BigquerySourceConfig

  constructor(scope: Construct, id: string, config: BigquerySourceConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_bigquery_source',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<name>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Its name, by which everything in it names it. */
  get name(): string {
    return this.getStringAttribute('name')
  }

  /** Key of the service account, as JSON: the file that Google makes of it. */
  get serviceAccount(): string {
    return this.getStringAttribute('service_account')
  }

  /** Variable of the engine's environment that holds that text. */
  get serviceAccountFromEnv(): string {
    return this.getStringAttribute('service_account_from_env')
  }

  /** Any number; a change sends `service_account_wo` again. */
  get serviceAccountWoVersion(): number {
    return this.getNumberAttribute('service_account_wo_version')
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

  /** Whether what lies in it goes with it when it is deleted, though no resource deletes it. Without it such a delete is refused. Applied before the delete. */
  get forceDestroy(): IResolvable {
    return this.getBooleanAttribute('force_destroy')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
