import { childrenOf, type MetadataDocument } from './document.ts'
import { objectValue } from './object-values.ts'
import type { InheritedRole } from './objects/inherited-role.ts'

export interface Inheritance {
  /** Inherited roles, each after those that it is made of. */
  readonly order: readonly InheritedRole[]
  /** Those that are in no such order, since they are made of themselves or of one that is; by name. */
  readonly unordered: readonly InheritedRole[]
  /** The names among the latter that are in a cycle, or between two. */
  readonly cyclic: readonly string[]
}

/** Which inherited role is made of which (reference/permissions#inherited-roles). */
export function inheritanceOf(document: MetadataDocument): Inheritance {
  const values = [...childrenOf(document, 'inherited_role').values()].map((object) =>
    objectValue(object, 'inherited_role'),
  )
  const roles = new Map(values.toSorted(byName).map((role) => [role.role_name, role]))
  const parents = new Map([...roles].map(([name, role]) => [name, role.role_set.filter((one) => roles.has(one))]))
  const { ordered, left } = peel(parents)
  const links = [...left].map((name) => [name, (parents.get(name) ?? []).filter((one) => left.has(one))] as const)
  const { left: cyclic } = peel(reverse(new Map(links)))
  const named = (name: string) => roles.get(name) ?? []
  return { order: ordered.flatMap(named), unordered: [...left].flatMap(named), cyclic: [...cyclic] }
}

const byName = (a: InheritedRole, b: InheritedRole) => (a.role_name < b.role_name ? -1 : 1)

type Links = ReadonlyMap<string, readonly string[]>

/** Removes what links to nothing that is left, again and again. */
function peel(links: Links): { readonly ordered: readonly string[]; readonly left: ReadonlySet<string> } {
  const back = reverse(links)
  const open = new Map([...links].map(([name, to]) => [name, new Set(to).size]))
  const ordered = [...open].filter(([, count]) => count === 0).map(([name]) => name)
  for (const name of ordered)
    for (const from of back.get(name) ?? []) {
      const count = (open.get(from) ?? 0) - 1
      open.set(from, count)
      if (count === 0) ordered.push(from)
    }
  const left = new Set(links.keys())
  for (const name of ordered) left.delete(name)
  return { ordered, left }
}

function reverse(links: Links): Links {
  const back = new Map<string, string[]>([...links.keys()].map((name) => [name, []]))
  for (const [name, to] of links) for (const one of new Set(to)) back.get(one)?.push(name)
  return back
}
