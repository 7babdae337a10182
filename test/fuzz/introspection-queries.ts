import type { PrintedQuery } from '../differential/print-query.ts'
import type { World } from '../differential/world.ts'

/** What clients query of a schema: all of it, one type, a type through others, together with data. */
export function introspectionQueries({ tables }: World): readonly PrintedQuery[] {
  const [name = 'query_root'] = tables.keys()
  const ref = 'type { kind name ofType { name ofType { name } } }'
  const texts = [
    `query ($deep: Boolean = true) { __schema { queryType { name } subscriptionType { name } directives { name locations args { name defaultValue ${ref} } } types { ...t @include(if: $deep) kind } } }
     fragment t on __Type { name description fields(includeDeprecated: true) { name args { name ${ref} } ${ref} } inputFields { name ${ref} } enumValues(includeDeprecated: $deep) { name } interfaces { name } possibleTypes { name } }`,
    `query ($n: String!) { one: __type(name: $n) { ...on __Type { name kind } fields { name ${ref} isDeprecated } } __type(name: "${name}_bool_exp") { inputFields { name } } }`,
    `{ __typename ${name} { __typename } __type(name: "${name}") { fields { name type { name fields { name } } } } }`,
  ]
  return texts.map((query) => ({ query, variables: query.includes('$n:') ? { n: name } : {} }))
}
