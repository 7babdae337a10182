// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. A credential beside the admin secret that may do less: a plan in CI, a drift check, an apply of some roles. Its value is chosen where it is declared (`"svct_"` and 40 random characters at least), is sent once, and is in no state and no plan; the engine keeps its hash. It holds until it is deleted. The provider needs the admin secret for it. */
export interface DataSvcAccessTokenConfig extends TerraformMetaArguments {
  /** Its identity, by which it is imported. */
  readonly id: string
  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  readonly showSecrets?: boolean | IResolvable | undefined
}

const inputs: Inputs = {
  id: ['id', 'plain'],
  showSecrets: ['show_secrets', 'plain'],
}

/** Reads one object that is there, whoever made it. A credential beside the admin secret that may do less: a plan in CI, a drift check, an apply of some roles. Its value is chosen where it is declared (`"svct_"` and 40 random characters at least), is sent once, and is in no state and no plan; the engine keeps its hash. It holds until it is deleted. The provider needs the admin secret for it.
 * 
 * `svc_access_token` in Terraform. */
export class DataSvcAccessToken extends TerraformDataSource {
  static readonly tfResourceType = 'svc_access_token'
  readonly #config: DataSvcAccessTokenConfig

  constructor(scope: Construct, id: string, config: DataSvcAccessTokenConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_access_token',
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

  /** Its name, which the change log shows. */
  get name(): string {
    return this.getStringAttribute('name')
  }

  /** What its holder may do: all of these, and nothing else. */
  get scopes(): IResolvable {
    return this.interpolationForAttribute('scopes')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
