// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { OutgoingHeader, RemoteSchemaCustomization, Timeouts } from './types.ts'

/** Another GraphQL server whose root fields and types become part of the schema. */
export interface RemoteSchemaConfig extends TerraformMetaArguments {
  /** Its name. A change replaces. */
  readonly name: string
  /** Address of the server. May name variables of the engine: `{{CRM_URL}}/graphql`. Either this or `url_from_env`. */
  readonly url?: string | undefined
  /** Variable of the engine's environment that holds the address. Either this or `url`. */
  readonly urlFromEnv?: string | undefined
  /** Headers it is called with. */
  readonly headers?: readonly (OutgoingHeader | IResolvable)[] | IResolvable | undefined
  /** More of `headers`, values by name, that are stored in no state and no plan. Sent when the object is made or changed, and when `headers_wo_version` changes. Stored nowhere. */
  readonly headersWo?: Readonly<Record<string, string>> | IResolvable | undefined
  /** Any number, given with `headers_wo`; a change sends it again. */
  readonly headersWoVersion?: number | undefined
  /** Whether it gets the headers of the client's request. Default: `false`. */
  readonly forwardClientHeaders?: boolean | IResolvable | undefined
  /** Seconds that a request may take. Default: `60`. */
  readonly timeoutSeconds?: number | undefined
  /** Other names for its root fields, types and fields. */
  readonly customization?: RemoteSchemaCustomization | IResolvable | undefined
  /** For people who read the metadata. */
  readonly comment?: string | undefined
  /** Any text, such as the version of what the server runs: when it changes, the engine asks the server for its schema again. Kept in the state of the tool alone. */
  readonly reloadWhen?: string | undefined
  /** Whether what lies in it goes with it when it is deleted, though no resource deletes it. Without it such a delete is refused. Applied before the delete. */
  readonly forceDestroy?: boolean | IResolvable | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  url: ['url', 'plain'],
  urlFromEnv: ['url_from_env', 'plain'],
  headers: ['headers', { each: { object: {
    name: ['name', 'plain'],
    value: ['value', 'plain'],
    valueFromEnv: ['value_from_env', 'plain'],
  } } }],
  headersWo: ['headers_wo', 'plain'],
  headersWoVersion: ['headers_wo_version', 'plain'],
  forwardClientHeaders: ['forward_client_headers', 'plain'],
  timeoutSeconds: ['timeout_seconds', 'plain'],
  customization: ['customization', { object: {
    rootFieldsNamespace: ['root_fields_namespace', 'plain'],
    typeNames: ['type_names', { object: {
      prefix: ['prefix', 'plain'],
      suffix: ['suffix', 'plain'],
      mapping: ['mapping', 'plain'],
    } }],
    fieldNames: ['field_names', { each: { object: {
      parentType: ['parent_type', 'plain'],
      prefix: ['prefix', 'plain'],
      suffix: ['suffix', 'plain'],
      mapping: ['mapping', 'plain'],
    } } }],
  } }],
  comment: ['comment', 'plain'],
  reloadWhen: ['reload_when', 'plain'],
  forceDestroy: ['force_destroy', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** Another GraphQL server whose root fields and types become part of the schema.
 * 
 * `svc_remote_schema` in Terraform. */
export class RemoteSchema extends TerraformResource {
  static readonly tfResourceType = 'svc_remote_schema'
  readonly #config: RemoteSchemaConfig

  constructor(scope: Construct, id: string, config: RemoteSchemaConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_remote_schema',
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

  /** Address of the server. May name variables of the engine: `{{CRM_URL}}/graphql`. Either this or `url_from_env`. */
  get url(): string {
    return this.getStringAttribute('url')
  }

  /** Variable of the engine's environment that holds the address. Either this or `url`. */
  get urlFromEnv(): string {
    return this.getStringAttribute('url_from_env')
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

  /** Seconds that a request may take. */
  get timeoutSeconds(): number {
    return this.getNumberAttribute('timeout_seconds')
  }

  /** Other names for its root fields, types and fields. */
  get customization(): IResolvable {
    return this.interpolationForAttribute('customization')
  }

  /** For people who read the metadata. */
  get comment(): string {
    return this.getStringAttribute('comment')
  }

  /** Any text, such as the version of what the server runs: when it changes, the engine asks the server for its schema again. Kept in the state of the tool alone. */
  get reloadWhen(): string {
    return this.getStringAttribute('reload_when')
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
