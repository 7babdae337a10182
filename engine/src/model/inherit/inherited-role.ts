/**
 * A role that may what its parents may (reference/permissions#inherited-roles). Any change of what it is made of makes
 * a new one.
 */
export interface InheritedRole {
  readonly role: string
  /** By name the roles that only permissions name. */
  readonly parents: readonly (string | InheritedRole)[]
  /** The names of all roles that it is made of, over any number of levels. */
  readonly ancestors: ReadonlySet<string>
  readonly levels: number
}

/** Whether a role, or one of those it is made of, is among these: what one parent may the role may too. */
export const hasRole = (
  roles: { has(role: string): boolean },
  role: string,
  inherited: InheritedRole | undefined,
): boolean => roles.has(role) || (inherited ? [...inherited.ancestors].some((ancestor) => roles.has(ancestor)) : false)
