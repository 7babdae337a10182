// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. Whose tokens of an OIDC provider (GitHub, GitLab, Terraform Cloud, Pulumi, another one) are access tokens, and what they may do: CI without a stored secret. The provider needs the admin secret for it. */
export interface DataSvcOidcTrustConfig extends TerraformMetaArguments {
  /** Its identity, by which it is imported. */
  readonly id: string
}

const inputs: Inputs = {
  id: ['id', 'plain'],
}

/** Reads one object that is there, whoever made it. Whose tokens of an OIDC provider (GitHub, GitLab, Terraform Cloud, Pulumi, another one) are access tokens, and what they may do: CI without a stored secret. The provider needs the admin secret for it.
 * 
 * `svc_oidc_trust` in Terraform. */
export class DataSvcOidcTrust extends TerraformDataSource {
  static readonly tfResourceType = 'svc_oidc_trust'
  readonly #config: DataSvcOidcTrustConfig

  constructor(scope: Construct, id: string, config: DataSvcOidcTrustConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_oidc_trust',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Its name, which the change log shows. */
  get name(): string {
    return this.getStringAttribute('name')
  }

  /** The issuer as its tokens say it in `iss`: `https://token.actions.githubusercontent.com`. */
  get issuer(): string {
    return this.getStringAttribute('issuer')
  }

  /** A token must be for one of these. */
  get audiences(): string[] {
    return this.getListAttribute('audiences')
  }

  /** What else a token has to say, all of it: patterns by the names of claims, in which `*` stands for any characters. They must name an owner, such as a repository. */
  get claims(): IResolvable {
    return this.interpolationForAttribute('claims')
  }

  /** What its holder may do: all of these, and nothing else. */
  get scopes(): IResolvable {
    return this.interpolationForAttribute('scopes')
  }

  /** Whether a token counts for one request only; it needs a `jti` then. */
  get singleUse(): IResolvable {
    return this.getBooleanAttribute('single_use')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
