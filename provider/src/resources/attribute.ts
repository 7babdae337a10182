import type { Json } from '@svc/schema'
import type { Value } from './value.ts'

/** What is refused: a text or a list that is empty, a number below 0, one that is not above it. */
export type Refusal = 'empty' | 'negative' | 'not-positive'

export type AttributeType =
  | {
      readonly kind: 'string'
      readonly refuses?: Refusal
      /** The only texts it may be. */
      readonly choices?: readonly string[]
      /** What typed languages call the choice; absent: after the kind and its place. */
      readonly name?: string
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer' | 'number'; readonly refuses?: Refusal }
  /**
   * Any JSON. Tools that want text (Terraform) hand over its text; texts of equal meaning are no difference. `isText`: a
   * bare text is a value like any other; without, it is never one.
   */
  | { readonly kind: 'json'; readonly isText?: true }
  /** Of a set order and repetition say nothing. */
  | { readonly kind: 'list' | 'set'; readonly of: AttributeType; readonly refuses?: Refusal }
  | { readonly kind: 'map'; readonly of: AttributeType }
  | { readonly kind: 'object'; readonly attributes: Attributes /** As of a choice. */; readonly name?: string }

const scalars: Partial<Record<AttributeType['kind'], string>> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
}

/** A text, a flag or a number where values of the kind are of that type; undefined for anything else. */
export const scalarOf = (kind: AttributeType['kind'], json: Json | undefined): string | number | boolean | undefined =>
  typeof json === scalars[kind] ? (json as string | number | boolean) : undefined

/** One attribute as every tool shows it: nothing in here is of one tool only. */
export interface Attribute {
  readonly type: AttributeType
  /** In Markdown. */
  readonly description: string
  /** `computed`: chosen by the provider only. An optional one with a default is filled in when it is not set. */
  readonly presence: 'required' | 'optional' | 'computed'
  /** Absent: none. */
  readonly default?: Value
  /** The sibling that, when set, leaves it without a default. */
  readonly unless?: string
  /** The setting of the provider that is used where it is not set. */
  readonly providerDefault?: 'default_source' | 'default_role'
  /** A change of it makes a new object in place of the old one. */
  readonly replace: boolean
  readonly sensitive: boolean
  /** Set at every run and stored nowhere: null in plans and states. Never replaces, never has a default. */
  readonly writeOnly: boolean
}

/** In the order in which they are documented. */
export interface Attributes {
  readonly [name: string]: Attribute
}
