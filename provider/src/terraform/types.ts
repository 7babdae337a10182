import type { DataDeclaration, KindDeclaration, ProviderDeclaration } from '../core/index.ts'
import type { Attributes } from '../resources/index.ts'
import { timeoutAttributes } from './timeouts.ts'

/** The name of the provider, which all names of its types begin with. */
export const PROVIDER_NAME = 'svc'

/** `select_permission` -> `svc_select_permission` */
export const typeNameOf = (name: string) => `${PROVIDER_NAME}_${name}`

/** Everything Terraform knows of this provider, by the names it uses. */
export interface ProviderTypes {
  readonly config: Attributes
  /** With the timeouts. */
  readonly resources: ReadonlyMap<string, KindDeclaration>
  readonly dataSources: ReadonlyMap<string, DataDeclaration>
}

export const providerTypes = ({ config, kinds, data }: ProviderDeclaration): ProviderTypes => ({
  config,
  resources: new Map(
    kinds.map((kind) => [typeNameOf(kind.name), { ...kind, attributes: { ...kind.attributes, ...timeoutAttributes } }]),
  ),
  dataSources: new Map(data.map((one) => [typeNameOf(one.name), one])),
})
