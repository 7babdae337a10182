import type { RootName } from '../../model/index.ts'
import { placeholder } from '../types/query-root-type.ts'
import { namespaceTypeName, type RoleSchema } from '../types/role-schema.ts'
import { namedField, type ObjectType, objectType, refTo } from '../types/type.ts'
import { hasAnyRootField, type RootField } from './root-fields.ts'
import type { TypeVersions } from './type-changes.ts'
import type { TypeGroup } from './type-graph.ts'

interface Groups {
  readonly before: TypeGroup
  readonly after: TypeGroup
}

/** One of two versions of a schema, and the fields of a root in it that affected tables have. */
interface Version {
  readonly schema: RoleSchema
  readonly fields: readonly RootField[]
}

/** Returns root types and types of namespaces with only the fields of affected tables: the rest is the same in both. */
export function rootVersions(
  groups: readonly Groups[],
  before: RoleSchema,
  after: RoleSchema,
): readonly TypeVersions[] {
  const roots = ['query', 'mutation', 'subscription'] as const
  return roots.flatMap((root) => {
    const fields = (of: keyof Groups) =>
      groups.flatMap((group) => group[of].rootFields.filter((one) => one.root === root))
    return versionsOf(root, { schema: before, fields: fields('before') }, { schema: after, fields: fields('after') })
  })
}

function versionsOf(root: RootName, before: Version, after: Version): readonly TypeVersions[] {
  const all = [...before.fields, ...after.fields]
  if (all.length === 0) return []
  const namespaces = [...new Set(all.flatMap((one) => one.namespace ?? []))]
  const spacesOf = (version: Version) =>
    new Map(namespaces.map((namespace) => [namespace, namespaceType(root, namespace, version)]))
  const [old, now] = [spacesOf(before), spacesOf(after)]
  const types = namespaces.flatMap((namespace): readonly TypeVersions[] => {
    const versions = { before: old.get(namespace) ?? null, after: now.get(namespace) ?? null }
    if (versions.before?.name === versions.after?.name || !versions.before || !versions.after) return [versions]
    return [
      { before: versions.before, after: null },
      { before: null, after: versions.after },
    ]
  })
  return [{ before: rootType(root, before, old), after: rootType(root, after, now) }, ...types]
}

function rootType(
  root: RootName,
  { schema, fields }: Version,
  spaces: ReadonlyMap<string, ObjectType<unknown> | null>,
): ObjectType<unknown> | null {
  if (fields.length === 0 && !hasAnyRootField(schema, root, null))
    return root === 'query' ? objectType('query_root', null, [placeholder]) : null
  return objectType<unknown>(`${root}_root`, null, [
    ...fields.flatMap(({ namespace, field }) => (namespace === null ? [field] : [])),
    ...[...spaces].flatMap(([name, type]) => (type ? [namedField(name, null, refTo(type), null)] : [])),
  ])
}

/** Returns the type of a namespace; with no field of an affected table it is there where anything else has one. */
function namespaceType(root: RootName, namespace: string, { schema, fields }: Version): ObjectType<unknown> | null {
  const inside = fields.filter((one) => one.namespace === namespace)
  if (inside.length === 0 && !hasAnyRootField(schema, root, namespace)) return null
  const name = namespaceTypeName(schema.model, namespace, root, schema.backendOnly)
  if (name === null) return null
  return objectType(
    name,
    null,
    inside.map(({ field }) => field),
  )
}
