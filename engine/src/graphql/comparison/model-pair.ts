import { type Model, type ResolvedRows, type ResolvedTable, rowsOf, type TableId } from '../../model/index.ts'
import { shareReferences } from './references.ts'

/** Two versions of a model, and what of them differs whatever the role. */
export interface ModelPair {
  readonly before: Model
  readonly after: Model
  /** Tables, and rows of native queries, that are not the same. */
  readonly changed: ReadonlySet<TableId>
  /** Functions, native queries, actions or remote schemas are not the same. */
  readonly others: boolean
}

export function modelPair(before: Model, after: Model): ModelPair {
  const isRestyled = before.input.settings !== after.input.settings || sourcesDiffer(before, after)
  const changed = new Set<TableId>()
  for (const [one, other] of [
    [before, after],
    [after, before],
  ] as const)
    for (const rows of [one.tables, one.logicalRows])
      for (const [id, table] of rows) if (isRestyled || rowsOf(other, id) !== table) changed.add(id)
  const others = isRestyled || othersDiffer(before, after)
  // what is seen of remote schemas hangs on more than the tables
  if (others) for (const [id, table] of after.tables) if (table.remoteRelationships.size > 0) changed.add(id)
  shareReferences(before, after, changed)
  return { before, after, changed, others }
}

/** How a source shows types belongs to its backend. */
function sourcesDiffer(before: Model, after: Model): boolean {
  const [old, now] = [before.input.sources, after.input.sources]
  if (old === now) return false
  return [...old].some(([name, { backend }]) => {
    const other = now.get(name)?.backend
    return backend && other && backend.types !== other.types
  })
}

function othersDiffer(before: Model, after: Model): boolean {
  if (before.functions !== after.functions || before.nativeQueries !== after.nativeQueries) return true
  if (before.input.remotes !== after.input.remotes) return true
  const keys = new Set([...before.values.keys(), ...after.values.keys()])
  return [...keys].some((key) => before.values.get(key) !== after.values.get(key))
}

/**
 * The tables that a role may see otherwise: those that changed in something that concerns it, or all, where what it
 * inherits changed.
 */
export function changedFor({ before, after, changed }: ModelPair, role: string): Iterable<TableId> {
  const [old, now] = [before.inheritedRoles.get(role), after.inheritedRoles.get(role)]
  if (old !== now)
    return new Set([before, after].flatMap(({ tables, logicalRows }) => [...tables.keys(), ...logicalRows.keys()]))
  const roles = [role, ...(now?.ancestors ?? [])]
  return [...changed].filter((id) => !isSameFor(rowsOf(before, id), rowsOf(after, id), roles))
}

/** Whether two versions of a table differ in permissions of other roles only. */
function isSameFor(
  before: ResolvedRows | undefined,
  after: ResolvedRows | undefined,
  roles: readonly string[],
): boolean {
  if (!before || !after || before === after || before.kind !== after.kind) return false
  const keys = Object.keys(before) as (keyof typeof before)[]
  return keys.every((key) => {
    if (before[key] === after[key]) return true
    const [old, now] = [permissionsIn(before, key), permissionsIn(after, key)]
    return old !== null && roles.every((role) => old.get(role) === now?.get(role))
  })
}

/** The permissions of one kind, where a key of a table stands for them. */
function permissionsIn(rows: ResolvedRows, key: keyof ResolvedTable): ReadonlyMap<string, object> | null {
  if (key === 'selectPermissions') return rows.selectPermissions
  if (rows.kind !== 'table') return null
  const isWriting = key === 'insertPermissions' || key === 'updatePermissions' || key === 'deletePermissions'
  return isWriting ? rows[key] : null
}
