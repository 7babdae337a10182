/** The objects of an engine's metadata, by what the soak calls them. */
import type { Engine } from '../../engine.ts'
import { collectionKey, type Objects, permissionKey, relationshipKey, roleKey, tableKey } from './declared.ts'

interface Named {
  readonly name: string
}
interface ExportedPermission {
  readonly role: string
  readonly permission: { readonly columns?: readonly string[]; readonly filter: unknown }
}
interface ExportedRelationship extends Named {
  readonly comment?: string
  readonly using: { readonly manual_configuration: { readonly remote_table: Named } }
}
interface ExportedTable {
  readonly table: Named
  readonly configuration?: { readonly custom_name?: string }
  readonly select_permissions?: readonly ExportedPermission[]
  readonly delete_permissions?: readonly ExportedPermission[]
  readonly object_relationships?: readonly ExportedRelationship[]
}
interface Exported {
  readonly sources: readonly { readonly tables?: readonly ExportedTable[] }[]
  readonly inherited_roles?: readonly { readonly role_name: string; readonly role_set: readonly string[] }[]
  readonly query_collections?: readonly (Named & { readonly comment?: string })[]
}

/** Throws where the export fails. */
export async function liveObjects(engine: Engine): Promise<Objects> {
  const { status, body, text } = await engine.metadata('export_metadata', {})
  if (status !== 200) throw new Error(text)
  const { sources, inherited_roles = [], query_collections = [] }: Exported = body
  return new Map([
    ...(sources[0]?.tables ?? []).flatMap(inTable),
    ...inherited_roles.map(({ role_name, role_set }) => [roleKey(role_name), [...role_set].sort()] as const),
    ...query_collections.map(({ name, comment = '' }) => [collectionKey(name), comment] as const),
  ])
}

function inTable(exported: ExportedTable): readonly (readonly [string, unknown])[] {
  const { table, configuration, select_permissions = [], delete_permissions = [], object_relationships = [] } = exported
  return [
    [tableKey(table.name), { custom_name: configuration?.custom_name ?? '' }],
    ...select_permissions.map(
      ({ role, permission: { columns = [], filter } }) =>
        [permissionKey(table.name, 'select', role), { columns: [...columns].sort(), filter }] as const,
    ),
    ...delete_permissions.map(
      ({ role, permission: { filter } }) => [permissionKey(table.name, 'delete', role), { filter }] as const,
    ),
    ...object_relationships.map(
      ({ name, comment = '', using }) =>
        [relationshipKey(table.name, name), { to: using.manual_configuration.remote_table.name, comment }] as const,
    ),
  ]
}
