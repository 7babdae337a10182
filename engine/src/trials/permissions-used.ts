import { isRecord } from '@svc/schema'
import type { GraphqlRequest } from '../execute/index.ts'
import {
  type GraphqlSettings,
  type OperationPlan,
  type PermittedUse,
  type PlannedRoot,
  parseDocument,
  permittedUse,
  planOperation,
  roleSchema,
} from '../graphql/index.ts'
import type { QualifiedName } from '../ir/index.ts'
import type { Model } from '../model/index.ts'
import type { Session } from '../session.ts'

/** A permission that a request goes by, named as the operation that creates it names it. */
export type PermissionUse = TableUse | RowsUse | PermittedUse

interface TableUse {
  readonly source: string
  readonly table: QualifiedName
  readonly permission: 'select' | 'insert' | 'update' | 'delete'
}

/** Of a logical model, or of a query that describes its rows in place: its name by its kind. */
interface RowsUse {
  readonly source: string
  readonly [kind: string]: string
}

/**
 * Returns the permissions that a request uses: of the tables that it writes, of those whose rows it returns, of the
 * logical models of native queries and stored procedures, and of the functions, actions and remote schemas that it
 * calls. Tables that only conditions lead to are left out. Throws ApiError where the request cannot be planned.
 */
export function permissionsUsed(
  model: Model,
  { query, operationName, variables }: GraphqlRequest,
  { role, backendOnly }: Pick<Session, 'role' | 'backendOnly'>,
  settings: GraphqlSettings,
): readonly PermissionUse[] {
  const document = parseDocument(query, settings)
  const schema = roleSchema(model, role, 'graphql', backendOnly)
  const plan = planOperation({ document, operationName, variables }, schema, settings)
  const tables = [
    ...plan.roots.flatMap((root) => [...usesOf(root, model)]),
    ...plan.joins.flatMap((join) => (join.kind === 'remote' ? [] : [...shown(join.rows.source, join.rows.query)])),
  ]
  const keyOf = ({ source, table, permission }: TableUse) =>
    JSON.stringify([source, table.schema, table.name, permission])
  return [
    ...new Map(tables.map((use) => [keyOf(use), use])).values(),
    ...logicalRows(plan, model),
    ...plan.uses.flatMap((use) => permittedUse(use, model) ?? []),
  ]
}

/** No condition leads to them. */
function* logicalRows({ asked }: Pick<OperationPlan, 'asked'>, model: Model): Generator<RowsUse> {
  for (const part of asked.parts()) {
    const rows = part.kind === 'select' ? model.logicalRows.get(part.table) : undefined
    if (rows) yield { source: rows.source, [rows.address.type]: rows.address.own }
  }
}

function* usesOf(root: PlannedRoot, model: Model): Generator<TableUse> {
  if ('roots' in root) for (const inner of root.roots) yield* usesOf(inner, model)
  // it shows no table
  if (!('source' in root)) return
  const { source } = root
  switch (root.kind) {
    case 'database':
      yield* shown(source, root.query)
      break
    case 'writes':
      for (const group of root.groups) {
        if ('text' in group) continue
        if (group.kind !== 'call') yield { source, table: group.table, permission: group.kind }
        yield* shown(source, group.kind === 'call' ? group.query : group.answer)
      }
      break
    case 'updates':
    case 'insert': {
      const table = model.tables.get(root.table)?.table
      if (table) yield { source, table, permission: root.kind === 'insert' ? 'insert' : 'update' }
      if (table && root.kind === 'insert' && root.conflict?.update) yield { source, table, permission: 'update' }
      yield* shown(source, root.answer)
    }
  }
}

function* shown(source: string, part: unknown): Generator<TableUse> {
  for (const table of shownTables(part)) yield { source, table, permission: 'select' }
}

/** Parts of a query that show no rows. */
const conditions: ReadonlySet<string> = new Set(['where', 'rows', 'orderBy', 'filter', 'check', 'call', 'keys'])

function* shownTables(part: unknown): Generator<QualifiedName> {
  if (Array.isArray(part)) for (const one of part) yield* shownTables(one)
  if (!isRecord(part)) return
  for (const [key, value] of Object.entries(part)) {
    if (conditions.has(key)) continue
    const table = key === 'join' && isRecord(value) ? value.table : value
    if ((key !== 'join' && key !== 'from' && key !== 'table') || !isQualified(table)) yield* shownTables(value)
    else if (!isLogical(key === 'join' ? value : part)) yield table
  }
}

/** Rows of a native query or a stored procedure, or within such a row: the name is that of a logical model. */
const isLogical = (part: unknown): boolean =>
  isRecord(part) && ('query' in part || 'procedure' in part || part.kind === 'nested')

const isQualified = (value: unknown): value is QualifiedName =>
  isRecord(value) && typeof value.schema === 'string' && typeof value.name === 'string'
