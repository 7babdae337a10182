/** Where a table leads that a role sees. */
import type { Model } from '../../model/index.ts'
import { type RemoteLeaf, remoteLeaves } from './remote-join-types.ts'
import type { RoleTable } from './role-table.ts'
import { visibleTable } from './visible-table.ts'

/** Returns where the relationships to remote schemas lead that the role can follow, by their name. */
export const visibleRemotes = (model: Model, role: string, { table }: RoleTable): ReadonlyMap<string, RemoteLeaf> =>
  table.kind === 'table' && table.remoteRelationships.size > 0
    ? remoteLeaves(model, role, table.remoteRelationships)
    : noRemotes

const noRemotes: ReadonlyMap<string, RemoteLeaf> = new Map()

/** Returns the targets of the relationships and computed fields that the role can follow, by their name. */
export function visibleTargets(model: Model, role: string, table: RoleTable): ReadonlyMap<string, RoleTable> {
  const targets = new Map<string, RoleTable>()
  for (const [name, relationship] of table.table.relationships) {
    const target = relationship.inGraphql ? visibleTable(model, role, relationship.target) : undefined
    if (target) targets.set(name, target)
  }
  for (const [name, { returns }] of table.table.computedFields) {
    const target = returns.kind === 'table' ? visibleTable(model, role, returns.table) : undefined
    if (target) targets.set(name, target)
  }
  if (table.table.kind === 'table')
    for (const [name, relationship] of table.table.remoteRelationships) {
      const target = relationship.kind === 'table' ? visibleTable(model, role, relationship.target) : undefined
      if (target) targets.set(name, target)
    }
  for (const { name, target: id } of table.nested) {
    const target = visibleTable(model, role, id)
    if (target) targets.set(name, target)
  }
  return targets
}
