// Made from the declarations by `npm run cdk`: do not edit.

import { type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. A host that the engine calls without verifying its certificate. Other hosts of the list are left alone, so that several stacks may have their own. */
export interface DataSvcTlsAllowlistEntryConfig extends TerraformMetaArguments {
  /** Its name or address. */
  readonly host: string
  /** Its port. Without it every port. */
  readonly suffix?: string | undefined
}

const inputs: Inputs = {
  host: ['host', 'plain'],
  suffix: ['suffix', 'plain'],
}

/** Reads one object that is there, whoever made it. A host that the engine calls without verifying its certificate. Other hosts of the list are left alone, so that several stacks may have their own.
 * 
 * `svc_tls_allowlist_entry` in Terraform. */
export class DataSvcTlsAllowlistEntry extends TerraformDataSource {
  static readonly tfResourceType = 'svc_tls_allowlist_entry'
  readonly #config: DataSvcTlsAllowlistEntryConfig

  constructor(scope: Construct, id: string, config: DataSvcTlsAllowlistEntryConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_tls_allowlist_entry',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its name or address. */
  get host(): string {
    return this.getStringAttribute('host')
  }

  /** Its port. Without it every port. */
  get suffix(): string {
    return this.getStringAttribute('suffix')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** What its certificate may be. */
  get permissions(): string[] {
    return this.getListAttribute('permissions')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
