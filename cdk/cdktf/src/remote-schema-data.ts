// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. Another GraphQL server whose root fields and types become part of the schema. */
export interface DataSvcRemoteSchemaConfig extends TerraformMetaArguments {
  /** Its name. */
  readonly name: string
  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  readonly showSecrets?: boolean | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  showSecrets: ['show_secrets', 'plain'],
}

/** Reads one object that is there, whoever made it. Another GraphQL server whose root fields and types become part of the schema.
 * 
 * `svc_remote_schema` in Terraform. */
export class DataSvcRemoteSchema extends TerraformDataSource {
  static readonly tfResourceType = 'svc_remote_schema'
  readonly #config: DataSvcRemoteSchemaConfig

  constructor(scope: Construct, id: string, config: DataSvcRemoteSchemaConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_remote_schema',
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

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
