import { isRecord, type Json, type RawNumber } from '@svc/schema'

/** What an adopted resource says of an attribute, in no spelling of a tool. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: Scalar }
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

type Scalar = string | number | boolean | null | RawNumber

export type ExpressionEntry = readonly [name: string, value: Expression]

export interface Secret {
  /** The resource's address, and the attribute: which secret it is. */
  readonly of: string
  readonly path: readonly string[]
  readonly shape: 'text' | 'list' | 'object'
}

/** JSON as an expression, whose keys are data. */
export function expressionOf(json: Json): Expression {
  if (Array.isArray(json)) return { kind: 'list', items: (json as readonly Json[]).map(expressionOf) }
  if (!isRecord(json)) return { kind: 'literal', value: json as Scalar }
  return { kind: 'map', entries: Object.entries(json).map(([key, value]) => [key, expressionOf(value)]) }
}

type Leaf = Exclude<Expression, { readonly kind: 'list' | 'object' | 'map' }>

function leavesOf(expression: Expression): readonly Leaf[] {
  switch (expression.kind) {
    case 'literal':
    case 'json':
    case 'output':
    case 'secret':
      return [expression]
    case 'list':
      return expression.items.flatMap(leavesOf)
    case 'object':
    case 'map':
      return leavesIn(expression.entries)
  }
}

const leavesIn = (entries: readonly ExpressionEntry[]): readonly Leaf[] =>
  entries.flatMap(([, value]) => leavesOf(value))

/** Every secret in the attributes of a resource. */
export const secretsIn = (inputs: readonly ExpressionEntry[]): readonly Secret[] =>
  leavesIn(inputs).flatMap((leaf) => (leaf.kind === 'secret' ? [leaf.secret] : []))

/** The addresses of the resources that the attributes of another one name. */
export const outputsIn = (inputs: readonly ExpressionEntry[]): readonly string[] =>
  leavesIn(inputs).flatMap((leaf) => (leaf.kind === 'output' ? [leaf.of] : []))
