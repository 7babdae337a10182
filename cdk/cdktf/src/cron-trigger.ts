// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { OutgoingHeader, RequestTransform, ResponseTransform, ScheduleRetry, Timeouts } from './types.ts'

/** A webhook that the engine calls on a schedule. */
export interface CronTriggerConfig extends TerraformMetaArguments {
  /** Its name. A change replaces. */
  readonly name: string
  /** Address that is called. May name variables of the engine: `{{REPORTS_URL}}`. Either this or `webhook_from_env`. */
  readonly webhook?: string | undefined
  /** Variable of the engine's environment that holds the address. Either this or `webhook`. */
  readonly webhookFromEnv?: string | undefined
  /** When it is called, in UTC: five fields as of cron, or `@daily` and the like. */
  readonly schedule: string
  /** What is sent, as JSON. Any value, or a text of JSON. */
  readonly payload?: unknown | undefined
  /** Headers it is called with. */
  readonly headers?: readonly (OutgoingHeader | IResolvable)[] | IResolvable | undefined
  /** More of `headers`, values by name, that are stored in no state and no plan. Sent when the object is made or changed, and when `headers_wo_version` changes. Stored nowhere. */
  readonly headersWo?: Readonly<Record<string, string>> | IResolvable | undefined
  /** Any number, given with `headers_wo`; a change sends it again. */
  readonly headersWoVersion?: number | undefined
  /** What happens when a call fails. */
  readonly retryConf?: ScheduleRetry | IResolvable | undefined
  /** How the request is rewritten, by templates of the language Kriti. */
  readonly requestTransform?: RequestTransform | IResolvable | undefined
  /** More of `request_transform.add_headers`, values by name, that are stored in no state and no plan. Sent when the object is made or changed, and when `request_transform_add_headers_wo_version` changes. Stored nowhere. */
  readonly requestTransformAddHeadersWo?: Readonly<Record<string, string>> | IResolvable | undefined
  /** Any number, given with `request_transform_add_headers_wo`; a change sends it again. */
  readonly requestTransformAddHeadersWoVersion?: number | undefined
  /** How the response is rewritten, by templates of the language Kriti. */
  readonly responseTransform?: ResponseTransform | IResolvable | undefined
  /** For people who read the metadata. */
  readonly comment?: string | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  webhook: ['webhook', 'plain'],
  webhookFromEnv: ['webhook_from_env', 'plain'],
  schedule: ['schedule', 'plain'],
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

/** A webhook that the engine calls on a schedule.
 * 
 * `svc_cron_trigger` in Terraform. */
export class CronTrigger extends TerraformResource {
  static readonly tfResourceType = 'svc_cron_trigger'
  readonly #config: CronTriggerConfig

  constructor(scope: Construct, id: string, config: CronTriggerConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_cron_trigger',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<name>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Its name. */
  get name(): string {
    return this.getStringAttribute('name')
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
