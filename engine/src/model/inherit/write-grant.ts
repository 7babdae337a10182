import type { InheritedRole } from './inherited-role.ts'

/**
 * Returns what a role may write of a table: its own permission, else that of its parents where all that have one agree
 * in everything (reference/permissions#inherited-roles); where parents differ, there is none (see
 * permission-conflicts.ts).
 */
export function writeGrant<P extends { readonly role: string }>(
  permissions: ReadonlyMap<string, P>,
  role: string,
  inherited: InheritedRole | undefined,
): P | undefined {
  const own = permissions.get(role)
  if (own || !inherited || permissions.size === 0) return own
  const given = inherited.parents.flatMap((parent) => {
    const name = typeof parent === 'string' ? parent : parent.role
    return writeGrant(permissions, name, typeof parent === 'string' ? undefined : parent) ?? []
  })
  const [first] = given
  if (!first) return undefined
  return given.every((one) => one === first || permissionText(one) === permissionText(first)) ? first : undefined
}

/** All of a permission but whose it is. */
export const permissionText = (permission: object): string =>
  JSON.stringify(permission, (key, value: unknown) =>
    key === 'role' ? undefined : value instanceof Set ? [...value].sort() : value,
  )
