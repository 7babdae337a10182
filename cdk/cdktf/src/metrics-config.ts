// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { Timeouts } from './types.ts'

/** What of requests the engine looks at for its metrics. There is one of it in an engine: a second stack that declares it is refused, and deleting it turns both off. */
export interface MetricsConfigConfig extends TerraformMetaArguments {
  /** Whether variables of queries are looked at. Default: `false`. */
  readonly analyzeQueryVariables?: boolean | IResolvable | undefined
  /** Whether bodies of responses are looked at. Default: `false`. */
  readonly analyzeResponseBody?: boolean | IResolvable | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  analyzeQueryVariables: ['analyze_query_variables', 'plain'],
  analyzeResponseBody: ['analyze_response_body', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** What of requests the engine looks at for its metrics. There is one of it in an engine: a second stack that declares it is refused, and deleting it turns both off.
 * 
 * `svc_metrics_config` in Terraform. */
export class MetricsConfig extends TerraformResource {
  static readonly tfResourceType = 'svc_metrics_config'
  readonly #config: MetricsConfigConfig

  constructor(scope: Construct, id: string, config: MetricsConfigConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'svc_metrics_config',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `metrics_config`. */
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
