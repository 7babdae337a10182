// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { StoredProcedureName, Timeouts } from './types.ts'

export interface StoredProcedureArguments {
  /** Its type in the database. */
  readonly type: string
  /** Whether it may be null or left out. Default: `false`. */
  readonly nullable?: boolean | IResolvable | undefined
  /** Its description in GraphQL. */
  readonly description?: string | undefined
}

/** A stored procedure of SQL Server that the engine serves as a root field. */
export interface StoredProcedureConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. A change replaces. */
  readonly source?: string | undefined
  /** The procedure in the database. A change replaces. */
  readonly storedProcedure: StoredProcedureName | IResolvable
  /** Where its field stands. One of `query`. Default: `"query"`. */
  readonly exposedAs?: string | undefined
  /** Name of its field. */
  readonly customName?: string | undefined
  /** The logical model of its rows, best as an output of it. */
  readonly returns: string
  /** What clients give, by name. */
  readonly arguments?: Readonly<Record<string, StoredProcedureArguments | IResolvable>> | IResolvable | undefined
  /** Description of its root field. */
  readonly description?: string | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  storedProcedure: ['stored_procedure', { object: {
    schema: ['schema', 'plain'],
    name: ['name', 'plain'],
  } }],
  exposedAs: ['exposed_as', 'plain'],
  customName: ['custom_name', 'plain'],
  returns: ['returns', 'plain'],
  arguments: ['arguments', { each: { object: {
    type: ['type', 'plain'],
    nullable: ['nullable', 'plain'],
    description: ['description', 'plain'],
  } } }],
  description: ['description', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** A stored procedure of SQL Server that the engine serves as a root field.
 * 
 * `svc_stored_procedure` in Terraform. */
export class StoredProcedure extends TerraformResource {
  static readonly tfResourceType = 'svc_stored_procedure'
  readonly #config: StoredProcedureConfig

  constructor(scope: Construct, id: string, config: StoredProcedureConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_stored_procedure',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<source>/<schema>/<stored_procedure>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. */
  get source(): string {
    return this.getStringAttribute('source')
  }

  /** The procedure in the database. */
  get storedProcedure(): IResolvable {
    return this.interpolationForAttribute('stored_procedure')
  }

  /** Where its field stands. */
  get exposedAs(): string {
    return this.getStringAttribute('exposed_as')
  }

  /** Name of its field. */
  get customName(): string {
    return this.getStringAttribute('custom_name')
  }

  /** The logical model of its rows, best as an output of it. */
  get returns(): string {
    return this.getStringAttribute('returns')
  }

  /** What clients give, by name. */
  get arguments(): IResolvable {
    return this.interpolationForAttribute('arguments')
  }

  /** Description of its root field. */
  get description(): string {
    return this.getStringAttribute('description')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
