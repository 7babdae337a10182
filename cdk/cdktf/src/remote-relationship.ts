// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { RemoteRelationshipToRemoteSchema, RemoteRelationshipToSource, TableName, Timeouts } from './types.ts'

/** A relationship from a row to rows of another source, or to a field of a remote schema. From a type of a remote schema it is a `RemoteTypeRelationship`. One in the older form, with `svc_fields`, is read as the same in the newer one. */
export interface RemoteRelationshipConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. A change replaces. */
  readonly source?: string | undefined
  /** The table it lies in, best as an output of it. A change replaces. */
  readonly table: TableName | IResolvable
  /** Its name, which is also its field. A change replaces. */
  readonly name: string
  /** A table of a source. Either this or `to_remote_schema`. */
  readonly toSource?: RemoteRelationshipToSource | IResolvable | undefined
  /** A field of a remote schema. Either this or `to_source`. */
  readonly toRemoteSchema?: RemoteRelationshipToRemoteSchema | IResolvable | undefined
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
  toSource: ['to_source', { object: {
    relationshipType: ['relationship_type', 'plain'],
    source: ['source', 'plain'],
    table: ['table', { object: {
      schema: ['schema', 'plain'],
      dataset: ['dataset', 'plain'],
      name: ['name', 'plain'],
    } }],
    fieldMapping: ['field_mapping', 'plain'],
  } }],
  toRemoteSchema: ['to_remote_schema', { object: {
    remoteSchema: ['remote_schema', 'plain'],
    lhsFields: ['lhs_fields', 'plain'],
    remoteField: ['remote_field', 'json'],
  } }],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** A relationship from a row to rows of another source, or to a field of a remote schema. From a type of a remote schema it is a `RemoteTypeRelationship`. One in the older form, with `svc_fields`, is read as the same in the newer one.
 * 
 * `svc_remote_relationship` in Terraform. */
export class RemoteRelationship extends TerraformResource {
  static readonly tfResourceType = 'svc_remote_relationship'
  readonly #config: RemoteRelationshipConfig

  constructor(scope: Construct, id: string, config: RemoteRelationshipConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_remote_relationship',
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

  /** A table of a source. Either this or `to_remote_schema`. */
  get toSource(): IResolvable {
    return this.interpolationForAttribute('to_source')
  }

  /** A field of a remote schema. Either this or `to_source`. */
  get toRemoteSchema(): IResolvable {
    return this.interpolationForAttribute('to_remote_schema')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
