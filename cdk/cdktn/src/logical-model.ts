// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { Timeouts } from './types.ts'

export interface LogicalModelFields {
  /** Its name: the column that the query gives. */
  readonly name: string
  /** Its type in the database. Either this or `logical_model`. */
  readonly scalar?: string | undefined
  /** The logical model that it is a row of. Either this or `scalar`. */
  readonly logicalModel?: string | undefined
  /** Whether it is an array of these. Default: `false`. */
  readonly array?: boolean | IResolvable | undefined
  /** Whether it may be null. Default: `false`. */
  readonly nullable?: boolean | IResolvable | undefined
  /** Of an array: whether its elements may be null. Default: `false`. */
  readonly elementNullable?: boolean | IResolvable | undefined
  /** Its description in GraphQL. */
  readonly description?: string | undefined
}

/** The type of the rows that native queries give. When it goes, its permissions go with it. */
export interface LogicalModelConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. A change replaces. */
  readonly source?: string | undefined
  /** Its name, which is also its type. A change replaces. */
  readonly name: string
  /** The fields of a row. */
  readonly fields: readonly (LogicalModelFields | IResolvable)[] | IResolvable
  /** Description of its type. */
  readonly description?: string | undefined
  /** Whether what lies in it goes with it when it is deleted, though no resource deletes it. Without it such a delete is refused. Applied before the delete. */
  readonly forceDestroy?: boolean | IResolvable | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  name: ['name', 'plain'],
  fields: ['fields', { each: { object: {
    name: ['name', 'plain'],
    scalar: ['scalar', 'plain'],
    logicalModel: ['logical_model', 'plain'],
    array: ['array', 'plain'],
    nullable: ['nullable', 'plain'],
    elementNullable: ['element_nullable', 'plain'],
    description: ['description', 'plain'],
  } } }],
  description: ['description', 'plain'],
  forceDestroy: ['force_destroy', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** The type of the rows that native queries give. When it goes, its permissions go with it.
 * 
 * `svc_logical_model` in Terraform. */
export class LogicalModel extends TerraformResource {
  static readonly tfResourceType = 'svc_logical_model'
  readonly #config: LogicalModelConfig

  constructor(scope: Construct, id: string, config: LogicalModelConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_logical_model',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<source>/<name>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. */
  get source(): string {
    return this.getStringAttribute('source')
  }

  /** Its name, which is also its type. */
  get name(): string {
    return this.getStringAttribute('name')
  }

  /** The fields of a row. */
  get fields(): IResolvable {
    return this.interpolationForAttribute('fields')
  }

  /** Description of its type. */
  get description(): string {
    return this.getStringAttribute('description')
  }

  /** Whether what lies in it goes with it when it is deleted, though no resource deletes it. Without it such a delete is refused. Applied before the delete. */
  get forceDestroy(): IResolvable {
    return this.getBooleanAttribute('force_destroy')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
