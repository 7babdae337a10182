/** What we use of the form of a Pulumi package schema, version 3: pulumi-schema.ts has the whole. */
export interface TypeSpec {
  readonly type?: 'string' | 'boolean' | 'integer' | 'number' | 'array' | 'object'
  readonly $ref?: string
  readonly items?: TypeSpec
  readonly additionalProperties?: TypeSpec
}

export interface PropertySpec extends TypeSpec {
  readonly description: string
  readonly secret?: true
  readonly defaultInfo?: { readonly environment: readonly string[] }
  readonly willReplaceOnChanges?: true
}

export type Properties = Readonly<Record<string, PropertySpec>>

export interface ObjectSpec {
  readonly type: 'object'
  readonly description?: string
  readonly properties: Properties
  readonly required: readonly string[]
}

export interface EnumSpec {
  readonly type: 'string'
  readonly enum: readonly { readonly name: string; readonly value: string }[]
}

export interface ResourceSpec {
  readonly description: string
  readonly inputProperties: Properties
  readonly requiredInputs: readonly string[]
  readonly properties: Properties
  readonly required: readonly string[]
  readonly isComponent?: true
}

export interface FunctionSpec {
  readonly description: string
  readonly inputs: ObjectSpec
  readonly outputs: ObjectSpec
}
