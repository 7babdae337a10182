import type { TypeSystem } from '../../backends/index.ts'
import type { ResolvedArgument } from '../resolved-function.ts'

/** Whether a client passes any of them: only then is there a type for them. */
export const asksClient = (given: readonly ResolvedArgument[]): boolean => given.some(({ kind }) => kind === 'user')

/** The scalars of the arguments that a client passes. */
export const argumentScalars = (given: readonly ResolvedArgument[], types: TypeSystem): Set<string> =>
  new Set(given.flatMap((one) => (one.kind === 'user' ? [types.graphqlScalar(one.type)] : [])))
