import type { KindDeclaration, ProviderDeclaration } from '../core/index.ts'
import type { Attributes, Values } from '../resources/index.ts'
import { functionToken, pulumiAttributes, resourceToken } from './names.ts'
import { providerOptions } from './provider-options.ts'

export interface ResourceType {
  readonly token: string
  readonly kind: string
  /** Of the shape of its attributes. */
  readonly version: number
  readonly standsBeside: boolean
  /** Without what Pulumi does not have. */
  readonly attributes: Attributes
  /** Every attribute the core knows, null. */
  readonly nothing: Values
}

export interface FunctionType {
  readonly token: string
  readonly name: string
  readonly attributes: Attributes
}

/** Everything Pulumi knows of this provider, by the names it uses. */
export interface ProviderTypes {
  readonly config: Attributes
  readonly resources: ReadonlyMap<string, ResourceType>
  readonly functions: ReadonlyMap<string, FunctionType>
}

export function providerTypes(declaration: ProviderDeclaration): ProviderTypes {
  const resources = declaration.kinds.map(resourceTypeOf)
  const functions = declaration.data.map(
    (data): FunctionType => ({
      token: functionToken(data.name),
      name: data.name,
      get attributes() {
        return data.attributes
      },
    }),
  )
  return {
    config: { ...declaration.config, ...providerOptions },
    resources: new Map(resources.map((type) => [type.token, type])),
    functions: new Map(functions.map((type) => [type.token, type])),
  }
}

const resourceTypeOf = ({ kind, version, standsBeside, attributes }: KindDeclaration): ResourceType => ({
  token: resourceToken(kind),
  kind,
  version,
  standsBeside,
  attributes: pulumiAttributes(attributes),
  nothing: Object.fromEntries(Object.keys(attributes).map((name) => [name, null])),
})
