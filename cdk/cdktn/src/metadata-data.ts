// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** All metadata of the engine. */
export interface DataSvcMetadataConfig extends TerraformMetaArguments {
  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  readonly showSecrets?: boolean | IResolvable | undefined
}

const inputs: Inputs = {
  showSecrets: ['show_secrets', 'plain'],
}

/** All metadata of the engine.
 * 
 * `svc_metadata` in Terraform. */
export class DataSvcMetadata extends TerraformDataSource {
  static readonly tfResourceType = 'svc_metadata'
  readonly #config: DataSvcMetadataConfig

  constructor(scope: Construct, id: string, config: DataSvcMetadataConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'svc_metadata',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  get showSecrets(): IResolvable {
    return this.getBooleanAttribute('show_secrets')
  }

  /** As `export_metadata` gives it, with secrets as `***` unless `show_secrets` is true. */
  get metadata(): string {
    return this.getStringAttribute('metadata')
  }

  /** Version of the metadata; grows with every change. */
  get resourceVersion(): number {
    return this.getNumberAttribute('resource_version')
  }

  /** The catalogue it is a version of: another one after a restore. */
  get catalogId(): string {
    return this.getStringAttribute('catalog_id')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
