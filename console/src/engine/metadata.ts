import type { Json } from './client.ts'

/** The metadata as `export_metadata` answers it, as far as pages read it. */
export interface Exported {
  readonly resource_version: number
  readonly metadata: Metadata
}

export interface Metadata {
  readonly sources?: readonly Source[]
  readonly inherited_roles?: readonly InheritedRole[]
  readonly [key: string]: unknown
}

export interface InheritedRole {
  readonly role_name: string
  readonly role_set: readonly string[]
}

export interface Source {
  readonly name: string
  readonly kind: string
  readonly tables?: readonly Table[]
  readonly customization?: Customization
  readonly [key: string]: unknown
}

export interface Customization {
  readonly naming_convention?: string
  readonly root_fields?: { readonly namespace?: string; readonly prefix?: string; readonly suffix?: string }
}

/** A name, or its parts by kind of source. */
export type TableName = string | Readonly<Record<string, string>>

export interface Table {
  readonly table: TableName
  readonly configuration?: {
    readonly custom_name?: string | null
    readonly custom_root_fields?: { readonly select?: string | { readonly name?: string } }
    readonly comment?: string | null
  }
  readonly object_relationships?: readonly Relationship[]
  readonly array_relationships?: readonly Relationship[]
  readonly select_permissions?: readonly Permission[]
  readonly insert_permissions?: readonly Permission[]
  readonly update_permissions?: readonly Permission[]
  readonly delete_permissions?: readonly Permission[]
  readonly event_triggers?: readonly {
    readonly name: string
    readonly cleanup_config?: { readonly paused?: boolean }
  }[]
  readonly [key: string]: unknown
}

export interface Relationship {
  readonly name: string
  readonly using: Json
}

export interface Permission {
  readonly role: string
  readonly comment?: string
  readonly permission: {
    readonly columns?: readonly string[] | '*'
    readonly filter?: Json
    readonly check?: Json
    readonly set?: Readonly<Record<string, Json>>
    readonly limit?: number
    readonly allow_aggregations?: boolean
    readonly [key: string]: unknown
  }
}

export const operations = ['select', 'insert', 'update', 'delete'] as const
export type TableOperation = (typeof operations)[number]

export const permissionsOf = (table: Table, operation: TableOperation): readonly Permission[] =>
  table[`${operation}_permissions`] ?? []

/** As the database shows it: `artist`, or `sales.invoice` where the schema is not the usual one. */
export function shownTable(name: TableName): string {
  if (typeof name === 'string') return name
  const schema = name.schema ?? name.dataset
  return schema === undefined || schema === 'public' || schema === 'dbo' ? (name.name ?? '') : `${schema}.${name.name}`
}

const prefixes: Readonly<Record<string, string>> = { postgres: 'pg' }

/** How the names of operations on a source of a kind begin. */
export const prefixOf = (kind: string): string => prefixes[kind] ?? kind

/** All roles that metadata names: inherited ones, and those of any permission. */
export function rolesOf(metadata: Metadata): readonly string[] {
  const roles = new Set(metadata.inherited_roles?.map(({ role_name }) => role_name))
  const add = (permissions: unknown) => {
    if (Array.isArray(permissions))
      for (const one of permissions as readonly { role?: unknown }[])
        if (typeof one.role === 'string') roles.add(one.role)
  }
  const addWithin = (objects: unknown) => {
    if (!Array.isArray(objects)) return
    for (const object of objects as readonly Readonly<Record<string, unknown>>[])
      for (const [list, value] of Object.entries(object)) if (/permissions$/.test(list)) add(value)
  }
  for (const holder of [metadata, ...(metadata.sources ?? [])])
    for (const list of Object.values(holder)) addWithin(list)
  return [...roles].sort()
}

/** Session variables that the permissions of a role, and of those it inherits from, read: in lower case. */
export function variablesOf(metadata: Metadata, role: string, headerPrefix: string): readonly string[] {
  const prefix = headerPrefix.toLowerCase()
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      const name = value.toLowerCase()
      if (name.startsWith(prefix) && name !== `${prefix}role`) found.add(name)
    } else if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) look(inner)
  }
  const roles = ancestors(metadata, role)
  for (const source of metadata.sources ?? [])
    for (const table of source.tables ?? [])
      for (const operation of operations)
        for (const { role, permission } of permissionsOf(table, operation)) if (roles.has(role)) look(permission)
  return [...found].sort()
}

/** The role itself, and all it inherits from. */
export function ancestors(
  metadata: Pick<Metadata, 'inherited_roles'>,
  role: string,
  known = new Set<string>(),
): ReadonlySet<string> {
  if (known.has(role)) return known
  known.add(role)
  const inherited = metadata.inherited_roles?.find(({ role_name }) => role_name === role)
  for (const parent of inherited?.role_set ?? []) ancestors(metadata, parent, known)
  return known
}
