import type { DataDeclaration, KindDeclaration, ProviderDeclaration } from '../core/index.ts'
import type { Attributes, Values } from '../resources/index.ts'
import { functionToken, pulumiAttributes, resourceToken } from './names.ts'
import { providerOptions } from './provider-options.ts'

/** A kind, its attributes without what Pulumi does not have. */
export interface ResourceType extends KindDeclaration {
  /** Every attribute the core knows, null. */
  readonly nothing: Values
}

/** Everything Pulumi knows of this provider, by the names it uses. */
export interface ProviderTypes {
  readonly config: Attributes
  readonly resources: ReadonlyMap<string, ResourceType>
  readonly functions: ReadonlyMap<string, DataDeclaration>
}

export const providerTypes = ({ config, kinds, data }: ProviderDeclaration): ProviderTypes => ({
  config: { ...config, ...providerOptions },
  resources: new Map(kinds.map((kind) => [resourceToken(kind.kind), resourceTypeOf(kind)])),
  functions: new Map(data.map((one) => [functionToken(one.name), one])),
})

const resourceTypeOf = (kind: KindDeclaration): ResourceType => ({
  ...kind,
  attributes: pulumiAttributes(kind.attributes),
  nothing: Object.fromEntries(Object.keys(kind.attributes).map((name) => [name, null])),
})
