import type { QualifiedName } from '../../ir/index.ts'

const pattern = /^[_A-Za-z][_0-9A-Za-z]*$/
export const isGraphqlName = (name: string): boolean => pattern.test(name)

/** The type name of a table (spec 02 §1.1); null where it would be no GraphQL name. */
export function graphqlNameOf(customName: string | undefined, { schema, name }: QualifiedName): string | null {
  const own = customName ?? (schema === 'public' ? name : `${schema}_${name}`)
  return isGraphqlName(own) ? own : null
}
