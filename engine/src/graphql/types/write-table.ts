import { always, type BooleanExpression } from '../../ir/index.ts'
import {
  type InheritedRole,
  type InputValidation,
  type MutationFieldKind,
  type Preset,
  type ResolvedColumn,
  type ResolvedInsertPermission,
  type ResolvedTable,
  writeGrant,
} from '../../model/index.ts'
import { adminRole } from '../../session.ts'
import type { NamedTypes } from './named-types.ts'
import { type RoleTable, rooted, unseenTable } from './role-table.ts'

/** What a role may insert. */
interface InsertGrant {
  /** Those it has values for, in the order of the table. */
  readonly columns: readonly ResolvedColumn[]
  readonly presets: readonly Preset[]
  /** Rooted in its own row. */
  readonly check: BooleanExpression
  readonly validateInput: InputValidation | null
}

export interface UpdateGrant extends InsertGrant {
  /** Rooted in its own row. */
  readonly filter: BooleanExpression
}

export interface DeleteGrant {
  readonly filter: BooleanExpression
  readonly validateInput: InputValidation | null
}

/** A table as one role may write to it (reference/permissions#effect-on-the-schema). */
export interface WriteTable {
  readonly table: ResolvedTable
  readonly role: string
  readonly types: NamedTypes
  /** What it may select of it: nothing at all where it has no permission to. */
  readonly select: RoleTable
  readonly selects: boolean
  /** Wherever rows of it are inserted: `backend_only` matters only at the root (reference/mutations#insert). */
  readonly insert: InsertGrant | null
  readonly update: UpdateGrant | null
  readonly delete: DeleteGrant | null
  readonly fields: ReadonlySet<MutationFieldKind>
}

export interface Writer {
  readonly role: string
  readonly inherited: InheritedRole | undefined
  /** Whether `backend_only` permissions count. */
  readonly backendOnly: boolean
}

/** Returns a table as a role may write to it, undefined where it may not. `visible`: as it may select from it. */
export function writeTable(
  table: ResolvedTable,
  { role, inherited, backendOnly }: Writer,
  types: NamedTypes,
  visible: RoleTable | undefined,
): WriteTable | undefined {
  if (table.graphqlName === null || table.writes.length === 0) return undefined
  const select = visible ?? unseenTable(table, role, types, inherited)
  const shared = { table, role, types, select, selects: visible !== undefined }
  if (role === adminRole) {
    const columns = table.columns.filter(({ writable }) => writable)
    const insert = { columns, presets: [], check: always, validateInput: null }
    const fields = new Set(table.writes)
    return {
      ...shared,
      insert: fields.has('insert') ? insert : null,
      update: fields.has('update') ? { ...insert, filter: always } : null,
      delete: fields.has('delete') ? adminDelete : null,
      fields,
    }
  }
  const allows = (kind: MutationFieldKind) => table.writes.includes(kind)
  const insert = allows('insert') ? writeGrant(table.insertPermissions, role, inherited) : undefined
  const update = allows('update') ? writeGrant(table.updatePermissions, role, inherited) : undefined
  const remove = allows('delete') ? writeGrant(table.deletePermissions, role, inherited) : undefined
  if (!insert && !update && !remove) return undefined
  const seesKey = table.primaryKey?.every(({ name }) => select.columns.some((column) => column.name === name)) ?? false
  const has = { insert, update, delete: remove }
  const fields = table.writes.flatMap((kind): readonly MutationFieldKind[] => {
    const permission = has[writeOperation(kind)]
    if (!permission || (permission.backendOnly && !backendOnly)) return []
    if (kind === 'insert_one') return shared.selects ? [kind] : []
    return kind.endsWith('_by_pk') && !seesKey ? [] : [kind]
  })
  const grantOf = ({ columns, presets, check, validateInput }: ResolvedInsertPermission): InsertGrant => ({
    columns: table.columns.filter(({ name }) => columns.has(name)),
    presets,
    check: rooted(check),
    validateInput,
  })
  return {
    ...shared,
    insert: insert ? grantOf(insert) : null,
    update: update ? { ...grantOf(update), filter: rooted(update.filter) } : null,
    delete: remove ? { filter: rooted(remove.filter), validateInput: remove.validateInput } : null,
    fields: new Set(fields),
  }
}

const adminDelete: DeleteGrant = { filter: always, validateInput: null }

/** Returns the operation that a field of the mutation root does, by whose permission a role has it. */
export function writeOperation(kind: MutationFieldKind): 'insert' | 'update' | 'delete' {
  switch (kind) {
    case 'insert':
    case 'insert_one':
      return 'insert'
    case 'update':
    case 'update_by_pk':
    case 'update_many':
      return 'update'
    case 'delete':
    case 'delete_by_pk':
      return 'delete'
  }
}
