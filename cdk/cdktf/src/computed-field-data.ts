// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { TableName } from './types.ts'

/** Reads one object that is there, whoever made it. A field of a table that a function of the database computes from the row: a scalar, or rows. */
export interface DataSvcComputedFieldConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. */
  readonly source?: string | undefined
  /** The table it lies in, best as an output of it. */
  readonly table: TableName | IResolvable
  /** Its name, which is also its field. */
  readonly name: string
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  table: ['table', { object: {
    schema: ['schema', 'plain'],
    dataset: ['dataset', 'plain'],
    name: ['name', 'plain'],
  } }],
  name: ['name', 'plain'],
}

/** Reads one object that is there, whoever made it. A field of a table that a function of the database computes from the row: a scalar, or rows.
 * 
 * `svc_computed_field` in Terraform. */
export class DataSvcComputedField extends TerraformDataSource {
  static readonly tfResourceType = 'svc_computed_field'
  readonly #config: DataSvcComputedFieldConfig

  constructor(scope: Construct, id: string, config: DataSvcComputedFieldConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_computed_field',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. */
  get source(): string {
    return this.getStringAttribute('source')
  }

  /** The table it lies in, best as an output of it. */
  get table(): IResolvable {
    return this.interpolationForAttribute('table')
  }

  /** Its name, which is also its field. */
  get name(): string {
    return this.getStringAttribute('name')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** The function in the database. It takes a row of the table; on BigQuery, what `argument_mapping` says. */
  get function(): IResolvable {
    return this.interpolationForAttribute('function')
  }

  /** Its argument that gets the row. Without it, the first. */
  get tableArgument(): string {
    return this.getStringAttribute('table_argument')
  }

  /** Its argument, of type json or jsonb, that gets the session variables. */
  get sessionArgument(): string {
    return this.getStringAttribute('session_argument')
  }

  /** On BigQuery: arguments of the function, and the columns of the table that they are given. */
  get argumentMapping(): IResolvable {
    return this.interpolationForAttribute('argument_mapping')
  }

  /** On BigQuery: the tracked table of its rows, unless the function itself says what they consist of. */
  get returnTable(): IResolvable {
    return this.interpolationForAttribute('return_table')
  }

  /** For people who read the metadata. */
  get comment(): string {
    return this.getStringAttribute('comment')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
