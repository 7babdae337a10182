// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. A webhook that the engine calls on a schedule. */
export interface DataSvcCronTriggerConfig extends TerraformMetaArguments {
  /** Its name. */
  readonly name: string
  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  readonly showSecrets?: boolean | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  showSecrets: ['show_secrets', 'plain'],
}

/** Reads one object that is there, whoever made it. A webhook that the engine calls on a schedule.
 * 
 * `svc_cron_trigger` in Terraform. */
export class DataSvcCronTrigger extends TerraformDataSource {
  static readonly tfResourceType = 'svc_cron_trigger'
  readonly #config: DataSvcCronTriggerConfig

  constructor(scope: Construct, id: string, config: DataSvcCronTriggerConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_cron_trigger',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its name. */
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

  /** Address that is called. May name variables of the engine: `{{REPORTS_URL}}`. Either this or `webhook_from_env`. */
  get webhook(): string {
    return this.getStringAttribute('webhook')
  }

  /** Variable of the engine's environment that holds the address. Either this or `webhook`. */
  get webhookFromEnv(): string {
    return this.getStringAttribute('webhook_from_env')
  }

  /** When it is called, in UTC: five fields as of cron, or `@daily` and the like. */
  get schedule(): string {
    return this.getStringAttribute('schedule')
  }

  /** What is sent, as JSON. */
  get payload(): string {
    return this.getStringAttribute('payload')
  }

  /** Headers it is called with. */
  get headers(): IResolvable {
    return this.interpolationForAttribute('headers')
  }

  /** What happens when a call fails. */
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
