// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. A root field of GraphQL that a service of your own answers. */
export interface DataSvcActionConfig extends TerraformMetaArguments {
  /** Its name, which is also its field. */
  readonly name: string
  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  readonly showSecrets?: boolean | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  showSecrets: ['show_secrets', 'plain'],
}

/** Reads one object that is there, whoever made it. A root field of GraphQL that a service of your own answers.
 * 
 * `svc_action` in Terraform. */
export class DataSvcAction extends TerraformDataSource {
  static readonly tfResourceType = 'svc_action'
  readonly #config: DataSvcActionConfig

  constructor(scope: Construct, id: string, config: DataSvcActionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_action',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its name, which is also its field. */
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

  /** How the response is rewritten, by templates of the language Kriti. */
  get responseTransform(): IResolvable {
    return this.interpolationForAttribute('response_transform')
  }

  /** Description of its field in GraphQL. */
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
