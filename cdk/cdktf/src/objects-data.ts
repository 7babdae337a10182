// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** All objects of a kind that are there, whoever made them. */
export interface DataSvcObjectsConfig extends TerraformMetaArguments {
  /** The kind of resource that stands for them, such as `table`. */
  readonly kind: string
  /** Only those that lie in this source, or are it. */
  readonly source?: string | undefined
}

const inputs: Inputs = {
  kind: ['kind', 'plain'],
  source: ['source', 'plain'],
}

/** All objects of a kind that are there, whoever made them.
 * 
 * `svc_objects` in Terraform. */
export class DataSvcObjects extends TerraformDataSource {
  static readonly tfResourceType = 'svc_objects'
  readonly #config: DataSvcObjectsConfig

  constructor(scope: Construct, id: string, config: DataSvcObjectsConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_objects',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** The kind of resource that stands for them, such as `table`. */
  get kind(): string {
    return this.getStringAttribute('kind')
  }

  /** Only those that lie in this source, or are it. */
  get source(): string {
    return this.getStringAttribute('source')
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
