import type { SourceSpan } from './template-error.ts'

/** Words that are no identifiers, not even after a dot. */
export const reservedWords = ['if', 'elif', 'else', 'end', 'null', 'range', 'in', 'not', 'true', 'false'] as const
export type ReservedWord = (typeof reservedWords)[number]

/** Longest first: the lexer takes the first that fits. */
export const symbols = [
  '==', '!=', '<=', '>=', '&&', '||', '??', ':=', '{{',
  '<', '>', '?', ':', ',', '.', '(', ')', '[', ']', '{', '}', '_',
] as const // biome-ignore format: two lines say it all
/** `}}` is a symbol inside `{{` only; outside it is two braces. */
export type TokenSymbol = (typeof symbols)[number] | '}}'

export type Token = { readonly span: SourceSpan; readonly text: string } & (
  | { readonly kind: 'symbol'; readonly symbol: TokenSymbol }
  | { readonly kind: 'word'; readonly word: ReservedWord }
  | { readonly kind: 'identifier'; readonly name: string }
  | { readonly kind: 'number' }
  /** `'key'`. */
  | { readonly kind: 'key'; readonly key: string }
  /** Text as it is meant, and the tokens of what stands between `{{` and `}}`. */
  | { readonly kind: 'string'; readonly parts: readonly StringPart[] }
  | { readonly kind: 'end' }
)

export type StringPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tokens'; readonly tokens: readonly Token[]; readonly span: SourceSpan }
