// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { RateLimit, TimeLimit, Timeouts, WholeLimit } from './types.ts'

/** What requests may ask for, for all roles and by role. There is one of it in an engine: a second stack that declares it is refused, and deleting it lifts every limit. */
export interface ApiLimitsConfig extends TerraformMetaArguments {
  /** Whether no limit holds for now. Default: `false`. */
  readonly disabled?: boolean | IResolvable | undefined
  /** How deep a query may be nested. */
  readonly depthLimit?: WholeLimit | IResolvable | undefined
  /** How many fields a query may have. */
  readonly nodeLimit?: WholeLimit | IResolvable | undefined
  /** How many operations a request may have. */
  readonly batchLimit?: WholeLimit | IResolvable | undefined
  /** Seconds a request may take. */
  readonly timeLimit?: TimeLimit | IResolvable | undefined
  /** How many requests there may be in a minute. */
  readonly rateLimit?: RateLimit | IResolvable | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  disabled: ['disabled', 'plain'],
  depthLimit: ['depth_limit', { object: {
    global: ['global', 'plain'],
    perRole: ['per_role', 'plain'],
  } }],
  nodeLimit: ['node_limit', { object: {
    global: ['global', 'plain'],
    perRole: ['per_role', 'plain'],
  } }],
  batchLimit: ['batch_limit', { object: {
    global: ['global', 'plain'],
    perRole: ['per_role', 'plain'],
  } }],
  timeLimit: ['time_limit', { object: {
    global: ['global', 'plain'],
    perRole: ['per_role', 'plain'],
  } }],
  rateLimit: ['rate_limit', { object: {
    global: ['global', { object: {
      maxReqsPerMin: ['max_reqs_per_min', 'plain'],
      uniqueByIp: ['unique_by_ip', 'plain'],
      uniqueParams: ['unique_params', 'plain'],
    } }],
    perRole: ['per_role', { each: { object: {
      maxReqsPerMin: ['max_reqs_per_min', 'plain'],
      uniqueByIp: ['unique_by_ip', 'plain'],
      uniqueParams: ['unique_params', 'plain'],
    } } }],
  } }],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** What requests may ask for, for all roles and by role. There is one of it in an engine: a second stack that declares it is refused, and deleting it lifts every limit.
 * 
 * `svc_api_limits` in Terraform. */
export class ApiLimits extends TerraformResource {
  static readonly tfResourceType = 'svc_api_limits'
  readonly #config: ApiLimitsConfig

  constructor(scope: Construct, id: string, config: ApiLimitsConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'svc_api_limits',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `api_limits`. */
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
