// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { FunctionName, Timeouts } from './types.ts'

export interface FunctionCustomRootFields {
  /** Name of the root field that gives the rows. */
  readonly function?: string | undefined
  /** Name of the root field that aggregates them. */
  readonly functionAggregate?: string | undefined
}

/** A function of a source, returning rows of a tracked table, that the engine serves as root fields. When it goes, its permissions go with it. */
export interface FunctionConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. A change replaces. */
  readonly source?: string | undefined
  /** The function in the database. A change replaces. */
  readonly function: FunctionName | IResolvable
  /** Its argument, of type json, that gets the session variables. */
  readonly sessionArgument?: string | undefined
  /** Where its field stands. Without it a VOLATILE function is a mutation, any other a query. One of `query`, `mutation`. */
  readonly exposedAs?: string | undefined
  /** Name in its fields and types. */
  readonly customName?: string | undefined
  /** Names of single root fields. */
  readonly customRootFields?: FunctionCustomRootFields | IResolvable | undefined
  /** For people who read the metadata. */
  readonly comment?: string | undefined
  /** Whether what lies in it goes with it when it is deleted, though no resource deletes it. Without it such a delete is refused. Applied before the delete. */
  readonly forceDestroy?: boolean | IResolvable | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  function: ['function', { object: {
    schema: ['schema', 'plain'],
    dataset: ['dataset', 'plain'],
    name: ['name', 'plain'],
  } }],
  sessionArgument: ['session_argument', 'plain'],
  exposedAs: ['exposed_as', 'plain'],
  customName: ['custom_name', 'plain'],
  customRootFields: ['custom_root_fields', { object: {
    function: ['function', 'plain'],
    functionAggregate: ['function_aggregate', 'plain'],
  } }],
  comment: ['comment', 'plain'],
  forceDestroy: ['force_destroy', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** A function of a source, returning rows of a tracked table, that the engine serves as root fields. When it goes, its permissions go with it.
 * 
 * `svc_function` in Terraform. */
export class Function extends TerraformResource {
  static readonly tfResourceType = 'svc_function'
  readonly #config: FunctionConfig

  constructor(scope: Construct, id: string, config: FunctionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_function',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<source>/<schema>/<function>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. */
  get source(): string {
    return this.getStringAttribute('source')
  }

  /** The function in the database. */
  get function(): IResolvable {
    return this.interpolationForAttribute('function')
  }

  /** Its argument, of type json, that gets the session variables. */
  get sessionArgument(): string {
    return this.getStringAttribute('session_argument')
  }

  /** Where its field stands. Without it a VOLATILE function is a mutation, any other a query. */
  get exposedAs(): string {
    return this.getStringAttribute('exposed_as')
  }

  /** Name in its fields and types. */
  get customName(): string {
    return this.getStringAttribute('custom_name')
  }

  /** Names of single root fields. */
  get customRootFields(): IResolvable {
    return this.interpolationForAttribute('custom_root_fields')
  }

  /** For people who read the metadata. */
  get comment(): string {
    return this.getStringAttribute('comment')
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
