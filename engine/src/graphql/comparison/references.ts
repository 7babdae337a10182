import { keptFor } from '../../kept-for.ts'
import { type Model, type ResolvedRows, rowsOf, type TableId } from '../../model/index.ts'

/** The tables that the types of a table may mention. */
const targetsOf = keptFor((rows: ResolvedRows): ReadonlySet<TableId> => {
  const made = new Set<TableId>()
  for (const { target } of rows.relationships.values()) made.add(target)
  for (const { returns } of rows.computedFields.values()) if (returns.kind === 'table') made.add(returns.table)
  if (rows.kind === 'table') {
    for (const one of rows.remoteRelationships.values()) if (one.kind === 'table') made.add(one.target)
  } else for (const { target } of rows.nestedRows.values()) made.add(target)
  return made
})

const references = new WeakMap<Model, ReadonlyMap<TableId, readonly TableId[]>>()

/** The tables of which types may mention those of a table. */
export function referencing(model: Model, id: TableId): readonly TableId[] {
  const known = references.get(model) ?? referencesOf(model)
  references.set(model, known)
  return known.get(id) ?? []
}

function referencesOf(model: Model): ReadonlyMap<TableId, readonly TableId[]> {
  const found = new Map<TableId, TableId[]>()
  for (const rows of [model.tables, model.logicalRows])
    for (const [id, table] of rows)
      for (const target of targetsOf(table)) {
        const users = found.get(target)
        if (users) users.push(id)
        else found.set(target, [id])
      }
  return found
}

/** Reuses for a model what is known of the one before, where the changed tables lead where they led. */
export function shareReferences(before: Model, after: Model, changed: Iterable<TableId>): void {
  const known = references.get(before)
  if (!known || references.has(after)) return
  const targetsIn = (model: Model, id: TableId) => {
    const rows = rowsOf(model, id)
    return rows ? [...targetsOf(rows)].sort().join('\n') : ''
  }
  for (const id of changed) if (targetsIn(before, id) !== targetsIn(after, id)) return
  references.set(after, known)
}
