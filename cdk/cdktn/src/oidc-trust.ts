// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { AccessScope, Timeouts } from './types.ts'

/** Whose tokens of an OIDC provider (GitHub, GitLab, Terraform Cloud, Pulumi, another one) are access tokens, and what they may do: CI without a stored secret. The provider needs the admin secret for it. */
export interface OidcTrustConfig extends TerraformMetaArguments {
  /** Its name, which the change log shows. A change replaces. */
  readonly name: string
  /** The issuer as its tokens say it in `iss`: `https://token.actions.githubusercontent.com`. */
  readonly issuer: string
  /** A token must be for one of these. */
  readonly audiences: readonly string[]
  /** What else a token has to say, all of it: patterns by the names of claims, in which `*` stands for any characters. They must name an owner, such as a repository. */
  readonly claims: Readonly<Record<string, readonly string[]>> | IResolvable
  /** What its holder may do: all of these, and nothing else. */
  readonly scopes: readonly (AccessScope | IResolvable)[] | IResolvable
  /** Whether a token counts for one request only; it needs a `jti` then. Default: `false`. */
  readonly singleUse?: boolean | IResolvable | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  issuer: ['issuer', 'plain'],
  audiences: ['audiences', 'plain'],
  claims: ['claims', 'plain'],
  scopes: ['scopes', { each: { object: {
    allow: ['allow', 'plain'],
    sources: ['sources', 'plain'],
    kinds: ['kinds', 'plain'],
    roles: ['roles', 'plain'],
  } } }],
  singleUse: ['single_use', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** Whose tokens of an OIDC provider (GitHub, GitLab, Terraform Cloud, Pulumi, another one) are access tokens, and what they may do: CI without a stored secret. The provider needs the admin secret for it.
 * 
 * `svc_oidc_trust` in Terraform. */
export class OidcTrust extends TerraformResource {
  static readonly tfResourceType = 'svc_oidc_trust'
  readonly #config: OidcTrustConfig

  constructor(scope: Construct, id: string, config: OidcTrustConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_oidc_trust',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<id>`. */
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
