// Made from the declarations by `npm run cdk`: do not edit.

import { type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. A query collection whose queries may be sent while the allow-list is enabled. */
export interface DataSvcAllowlistEntryConfig extends TerraformMetaArguments {
  /** Name of the query collection, best as an output of it. */
  readonly collection: string
}

const inputs: Inputs = {
  collection: ['collection', 'plain'],
}

/** Reads one object that is there, whoever made it. A query collection whose queries may be sent while the allow-list is enabled.
 * 
 * `svc_allowlist_entry` in Terraform. */
export class DataSvcAllowlistEntry extends TerraformDataSource {
  static readonly tfResourceType = 'svc_allowlist_entry'
  readonly #config: DataSvcAllowlistEntryConfig

  constructor(scope: Construct, id: string, config: DataSvcAllowlistEntryConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_allowlist_entry',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Name of the query collection, best as an output of it. */
  get collection(): string {
    return this.getStringAttribute('collection')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
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
