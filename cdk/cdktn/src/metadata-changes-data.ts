// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** What has changed in the metadata since a version, and by whom. */
export interface DataSvcMetadataChangesConfig extends TerraformMetaArguments {
  /** The version from which on changes are listed. */
  readonly sinceResourceVersion: number
  /** The catalogue that version was of. */
  readonly catalogId?: string | undefined
  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  readonly showSecrets?: boolean | IResolvable | undefined
}

const inputs: Inputs = {
  sinceResourceVersion: ['since_resource_version', 'plain'],
  catalogId: ['catalog_id', 'plain'],
  showSecrets: ['show_secrets', 'plain'],
}

/** What has changed in the metadata since a version, and by whom.
 * 
 * `svc_metadata_changes` in Terraform. */
export class DataSvcMetadataChanges extends TerraformDataSource {
  static readonly tfResourceType = 'svc_metadata_changes'
  readonly #config: DataSvcMetadataChangesConfig

  constructor(scope: Construct, id: string, config: DataSvcMetadataChangesConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_metadata_changes',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** The version from which on changes are listed. */
  get sinceResourceVersion(): number {
    return this.getNumberAttribute('since_resource_version')
  }

  /** The catalogue that version was of. */
  get catalogId(): string {
    return this.getStringAttribute('catalog_id')
  }

  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  get showSecrets(): IResolvable {
    return this.getBooleanAttribute('show_secrets')
  }

  /** Version of the metadata; grows with every change. */
  get resourceVersion(): number {
    return this.getNumberAttribute('resource_version')
  }

  /** Whether the engine still knows everything since then. */
  get complete(): IResolvable {
    return this.getBooleanAttribute('complete')
  }

  /** Why not. */
  get reason(): string {
    return this.getStringAttribute('reason')
  }

  /** Oldest first. */
  get changes(): IResolvable {
    return this.interpolationForAttribute('changes')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
