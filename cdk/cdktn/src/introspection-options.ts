// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { Timeouts } from './types.ts'

/** Which roles cannot introspect the GraphQL schema. There is one of it in an engine: a second stack that declares it is refused, and deleting it lets every role introspect. */
export interface IntrospectionOptionsConfig extends TerraformMetaArguments {
  /** Roles that get no answer to `__schema` and `__type`. */
  readonly disabledForRoles: readonly string[]
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  disabledForRoles: ['disabled_for_roles', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** Which roles cannot introspect the GraphQL schema. There is one of it in an engine: a second stack that declares it is refused, and deleting it lets every role introspect.
 * 
 * `svc_introspection_options` in Terraform. */
export class IntrospectionOptions extends TerraformResource {
  static readonly tfResourceType = 'svc_introspection_options'
  readonly #config: IntrospectionOptionsConfig

  constructor(scope: Construct, id: string, config: IntrospectionOptionsConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_introspection_options',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `introspection_options`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Roles that get no answer to `__schema` and `__type`. */
  get disabledForRoles(): string[] {
    return this.getListAttribute('disabled_for_roles')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
