import type { ProviderDeclaration } from '../core/index.ts'
import type { Attributes } from '../resources/index.ts'
import { TIMEOUTS, timeoutsAttribute } from './timeouts.ts'

/** The name of the provider, which all names of its types begin with. */
export const PROVIDER_NAME = 'svc'

/** `select_permission` -> `svc_select_permission` */
export const typeNameOf = (name: string) => `${PROVIDER_NAME}_${name}`

export interface ResourceType {
  readonly typeName: string
  readonly kind: string
  readonly version: number
  readonly description: string
  /** With the timeouts. */
  readonly attributes: Attributes
}

export interface DataType {
  readonly typeName: string
  readonly name: string
  readonly description: string
  readonly attributes: Attributes
}

/** Everything Terraform knows of this provider, by the names it uses. */
export interface ProviderTypes {
  readonly config: Attributes
  readonly resources: ReadonlyMap<string, ResourceType>
  readonly dataSources: ReadonlyMap<string, DataType>
}

export function providerTypes(declaration: ProviderDeclaration): ProviderTypes {
  const resources = declaration.kinds.map(
    ({ kind, name, version, description, attributes }): ResourceType => ({
      typeName: typeNameOf(name),
      kind,
      version,
      description,
      attributes: { ...attributes, [TIMEOUTS]: timeoutsAttribute },
    }),
  )
  const dataSources = declaration.data.map(
    (data): DataType => ({
      typeName: typeNameOf(data.name),
      name: data.name,
      description: data.description,
      get attributes() {
        return data.attributes
      },
    }),
  )
  return {
    config: declaration.config,
    resources: new Map(resources.map((type) => [type.typeName, type])),
    dataSources: new Map(dataSources.map((type) => [type.typeName, type])),
  }
}
