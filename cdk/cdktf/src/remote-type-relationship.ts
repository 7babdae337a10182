// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { RemoteRelationshipToRemoteSchema, RemoteRelationshipToSource, Timeouts } from './types.ts'

/** A relationship from a type of a remote schema to rows of a table, or to a field of a remote schema. From a table it is a `RemoteRelationship`. */
export interface RemoteTypeRelationshipConfig extends TerraformMetaArguments {
  /** Name of the remote schema that has the type, best as an output of it. A change replaces. */
  readonly remoteSchema: string
  /** The type, by the name that its server gives it. A change replaces. */
  readonly typeName: string
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
  remoteSchema: ['remote_schema', 'plain'],
  typeName: ['type_name', 'plain'],
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

/** A relationship from a type of a remote schema to rows of a table, or to a field of a remote schema. From a table it is a `RemoteRelationship`.
 * 
 * `svc_remote_type_relationship` in Terraform. */
export class RemoteTypeRelationship extends TerraformResource {
  static readonly tfResourceType = 'svc_remote_type_relationship'
  readonly #config: RemoteTypeRelationshipConfig

  constructor(scope: Construct, id: string, config: RemoteTypeRelationshipConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_remote_type_relationship',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<remote_schema>/<type_name>/<name>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Name of the remote schema that has the type, best as an output of it. */
  get remoteSchema(): string {
    return this.getStringAttribute('remote_schema')
  }

  /** The type, by the name that its server gives it. */
  get typeName(): string {
    return this.getStringAttribute('type_name')
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
