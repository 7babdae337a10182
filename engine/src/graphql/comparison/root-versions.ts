import { placeholder } from '../types/query-root-type.ts'
import { namespaceTypeName, type RoleSchema, type RootName } from '../types/role-schema.ts'
import { type Field, namedField, type ObjectType, objectType, refTo } from '../types/type.ts'
import { hasAnyRootField, type RootField } from './root-fields.ts'
import type { TypeVersions } from './type-changes.ts'
import type { TypeGroup } from './type-graph.ts'

interface Groups {
  readonly before: TypeGroup
  readonly after: TypeGroup
}

/** The root fields of the affected tables, one version next to the other. */
interface Fields {
  readonly before: readonly RootField[]
  readonly after: readonly RootField[]
}

/** Root types and types of namespaces, with only the fields of affected tables: the rest is the same in both. */
export function rootVersions(
  groups: readonly Groups[],
  before: RoleSchema,
  after: RoleSchema,
): readonly TypeVersions[] {
  const roots = ['query', 'mutation', 'subscription'] as const
  return roots.flatMap((root) => {
    const fields: Fields = {
      before: groups.flatMap((group) => group.before.rootFields.filter((one) => one.root === root)),
      after: groups.flatMap((group) => group.after.rootFields.filter((one) => one.root === root)),
    }
    return versionsOf(root, fields, before, after)
  })
}

function versionsOf(root: RootName, fields: Fields, before: RoleSchema, after: RoleSchema): readonly TypeVersions[] {
  const all = [...fields.before, ...fields.after]
  if (all.length === 0) return []
  const exist = existence(root, null, fields, before, after)
  const old = exist.before ? inRoot(fields.before) : []
  const now = exist.after ? inRoot(fields.after) : []
  const types: TypeVersions[] = []
  for (const namespace of new Set(all.flatMap((one) => one.namespace ?? []))) {
    const inside = inNamespace(fields, namespace)
    const has = existence(root, namespace, inside, before, after)
    const type = (schema: RoleSchema, of: readonly RootField[]) => {
      const name = namespaceTypeName(schema.model, namespace, root, schema.backendOnly)
      return name === null
        ? null
        : rootType(
            name,
            of.map(({ field }) => field),
          )
    }
    const versions = {
      before: has.before ? type(before, inside.before) : null,
      after: has.after ? type(after, inside.after) : null,
    }
    if (versions.before) old.push(namespaceField(namespace, versions.before))
    if (versions.after) now.push(namespaceField(namespace, versions.after))
    if (versions.before && versions.after && versions.before.name !== versions.after.name)
      types.push({ before: versions.before, after: null }, { before: null, after: versions.after })
    else types.push(versions)
  }
  const version = (exists: boolean, own: readonly Field<unknown>[]) => {
    if (root === 'query' && !exists) return rootType('query_root', [placeholder])
    return exists ? rootType(`${root}_root`, own) : null
  }
  return [{ before: version(exist.before, old), after: version(exist.after, now) }, ...types]
}

const inRoot = (fields: readonly RootField[]): Field<unknown>[] =>
  fields.flatMap(({ namespace, field }) => (namespace === null ? [field] : []))

const inNamespace = ({ before, after }: Fields, namespace: string): Fields => ({
  before: before.filter((one) => one.namespace === namespace),
  after: after.filter((one) => one.namespace === namespace),
})

/** Whether a root or namespace is there; with none of these fields it is where another table or object has one. */
function existence(
  root: RootName,
  namespace: string | null,
  fields: Fields,
  before: RoleSchema,
  after: RoleSchema,
): { readonly before: boolean; readonly after: boolean } {
  return {
    before: fields.before.length > 0 || hasAnyRootField(before, root, namespace),
    after: fields.after.length > 0 || hasAnyRootField(after, root, namespace),
  }
}

const rootType = (name: string, fields: readonly Field<unknown>[]): ObjectType<unknown> =>
  objectType(name, null, fields)

const namespaceField = (name: string, type: ObjectType<unknown>): Field<unknown> =>
  namedField(name, null, refTo(type), null)
