// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { OutgoingHeader, RequestTransform, ResponseTransform, ScheduleRetry, Timeouts } from './types.ts'

/** A webhook that the engine calls once, at a time. It is kept beside the metadata, with an id that the engine knows it by, and is never changed: another one takes its place, which is sent although the first may have been. One that is gone from the engine is made again while its time is still to come, and never after that. Deleting it deletes its log too, and takes nothing back that was sent. */
export interface ScheduledEventConfig extends TerraformMetaArguments {
  /** Address that is called. May name variables of the engine: `{{REMINDERS_URL}}`. Either this or `webhook_from_env`. A change replaces. */
  readonly webhook?: string | undefined
  /** Variable of the engine's environment that holds the address. Either this or `webhook`. A change replaces. */
  readonly webhookFromEnv?: string | undefined
  /** When it is called: ISO 8601, `2030-01-01T09:00:00Z`; without a time zone in UTC. A time in the past is at once, within the tolerance. A change replaces. */
  readonly scheduleAt: string
  /** What is sent, as JSON. Any value, or a text of JSON. A change replaces. */
  readonly payload?: unknown | undefined
  /** Headers it is called with. A change replaces. */
  readonly headers?: readonly (OutgoingHeader | IResolvable)[] | IResolvable | undefined
  /** More of `headers`, values by name, that are stored in no state and no plan. Sent when the object is made or changed, and when `headers_wo_version` changes. Stored nowhere. */
  readonly headersWo?: Readonly<Record<string, string>> | IResolvable | undefined
  /** Any number, given with `headers_wo`; a change sends it again. A change replaces. */
  readonly headersWoVersion?: number | undefined
  /** What happens when a call fails. A change replaces. */
  readonly retryConf?: ScheduleRetry | IResolvable | undefined
  /** How the request is rewritten, by templates of the language Kriti. A change replaces. */
  readonly requestTransform?: RequestTransform | IResolvable | undefined
  /** More of `request_transform.add_headers`, values by name, that are stored in no state and no plan. Sent when the object is made or changed, and when `request_transform_add_headers_wo_version` changes. Stored nowhere. */
  readonly requestTransformAddHeadersWo?: Readonly<Record<string, string>> | IResolvable | undefined
  /** Any number, given with `request_transform_add_headers_wo`; a change sends it again. A change replaces. */
  readonly requestTransformAddHeadersWoVersion?: number | undefined
  /** How the response is rewritten, by templates of the language Kriti. A change replaces. */
  readonly responseTransform?: ResponseTransform | IResolvable | undefined
  /** For people who read the events; it is sent too. A change replaces. */
  readonly comment?: string | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  webhook: ['webhook', 'plain'],
  webhookFromEnv: ['webhook_from_env', 'plain'],
  scheduleAt: ['schedule_at', 'plain'],
  payload: ['payload', 'json'],
  headers: ['headers', { each: { object: {
    name: ['name', 'plain'],
    value: ['value', 'plain'],
    valueFromEnv: ['value_from_env', 'plain'],
  } } }],
  headersWo: ['headers_wo', 'plain'],
  headersWoVersion: ['headers_wo_version', 'plain'],
  retryConf: ['retry_conf', { object: {
    numRetries: ['num_retries', 'plain'],
    retryIntervalSeconds: ['retry_interval_seconds', 'plain'],
    timeoutSeconds: ['timeout_seconds', 'plain'],
    toleranceSeconds: ['tolerance_seconds', 'plain'],
  } }],
  requestTransform: ['request_transform', { object: {
    method: ['method', 'plain'],
    url: ['url', 'plain'],
    queryParams: ['query_params', 'plain'],
    queryFlags: ['query_flags', 'plain'],
    queryTemplate: ['query_template', 'plain'],
    addHeaders: ['add_headers', 'plain'],
    removeHeaders: ['remove_headers', 'plain'],
    body: ['body', { object: {
      action: ['action', 'plain'],
      template: ['template', 'plain'],
      formTemplate: ['form_template', 'plain'],
    } }],
  } }],
  requestTransformAddHeadersWo: ['request_transform_add_headers_wo', 'plain'],
  requestTransformAddHeadersWoVersion: ['request_transform_add_headers_wo_version', 'plain'],
  responseTransform: ['response_transform', { object: {
    body: ['body', { object: {
      action: ['action', 'plain'],
      template: ['template', 'plain'],
      formTemplate: ['form_template', 'plain'],
    } }],
  } }],
  comment: ['comment', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** A webhook that the engine calls once, at a time. It is kept beside the metadata, with an id that the engine knows it by, and is never changed: another one takes its place, which is sent although the first may have been. One that is gone from the engine is made again while its time is still to come, and never after that. Deleting it deletes its log too, and takes nothing back that was sent.
 * 
 * `svc_scheduled_event` in Terraform. */
export class ScheduledEvent extends TerraformResource {
  static readonly tfResourceType = 'svc_scheduled_event'
  readonly #config: ScheduledEventConfig

  constructor(scope: Construct, id: string, config: ScheduledEventConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_scheduled_event',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<id>`. */
  get id(): string {
    return this.getStringAttribute('id')
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

  /** Any number, given with `headers_wo`; a change sends it again. */
  get headersWoVersion(): number {
    return this.getNumberAttribute('headers_wo_version')
  }

  /** What happens when a call fails. */
  get retryConf(): IResolvable {
    return this.interpolationForAttribute('retry_conf')
  }

  /** How the request is rewritten, by templates of the language Kriti. */
  get requestTransform(): IResolvable {
    return this.interpolationForAttribute('request_transform')
  }

  /** Any number, given with `request_transform_add_headers_wo`; a change sends it again. */
  get requestTransformAddHeadersWoVersion(): number {
    return this.getNumberAttribute('request_transform_add_headers_wo_version')
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
