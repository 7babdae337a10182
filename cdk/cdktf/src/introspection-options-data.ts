// Made from the declarations by `npm run cdk`: do not edit.

import { type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. Which roles cannot introspect the GraphQL schema. There is one of it in an engine: a second stack that declares it is refused, and deleting it lets every role introspect. */
export interface DataSvcIntrospectionOptionsConfig extends TerraformMetaArguments {
}

const inputs: Inputs = {
}

/** Reads one object that is there, whoever made it. Which roles cannot introspect the GraphQL schema. There is one of it in an engine: a second stack that declares it is refused, and deleting it lets every role introspect.
 * 
 * `svc_introspection_options` in Terraform. */
export class DataSvcIntrospectionOptions extends TerraformDataSource {
  static readonly tfResourceType = 'svc_introspection_options'
  readonly #config: DataSvcIntrospectionOptionsConfig

  constructor(scope: Construct, id: string, config: DataSvcIntrospectionOptionsConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'svc_introspection_options',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Roles that get no answer to `__schema` and `__type`. */
  get disabledForRoles(): string[] {
    return this.getListAttribute('disabled_for_roles')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
