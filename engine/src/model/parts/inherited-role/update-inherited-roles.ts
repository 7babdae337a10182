import { address, addressText, childrenOf, findObject, inheritanceOf, type ObjectAddress, ownKey } from '@svc/schema'
import { adminRole } from '../../../session.ts'
import { inheritedRoleReadKey } from '../../graph.ts'
import type { InheritedRole } from '../../inherit/inherited-role.ts'
import { announce } from '../../names/names.ts'
import { ResolutionError } from '../../resolve/resolution-error.ts'
import type { Changes } from '../../update/find-changes.ts'
import type { ModelDraft } from '../../update/model-draft.ts'
import { clearFault, recordFault } from '../../update/record-fault.ts'

/** Of roles made of roles. More say nothing that fewer could not, and every request of such a role would climb them. */
const MOST_LEVELS = 100

/**
 * Which inherited roles there are and what of (reference/permissions#inherited-roles): those are resolved again that
 * were edited, or of which a role came or went, directly or over others. What a role may do is computed with
 * its first request.
 */
export function updateInheritedRoles(draft: ModelDraft, changes: Changes): void {
  const { document } = draft.input
  const edited = changes.byType.get('inherited_role') ?? []
  for (const { change, address: at } of edited) if (change === 'delete') clearFault(draft, addressText(at))
  const isAny = edited.length > 0 || !childrenOf(document, 'inherited_role').isEmpty()
  if (!isAny || (edited.length === 0 && draft.turnedRoles.size === 0)) return
  const old = draft.inheritedRoles
  const { order, unordered, cyclic } = inheritanceOf(document)
  const dirty = new Set(edited.map(({ new: now, old }) => String((now ?? old)?.value.role_name)))
  const found = new Map<string, InheritedRole>()
  for (const { role_name, role_set } of [...order, ...unordered]) {
    const isMoved = role_set.some((name) => dirty.has(name) || draft.turnedRoles.has(name))
    const known = old.get(role_name)
    // the text of a cycle names all that are in one
    if (!isMoved && !dirty.has(role_name) && (known || edited.length === 0) && !cyclic.includes(role_name)) {
      if (known) found.set(role_name, known)
      continue
    }
    dirty.add(role_name)
    updateOne(draft, role_name, resolve(draft, role_name, role_set, cyclic, found), found)
  }
  const changed = [...new Set([...old.keys(), ...found.keys()])].filter((role) => old.get(role) !== found.get(role))
  if (changed.length === 0) return
  draft.inheritedRoles = found
  for (const role of changed) announce(draft, inheritedRoleReadKey(role))
}

function updateOne(
  draft: ModelDraft,
  role: string,
  made: InheritedRole | ResolutionError,
  found: Map<string, InheritedRole>,
): void {
  const at = addressOf(role)
  draft.rebuilt++
  const object = findObject(draft.input.document, at)
  if (!(made instanceof ResolutionError)) {
    found.set(role, made)
    clearFault(draft, addressText(at))
  } else if (object) recordFault(draft, at, object, made)
}

const addressOf = (role: string): ObjectAddress =>
  address('inherited_role', ownKey('inherited_role', { role_name: role }))

/** `found`: the inherited roles that it may be made of. One that is made of the same keeps its reference. */
function resolve(
  draft: ModelDraft,
  role: string,
  roleSet: readonly string[],
  cyclic: readonly string[],
  found: ReadonlyMap<string, InheritedRole>,
): InheritedRole | ResolutionError {
  const problem = (text: string, detail: ResolutionError['detail']) =>
    new ResolutionError(`in inherited role ${role}: ${text}`, detail)
  const wrong = { cause: 'definition', at: ['role_set'] } as const
  if (role === adminRole) return problem('the admin has every permission and inherits none', wrong)
  if (cyclic.includes(role)) return problem(`found cycle(s) in roles: ${cyclic.join(', ')}`, wrong)
  const names = [...new Set(roleSet)]
  const missing = names.filter((name) => !found.has(name) && !isNamed(draft, name)).sort()
  if (missing.length > 0)
    return problem(
      `the following parent role(s) are not found: ${missing.join(', ')} which are required to construct the inherited role: "${role}"`,
      { cause: 'metadata', needs: missing.map(addressOf), at: ['role_set'] },
    )
  const parents = names.map((name) => found.get(name) ?? name)
  const levels = 1 + Math.max(0, ...parents.map((parent) => (typeof parent === 'string' ? 0 : parent.levels)))
  if (levels > MOST_LEVELS) return problem(`it inherits over more than ${MOST_LEVELS} roles`, wrong)
  const old = draft.inheritedRoles.get(role)
  if (old && sameItems(old.parents, parents)) return old
  const ancestors = new Set([
    ...names,
    ...parents.flatMap((one) => (typeof one === 'string' ? [] : [...one.ancestors])),
  ])
  return { role, parents, ancestors, levels }
}

/** Whether some permission names it. */
function isNamed({ graph, input }: ModelDraft, role: string): boolean {
  const isDeclared = findObject(input.document, addressOf(role)) !== undefined
  return (graph.roleUses.get(role) ?? 0) > (isDeclared ? 1 : 0)
}

const sameItems = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((item, i) => item === b[i])
