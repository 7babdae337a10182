// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { CapturedColumns, EventCleanup, EventRetry, OutgoingHeader, RequestTransform, ResponseTransform, TableName, Timeouts } from './types.ts'

/** A webhook that gets every change of a table's rows, whoever makes it. */
export interface EventTriggerConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. A change replaces. */
  readonly source?: string | undefined
  /** The table it lies in, best as an output of it. A change replaces. */
  readonly table: TableName | IResolvable
  /** Its name, which no other trigger of the source has. A change replaces. */
  readonly name: string
  /** Address that is called. May name variables of the engine: `{{ORDERS_URL}}`. Either this or `webhook_from_env`. */
  readonly webhook?: string | undefined
  /** Variable of the engine's environment that holds the address. Either this or `webhook`. */
  readonly webhookFromEnv?: string | undefined
  /** Makes every insert of a row an event. */
  readonly insert?: CapturedColumns | IResolvable | undefined
  /** Makes every update of a row an event. */
  readonly update?: CapturedColumns | IResolvable | undefined
  /** Makes every delete of a row an event. */
  readonly delete?: CapturedColumns | IResolvable | undefined
  /** Whether it can be invoked by hand too, with the operation `invoke_event_trigger` of its kind of source. Default: `false`. */
  readonly enableManual?: boolean | IResolvable | undefined
  /** Headers it is called with. */
  readonly headers?: readonly (OutgoingHeader | IResolvable)[] | IResolvable | undefined
  /** More of `headers`, values by name, that are stored in no state and no plan. Sent when the object is made or changed, and when `headers_wo_version` changes. Stored nowhere. */
  readonly headersWo?: Readonly<Record<string, string>> | IResolvable | undefined
  /** Any number, given with `headers_wo`; a change sends it again. */
  readonly headersWoVersion?: number | undefined
  /** What happens when a delivery fails. */
  readonly retryConf?: EventRetry | IResolvable | undefined
  /** How the request is rewritten, by templates of the language Kriti. */
  readonly requestTransform?: RequestTransform | IResolvable | undefined
  /** More of `request_transform.add_headers`, values by name, that are stored in no state and no plan. Sent when the object is made or changed, and when `request_transform_add_headers_wo_version` changes. Stored nowhere. */
  readonly requestTransformAddHeadersWo?: Readonly<Record<string, string>> | IResolvable | undefined
  /** Any number, given with `request_transform_add_headers_wo`; a change sends it again. */
  readonly requestTransformAddHeadersWoVersion?: number | undefined
  /** How the response is rewritten, by templates of the language Kriti. */
  readonly responseTransform?: ResponseTransform | IResolvable | undefined
  /** When events that are done with are deleted. */
  readonly cleanupConfig?: EventCleanup | IResolvable | undefined
  /** Whether changes that replication applies are events too. Default: `false`. */
  readonly triggerOnReplication?: boolean | IResolvable | undefined
  /** For people who read the metadata. */
  readonly comment?: string | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  table: ['table', { object: {
    schema: ['schema', 'plain'],
    dataset: ['dataset', 'plain'],
    name: ['name', 'plain'],
  } }],
  name: ['name', 'plain'],
  webhook: ['webhook', 'plain'],
  webhookFromEnv: ['webhook_from_env', 'plain'],
  insert: ['insert', { object: {
    allColumns: ['all_columns', 'plain'],
    columns: ['columns', 'plain'],
    payload: ['payload', 'plain'],
  } }],
  update: ['update', { object: {
    allColumns: ['all_columns', 'plain'],
    columns: ['columns', 'plain'],
    payload: ['payload', 'plain'],
  } }],
  delete: ['delete', { object: {
    allColumns: ['all_columns', 'plain'],
    columns: ['columns', 'plain'],
    payload: ['payload', 'plain'],
  } }],
  enableManual: ['enable_manual', 'plain'],
  headers: ['headers', { each: { object: {
    name: ['name', 'plain'],
    value: ['value', 'plain'],
    valueFromEnv: ['value_from_env', 'plain'],
  } } }],
  headersWo: ['headers_wo', 'plain'],
  headersWoVersion: ['headers_wo_version', 'plain'],
  retryConf: ['retry_conf', { object: {
    numRetries: ['num_retries', 'plain'],
    intervalSec: ['interval_sec', 'plain'],
    timeoutSec: ['timeout_sec', 'plain'],
    noTimeout: ['no_timeout', 'plain'],
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
  cleanupConfig: ['cleanup_config', { object: {
    schedule: ['schedule', 'plain'],
    clearOlderThan: ['clear_older_than', 'plain'],
    batchSize: ['batch_size', 'plain'],
    timeout: ['timeout', 'plain'],
    cleanInvocationLogs: ['clean_invocation_logs', 'plain'],
    paused: ['paused', 'plain'],
  } }],
  triggerOnReplication: ['trigger_on_replication', 'plain'],
  comment: ['comment', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** A webhook that gets every change of a table's rows, whoever makes it.
 * 
 * `svc_event_trigger` in Terraform. */
export class EventTrigger extends TerraformResource {
  static readonly tfResourceType = 'svc_event_trigger'
  readonly #config: EventTriggerConfig

  constructor(scope: Construct, id: string, config: EventTriggerConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_event_trigger',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<source>/<schema>/<table>/<name>`. */
  get id(): string {
    return this.getStringAttribute('id')
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

  /** Any number, given with `headers_wo`; a change sends it again. */
  get headersWoVersion(): number {
    return this.getNumberAttribute('headers_wo_version')
  }

  /** What happens when a delivery fails. */
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
