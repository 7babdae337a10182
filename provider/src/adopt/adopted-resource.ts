import type { ResourceKind } from '../resources/index.ts'
import type { ExpressionEntry } from './expression.ts'

/** A live object as the resource that takes it over. */
export interface AdoptedResource {
  readonly kind: ResourceKind
  /** Its address in the document, as text: outputs and secrets name it by this. */
  readonly address: string
  readonly identity: readonly string[]
  readonly id: string
  /** What is not as it is by default. */
  readonly inputs: readonly ExpressionEntry[]
  /** Addresses of what has to be there before it and which no input names as an output. */
  readonly after: readonly string[]
}

export interface Adoption {
  /** In the order of making: what a resource refers to stands before it. */
  readonly resources: readonly AdoptedResource[]
  /** Names of the objects that no kind of resource stands for. */
  readonly left: readonly string[]
}
