import type { NameRules } from '@svc/schema'
import type { QualifiedName } from '../../ir/index.ts'
import type { NamePiece } from '../naming/spell.ts'

const pattern = /^[_A-Za-z][_0-9A-Za-z]*$/
export const isGraphqlName = (name: string): boolean => pattern.test(name)

/**
 * What the names of a table or function are made of (reference/graphql-schema#names-of-tables-and-functions); null
 * where that is no GraphQL name.
 */
export function baseNameOf(customName: string | undefined, name: QualifiedName, names: NameRules): NamePiece | null {
  const own = customName ?? names.graphqlBase(name)
  if (!isGraphqlName(own)) return null
  return customName === undefined ? own : { custom: customName }
}
