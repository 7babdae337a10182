// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. What requests may ask for, for all roles and by role. There is one of it in an engine: a second stack that declares it is refused, and deleting it lifts every limit. */
export interface DataSvcApiLimitsConfig extends TerraformMetaArguments {
}

const inputs: Inputs = {
}

/** Reads one object that is there, whoever made it. What requests may ask for, for all roles and by role. There is one of it in an engine: a second stack that declares it is refused, and deleting it lifts every limit.
 * 
 * `svc_api_limits` in Terraform. */
export class DataSvcApiLimits extends TerraformDataSource {
  static readonly tfResourceType = 'svc_api_limits'
  readonly #config: DataSvcApiLimitsConfig

  constructor(scope: Construct, id: string, config: DataSvcApiLimitsConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'svc_api_limits',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Whether no limit holds for now. */
  get disabled(): IResolvable {
    return this.getBooleanAttribute('disabled')
  }

  /** How deep a query may be nested. */
  get depthLimit(): IResolvable {
    return this.interpolationForAttribute('depth_limit')
  }

  /** How many fields a query may have. */
  get nodeLimit(): IResolvable {
    return this.interpolationForAttribute('node_limit')
  }

  /** How many operations a request may have. */
  get batchLimit(): IResolvable {
    return this.interpolationForAttribute('batch_limit')
  }

  /** Seconds a request may take. */
  get timeLimit(): IResolvable {
    return this.interpolationForAttribute('time_limit')
  }

  /** How many requests there may be in a minute. */
  get rateLimit(): IResolvable {
    return this.interpolationForAttribute('rate_limit')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
