import { type Json, namedTypeOf, parseGraphqlType } from '@svc/schema'
import type { Reference } from './define-resource.ts'
import type { Path } from './value.ts'

type CustomTypeReference = Extract<Reference, { readonly to: 'custom-type' }>

const builtIn: ReadonlySet<string> = new Set(['Int', 'Float', 'String', 'Boolean', 'ID'])

/** The custom type that an attribute names as GraphQL writes types, `[Item!]!`; types of databases are in lower case. */
export function customTypeReference(text: Json | undefined, ...attribute: Path): readonly CustomTypeReference[] {
  const type = typeof text === 'string' ? parseGraphqlType(text) : null
  const name = type && namedTypeOf(type)
  if (name === null || builtIn.has(name) || name === name.toLowerCase()) return []
  return [{ to: 'custom-type', source: null, name, attribute }]
}
