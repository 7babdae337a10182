// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { ManualConfiguration, RemoteForeignKey, TableName, Timeouts } from './types.ts'

/** A relationship from a row to any number of rows of another table. */
export interface ArrayRelationshipConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. A change replaces. */
  readonly source?: string | undefined
  /** The table it lies in, best as an output of it. A change replaces. */
  readonly table: TableName | IResolvable
  /** Its name, which is also its field. A change replaces. */
  readonly name: string
  /** The foreign key of the other table to this one. */
  readonly remoteForeignKey?: RemoteForeignKey | IResolvable | undefined
  /** Without a foreign key: which columns equal which. */
  readonly manualConfiguration?: ManualConfiguration | IResolvable | undefined
  /** For people who read the metadata. */
  readonly comment?: string | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  table: ['table', { object: {
    schema: ['schema', 'plain'],
    dataset: ['dataset', 'plain'],
    name: ['name', 'plain'],
  } }],
  name: ['name', 'plain'],
  remoteForeignKey: ['remote_foreign_key', { object: {
    table: ['table', { object: {
      schema: ['schema', 'plain'],
      dataset: ['dataset', 'plain'],
      name: ['name', 'plain'],
    } }],
    columns: ['columns', 'plain'],
  } }],
  manualConfiguration: ['manual_configuration', { object: {
    remoteTable: ['remote_table', { object: {
      schema: ['schema', 'plain'],
      dataset: ['dataset', 'plain'],
      name: ['name', 'plain'],
    } }],
    columnMapping: ['column_mapping', 'plain'],
    insertionOrder: ['insertion_order', 'plain'],
  } }],
  comment: ['comment', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** A relationship from a row to any number of rows of another table.
 * 
 * `svc_array_relationship` in Terraform. */
export class ArrayRelationship extends TerraformResource {
  static readonly tfResourceType = 'svc_array_relationship'
  readonly #config: ArrayRelationshipConfig

  constructor(scope: Construct, id: string, config: ArrayRelationshipConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_array_relationship',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<source>/<schema>/<table>/<name>`. */
  get id(): string {
    return this.getStringAttribute('id')
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

  /** The foreign key of the other table to this one. */
  get remoteForeignKey(): IResolvable {
    return this.interpolationForAttribute('remote_foreign_key')
  }

  /** Without a foreign key: which columns equal which. */
  get manualConfiguration(): IResolvable {
    return this.interpolationForAttribute('manual_configuration')
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
