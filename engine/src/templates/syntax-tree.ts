import type { SourceSpan } from './template-error.ts'
import type { TemplateValue } from './value.ts'

export type Operator = '==' | '!=' | '<' | '>' | '<=' | '>=' | '&&' | '||' | 'in' | '??'

export type Access =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: Expression }

/** `span` runs from the first to the last token of the part. */
export type Expression = { readonly span: SourceSpan } & (
  | { readonly kind: 'literal'; readonly value: TemplateValue }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'string'; readonly parts: readonly (string | Expression)[] }
  | { readonly kind: 'array'; readonly items: readonly Expression[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, Expression])[] }
  | { readonly kind: 'access'; readonly of: Expression; readonly access: Access }
  | { readonly kind: 'optional'; readonly of: Expression; readonly accesses: readonly Access[] }
  | { readonly kind: 'operation'; readonly operator: Operator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly argument: Expression }
  | {
      readonly kind: 'range'
      /** Null for `_`. */
      readonly index: string | null
      readonly item: string
      readonly over: Expression
      readonly body: Expression
    }
  | {
      readonly kind: 'if'
      readonly branches: readonly { readonly condition: Expression; readonly result: Expression }[]
      readonly otherwise: Expression
    }
)
