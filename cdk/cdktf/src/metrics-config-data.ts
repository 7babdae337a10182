// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. What of requests the engine looks at for its metrics. There is one of it in an engine: a second stack that declares it is refused, and deleting it turns both off. */
export interface DataSvcMetricsConfigConfig extends TerraformMetaArguments {
}

const inputs: Inputs = {
}

/** Reads one object that is there, whoever made it. What of requests the engine looks at for its metrics. There is one of it in an engine: a second stack that declares it is refused, and deleting it turns both off.
 * 
 * `svc_metrics_config` in Terraform. */
export class DataSvcMetricsConfig extends TerraformDataSource {
  static readonly tfResourceType = 'svc_metrics_config'
  readonly #config: DataSvcMetricsConfigConfig

  constructor(scope: Construct, id: string, config: DataSvcMetricsConfigConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'svc_metrics_config',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Whether variables of queries are looked at. */
  get analyzeQueryVariables(): IResolvable {
    return this.getBooleanAttribute('analyze_query_variables')
  }

  /** Whether bodies of responses are looked at. */
  get analyzeResponseBody(): IResolvable {
    return this.getBooleanAttribute('analyze_response_body')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
