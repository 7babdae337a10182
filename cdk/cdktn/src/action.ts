// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { ActionArgument, OutgoingHeader, RequestTransform, ResponseTransform, Timeouts } from './types.ts'

/** A root field of GraphQL that a service of your own answers. */
export interface ActionConfig extends TerraformMetaArguments {
  /** Its name, which is also its field. A change replaces. */
  readonly name: string
  /** Address of the service. May name variables of the engine: `{{SHOP_URL}}/orders`. */
  readonly handler: string
  /** Which root has the field. One of `mutation`, `query`. Default: `"mutation"`. */
  readonly type?: string | undefined
  /** Of a mutation: whether it answers at once, or with an id by which the answer is asked for. One of `synchronous`, `asynchronous`. Default: `"synchronous"`. */
  readonly kind?: string | undefined
  /** Its arguments. */
  readonly arguments?: readonly (ActionArgument | IResolvable)[] | IResolvable | undefined
  /** Type of the answer, as GraphQL writes it: an object or a scalar. */
  readonly outputType: string
  /** Headers it is called with. */
  readonly headers?: readonly (OutgoingHeader | IResolvable)[] | IResolvable | undefined
  /** More of `headers`, values by name, that are stored in no state and no plan. Sent when the object is made or changed, and when `headers_wo_version` changes. Stored nowhere. */
  readonly headersWo?: Readonly<Record<string, string>> | IResolvable | undefined
  /** Any number, given with `headers_wo`; a change sends it again. */
  readonly headersWoVersion?: number | undefined
  /** Whether it gets the headers of the client's request. Default: `false`. */
  readonly forwardClientHeaders?: boolean | IResolvable | undefined
  /** Those of them that it does not get. Without it those that belong to a connection or a body. */
  readonly ignoredClientHeaders?: readonly string[] | undefined
  /** Seconds it may take. Default: `30`. */
  readonly timeout?: number | undefined
  /** How the request is rewritten, by templates of the language Kriti. */
  readonly requestTransform?: RequestTransform | IResolvable | undefined
  /** More of `request_transform.add_headers`, values by name, that are stored in no state and no plan. Sent when the object is made or changed, and when `request_transform_add_headers_wo_version` changes. Stored nowhere. */
  readonly requestTransformAddHeadersWo?: Readonly<Record<string, string>> | IResolvable | undefined
  /** Any number, given with `request_transform_add_headers_wo`; a change sends it again. */
  readonly requestTransformAddHeadersWoVersion?: number | undefined
  /** How the response is rewritten, by templates of the language Kriti. */
  readonly responseTransform?: ResponseTransform | IResolvable | undefined
  /** Description of its field in GraphQL. */
  readonly comment?: string | undefined
  /** Whether what lies in it goes with it when it is deleted, though no resource deletes it. Without it such a delete is refused. Applied before the delete. */
  readonly forceDestroy?: boolean | IResolvable | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  handler: ['handler', 'plain'],
  type: ['type', 'plain'],
  kind: ['kind', 'plain'],
  arguments: ['arguments', { each: { object: {
    name: ['name', 'plain'],
    type: ['type', 'plain'],
    description: ['description', 'plain'],
  } } }],
  outputType: ['output_type', 'plain'],
  headers: ['headers', { each: { object: {
    name: ['name', 'plain'],
    value: ['value', 'plain'],
    valueFromEnv: ['value_from_env', 'plain'],
  } } }],
  headersWo: ['headers_wo', 'plain'],
  headersWoVersion: ['headers_wo_version', 'plain'],
  forwardClientHeaders: ['forward_client_headers', 'plain'],
  ignoredClientHeaders: ['ignored_client_headers', 'plain'],
  timeout: ['timeout', 'plain'],
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
  forceDestroy: ['force_destroy', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** A root field of GraphQL that a service of your own answers.
 * 
 * `svc_action` in Terraform. */
export class Action extends TerraformResource {
  static readonly tfResourceType = 'svc_action'
  readonly #config: ActionConfig

  constructor(scope: Construct, id: string, config: ActionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_action',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<name>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Its name, which is also its field. */
  get name(): string {
    return this.getStringAttribute('name')
  }

  /** Address of the service. May name variables of the engine: `{{SHOP_URL}}/orders`. */
  get handler(): string {
    return this.getStringAttribute('handler')
  }

  /** Which root has the field. */
  get type(): string {
    return this.getStringAttribute('type')
  }

  /** Of a mutation: whether it answers at once, or with an id by which the answer is asked for. */
  get kind(): string {
    return this.getStringAttribute('kind')
  }

  /** Its arguments. */
  get arguments(): IResolvable {
    return this.interpolationForAttribute('arguments')
  }

  /** Type of the answer, as GraphQL writes it: an object or a scalar. */
  get outputType(): string {
    return this.getStringAttribute('output_type')
  }

  /** Headers it is called with. */
  get headers(): IResolvable {
    return this.interpolationForAttribute('headers')
  }

  /** Any number, given with `headers_wo`; a change sends it again. */
  get headersWoVersion(): number {
    return this.getNumberAttribute('headers_wo_version')
  }

  /** Whether it gets the headers of the client's request. */
  get forwardClientHeaders(): IResolvable {
    return this.getBooleanAttribute('forward_client_headers')
  }

  /** Those of them that it does not get. Without it those that belong to a connection or a body. */
  get ignoredClientHeaders(): string[] {
    return this.getListAttribute('ignored_client_headers')
  }

  /** Seconds it may take. */
  get timeout(): number {
    return this.getNumberAttribute('timeout')
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

  /** Description of its field in GraphQL. */
  get comment(): string {
    return this.getStringAttribute('comment')
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
