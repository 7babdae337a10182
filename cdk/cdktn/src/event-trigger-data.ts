// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { TableName } from './types.ts'

/** Reads one object that is there, whoever made it. A webhook that gets every change of a table's rows, whoever makes it. */
export interface DataSvcEventTriggerConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. */
  readonly source?: string | undefined
  /** The table it lies in, best as an output of it. */
  readonly table: TableName | IResolvable
  /** Its name, which no other trigger of the source has. */
  readonly name: string
  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  readonly showSecrets?: boolean | IResolvable | undefined
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  table: ['table', { object: {
    schema: ['schema', 'plain'],
    dataset: ['dataset', 'plain'],
    name: ['name', 'plain'],
  } }],
  name: ['name', 'plain'],
  showSecrets: ['show_secrets', 'plain'],
}

/** Reads one object that is there, whoever made it. A webhook that gets every change of a table's rows, whoever makes it.
 * 
 * `svc_event_trigger` in Terraform. */
export class DataSvcEventTrigger extends TerraformDataSource {
  static readonly tfResourceType = 'svc_event_trigger'
  readonly #config: DataSvcEventTriggerConfig

  constructor(scope: Construct, id: string, config: DataSvcEventTriggerConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_event_trigger',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. */
  get source(): string {
    return this.getStringAttribute('source')
  }

  /** The table it lies in, best as an output of it. */
  get table(): IResolvable {
    return this.interpolationForAttribute('table')
  }

  /** Its name, which no other trigger of the source has. */
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

  /** Address that is called. May name variables of the engine: `{{ORDERS_URL}}`. Either this or `webhook_from_env`. */
  get webhook(): string {
    return this.getStringAttribute('webhook')
  }

  /** Variable of the engine's environment that holds the address. Either this or `webhook`. */
  get webhookFromEnv(): string {
    return this.getStringAttribute('webhook_from_env')
  }

  /** Makes every insert of a row an event. */
  get insert(): IResolvable {
    return this.interpolationForAttribute('insert')
  }

  /** Makes every update of a row an event. */
  get update(): IResolvable {
    return this.interpolationForAttribute('update')
  }

  /** Makes every delete of a row an event. */
  get delete(): IResolvable {
    return this.interpolationForAttribute('delete')
  }

  /** Whether it can be invoked by hand too, with the operation `invoke_event_trigger` of its kind of source. */
  get enableManual(): IResolvable {
    return this.getBooleanAttribute('enable_manual')
  }

  /** Headers it is called with. */
  get headers(): IResolvable {
    return this.interpolationForAttribute('headers')
  }

  /** What happens when a delivery fails. */
  get retryConf(): IResolvable {
    return this.interpolationForAttribute('retry_conf')
  }

  /** How the request is rewritten, by templates of the language Kriti. */
  get requestTransform(): IResolvable {
    return this.interpolationForAttribute('request_transform')
  }

  /** How the response is rewritten, by templates of the language Kriti. */
  get responseTransform(): IResolvable {
    return this.interpolationForAttribute('response_transform')
  }

  /** When events that are done with are deleted. */
  get cleanupConfig(): IResolvable {
    return this.interpolationForAttribute('cleanup_config')
  }

  /** Whether changes that replication applies are events too. */
  get triggerOnReplication(): IResolvable {
    return this.getBooleanAttribute('trigger_on_replication')
  }

  /** For people who read the metadata. */
  get comment(): string {
    return this.getStringAttribute('comment')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
