// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { AccessScope, Timeouts } from './types.ts'

/** A credential beside the admin secret that may do less: a plan in CI, a drift check, an apply of some roles. Its value is chosen where it is declared (`"svct_"` and 40 random characters at least), is sent once, and is in no state and no plan; the engine keeps its hash. It holds until it is deleted. The provider needs the admin secret for it. */
export interface AccessTokenConfig extends TerraformMetaArguments {
  /** Its name, which the change log shows. A change replaces. */
  readonly name: string
  /** What its holder may do: all of these, and nothing else. */
  readonly scopes: readonly (AccessScope | IResolvable)[] | IResolvable
  /** Its value: `svct_` and 40 to 200 random letters, digits, `-` and `_`. Sent when it is made, and when `value_wo_version` changes; the one before does not hold any more then. Stored nowhere. */
  readonly valueWo?: string | undefined
  /** Any number; a change sends `value_wo` again. */
  readonly valueWoVersion?: number | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  scopes: ['scopes', { each: { object: {
    allow: ['allow', 'plain'],
    sources: ['sources', 'plain'],
    kinds: ['kinds', 'plain'],
    roles: ['roles', 'plain'],
  } } }],
  valueWo: ['value_wo', 'plain'],
  valueWoVersion: ['value_wo_version', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** A credential beside the admin secret that may do less: a plan in CI, a drift check, an apply of some roles. Its value is chosen where it is declared (`"svct_"` and 40 random characters at least), is sent once, and is in no state and no plan; the engine keeps its hash. It holds until it is deleted. The provider needs the admin secret for it.
 * 
 * `svc_access_token` in Terraform. */
export class AccessToken extends TerraformResource {
  static readonly tfResourceType = 'svc_access_token'
  readonly #config: AccessTokenConfig

  constructor(scope: Construct, id: string, config: AccessTokenConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_access_token',
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

  /** What its holder may do: all of these, and nothing else. */
  get scopes(): IResolvable {
    return this.interpolationForAttribute('scopes')
  }

  /** Any number; a change sends `value_wo` again. */
  get valueWoVersion(): number {
    return this.getNumberAttribute('value_wo_version')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
