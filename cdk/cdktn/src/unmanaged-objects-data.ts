// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Objects of the metadata that nobody manages: all but those that are named here. */
export interface DataSvcUnmanagedObjectsConfig extends TerraformMetaArguments {
  /** Ids of what is managed, by kind. */
  readonly managed?: Readonly<Record<string, readonly string[]>> | IResolvable | undefined
}

const inputs: Inputs = {
  managed: ['managed', 'plain'],
}

/** Objects of the metadata that nobody manages: all but those that are named here.
 * 
 * `svc_unmanaged_objects` in Terraform. */
export class DataSvcUnmanagedObjects extends TerraformDataSource {
  static readonly tfResourceType = 'svc_unmanaged_objects'
  readonly #config: DataSvcUnmanagedObjectsConfig

  constructor(scope: Construct, id: string, config: DataSvcUnmanagedObjectsConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'svc_unmanaged_objects',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Ids of what is managed, by kind. */
  get managed(): IResolvable {
    return this.interpolationForAttribute('managed')
  }

  /** In the order of the export. */
  get objects(): IResolvable {
    return this.interpolationForAttribute('objects')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
