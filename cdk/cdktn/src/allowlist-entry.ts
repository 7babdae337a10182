// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { Timeouts } from './types.ts'

/** A query collection whose queries may be sent while the allow-list is enabled. */
export interface AllowlistEntryConfig extends TerraformMetaArguments {
  /** Name of the query collection, best as an output of it. A change replaces. */
  readonly collection: string
  /** Roles that may send them. Without it every role. */
  readonly roles?: readonly string[] | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  collection: ['collection', 'plain'],
  roles: ['roles', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** A query collection whose queries may be sent while the allow-list is enabled.
 * 
 * `svc_allowlist_entry` in Terraform. */
export class AllowlistEntry extends TerraformResource {
  static readonly tfResourceType = 'svc_allowlist_entry'
  readonly #config: AllowlistEntryConfig

  constructor(scope: Construct, id: string, config: AllowlistEntryConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_allowlist_entry',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<collection>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Name of the query collection, best as an output of it. */
  get collection(): string {
    return this.getStringAttribute('collection')
  }

  /** Roles that may send them. Without it every role. */
  get roles(): string[] {
    return this.getListAttribute('roles')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
