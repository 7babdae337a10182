/** One segment of an endpoint's path: a text, or the variable that it binds. */
export type PathSegment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A consistent REST endpoint (reference/stored-queries). */
export interface ResolvedRestEndpoint {
  readonly name: string
  readonly url: string
  readonly segments: readonly PathSegment[]
  readonly methods: readonly RestMethod[]
  /** The stored query, one operation that is no subscription. */
  readonly query: string
  readonly comment: string | null
}
