import type { QualifiedName } from '../ir/index.ts'

/** What a role may do with other rows, or with rows otherwise, than before. */
export interface RowChange {
  readonly source: string
  readonly table: QualifiedName
  readonly permission: PermissionKind
  readonly part: PermissionPart
  readonly change: 'granted' | 'revoked' | 'wider' | 'narrower' | 'changed'
  /** Columns whose presets or masks changed. */
  readonly columns?: readonly string[]
  /** Of a limit: rows of one request; null: any number. */
  readonly before?: number | null
  readonly after?: number | null
  /** Session variables that a request did not need before, and those that it no longer needs. */
  readonly needs?: readonly string[]
  readonly needs_no_more?: readonly string[]
}

export type PermissionKind = 'select' | 'insert' | 'update' | 'delete'
export type PermissionPart =
  | 'permission'
  | 'filter'
  | 'check'
  | 'limit'
  | 'presets'
  | 'masks'
  | 'backend_only'
  | 'validation'
