import type { Json } from '@svc/schema'

/** What an adopted resource says of an attribute, apart from how a tool spells it. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  /** By attributes, whose names a tool may spell in its own way. */
  | { readonly kind: 'object'; readonly entries: readonly ExpressionEntry[] }
  /** By keys that are data. */
  | { readonly kind: 'map'; readonly entries: readonly ExpressionEntry[] }
  /** Free-form JSON; `isText`: also a bare text. */
  | { readonly kind: 'json'; readonly value: Json; readonly isText: boolean }
  /** What another adopted resource puts out; `of` is its address. */
  | { readonly kind: 'output'; readonly of: string; readonly attribute: string }
  /** A secret, which becomes a variable. */
  | { readonly kind: 'secret'; readonly secret: Secret }

export type ExpressionEntry = readonly [name: string, value: Expression]

export interface Secret {
  /** The resource's address, and the attribute: which secret it is. */
  readonly of: string
  readonly path: readonly string[]
  readonly shape: 'text' | 'list' | 'object'
}

/** Every secret in an expression. */
export function secretsIn(expression: Expression): readonly Secret[] {
  switch (expression.kind) {
    case 'literal':
    case 'json':
    case 'output':
      return []
    case 'secret':
      return [expression.secret]
    case 'list':
      return expression.items.flatMap(secretsIn)
    case 'object':
    case 'map':
      return expression.entries.flatMap(([, value]) => secretsIn(value))
  }
}
