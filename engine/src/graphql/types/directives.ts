import { booleanRef, intRef } from './scalar-types.ts'
import { argument, byName, type InputField, nonNull } from './type.ts'

export type DirectivePlace = 'QUERY' | 'MUTATION' | 'SUBSCRIPTION' | 'FIELD' | 'FRAGMENT_SPREAD' | 'INLINE_FRAGMENT'

export interface Directive {
  readonly name: string
  readonly description: string
  readonly places: readonly DirectivePlace[]
  readonly args: ReadonlyMap<string, InputField<unknown>>
}

/** reference/queries#directives-and-introspection, in the order of names. */
export const directives: ReadonlyMap<string, Directive> = byName([
  {
    name: 'cached',
    description: 'whether this query should be cached',
    places: ['QUERY'],
    args: byName([
      argument('refresh', 'refresh the cache entry', nonNull(booleanRef), 'false'),
      argument('ttl', 'measured in seconds', nonNull(intRef), '60'),
    ]),
  },
  {
    name: 'include',
    description: 'whether this query should be included',
    places: ['FIELD', 'FRAGMENT_SPREAD', 'INLINE_FRAGMENT'],
    args: byName([argument('if', null, nonNull(booleanRef))]),
  },
  {
    name: 'skip',
    description: 'whether this query should be skipped',
    places: ['FIELD', 'FRAGMENT_SPREAD', 'INLINE_FRAGMENT'],
    args: byName([argument('if', null, nonNull(booleanRef))]),
  },
])
