import type { ConstValueNode } from 'graphql'
import type { RemoteTypeRef } from '../remote-types.ts'

/**
 * A value that is not the client's: put in the place of an argument or an input field
 * (reference/remote-schemas#permissions-of-roles).
 */
export type Preset =
  | { readonly kind: 'literal'; readonly value: ConstValueNode }
  /** Lower case: x-svc-user-id. `type` is the upstream's. */
  | { readonly kind: 'session'; readonly variable: string; readonly type: RemoteTypeRef }

/** Presets of arguments by type, field and argument; of input fields by type and field. Upstream names. */
export interface Presets {
  readonly args: ReadonlyMap<string, ReadonlyMap<string, Preset>>
  readonly inputs: ReadonlyMap<string, ReadonlyMap<string, Preset>>
}

/** Key of `args`. */
export const fieldKey = (type: string, field: string): string => `${type}.${field}`
