// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { Timeouts } from './types.ts'

/** A host that the engine calls without verifying its certificate. Other hosts of the list are left alone, so that several stacks may have their own. */
export interface TlsAllowlistEntryConfig extends TerraformMetaArguments {
  /** Its name or address. A change replaces. */
  readonly host: string
  /** Its port. Without it every port. A change replaces. */
  readonly suffix?: string | undefined
  /** What its certificate may be. */
  readonly permissions?: readonly string[] | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  host: ['host', 'plain'],
  suffix: ['suffix', 'plain'],
  permissions: ['permissions', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** A host that the engine calls without verifying its certificate. Other hosts of the list are left alone, so that several stacks may have their own.
 * 
 * `svc_tls_allowlist_entry` in Terraform. */
export class TlsAllowlistEntry extends TerraformResource {
  static readonly tfResourceType = 'svc_tls_allowlist_entry'
  readonly #config: TlsAllowlistEntryConfig

  constructor(scope: Construct, id: string, config: TlsAllowlistEntryConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_tls_allowlist_entry',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<host>[/<suffix>]`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Its name or address. */
  get host(): string {
    return this.getStringAttribute('host')
  }

  /** Its port. Without it every port. */
  get suffix(): string {
    return this.getStringAttribute('suffix')
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
