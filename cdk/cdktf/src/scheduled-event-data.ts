// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. A webhook that the engine calls once, at a time. It is kept beside the metadata, with an id that the engine knows it by, and is never changed: another one takes its place, which is sent although the first may have been. One that is gone from the engine is made again while its time is still to come, and never after that. Deleting it deletes its log too, and takes nothing back that was sent. */
export interface DataSvcScheduledEventConfig extends TerraformMetaArguments {
  /** Its identity, by which it is imported. */
  readonly id: string
  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  readonly showSecrets?: boolean | IResolvable | undefined
}

const inputs: Inputs = {
  id: ['id', 'plain'],
  showSecrets: ['show_secrets', 'plain'],
}

/** Reads one object that is there, whoever made it. A webhook that the engine calls once, at a time. It is kept beside the metadata, with an id that the engine knows it by, and is never changed: another one takes its place, which is sent although the first may have been. One that is gone from the engine is made again while its time is still to come, and never after that. Deleting it deletes its log too, and takes nothing back that was sent.
 * 
 * `svc_scheduled_event` in Terraform. */
export class DataSvcScheduledEvent extends TerraformDataSource {
  static readonly tfResourceType = 'svc_scheduled_event'
  readonly #config: DataSvcScheduledEventConfig

  constructor(scope: Construct, id: string, config: DataSvcScheduledEventConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_scheduled_event',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  get showSecrets(): IResolvable {
    return this.getBooleanAttribute('show_secrets')
  }

  /** Address that is called. May name variables of the engine: `{{REMINDERS_URL}}`. Either this or `webhook_from_env`. */
  get webhook(): string {
    return this.getStringAttribute('webhook')
  }

  /** Variable of the engine's environment that holds the address. Either this or `webhook`. */
  get webhookFromEnv(): string {
    return this.getStringAttribute('webhook_from_env')
  }

  /** When it is called: ISO 8601, `2030-01-01T09:00:00Z`; without a time zone in UTC. A time in the past is at once, within the tolerance. */
  get scheduleAt(): string {
    return this.getStringAttribute('schedule_at')
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

  /** For people who read the events; it is sent too. */
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
