import { type Json, type JsonObject, tableAddress, tableText } from '@svc/schema'
import { ApiError, type Path } from '../errors.ts'
import {
  insertTarget,
  type RoleColumn,
  type RoleTable,
  type RowAccess,
  rowAccess,
  type WriteTable,
} from '../graphql/index.ts'
import { always, type BooleanExpression, type InsertTarget, type QualifiedName } from '../ir/index.ts'
import { type Model, resolveWhere, siblingTable } from '../model/index.ts'
import { adminRole, type Session } from '../session.ts'
import { secureCondition } from './secure-condition.ts'

/** The tables of one source as the role may read and write them; every refusal is made here. */
export class RoleRows {
  readonly #model: Model
  readonly #session: Session

  constructor(model: Model, session: Session) {
    this.#model = model
    this.#session = session
  }

  /** Where rows go that are inserted. */
  insertTarget(table: WriteTable): InsertTarget {
    return insertTarget(table, this.#model)
  }

  /** Throws not-exists at `path.table` for one that is not tracked. */
  table(source: string, table: JsonObject, path: Path): RowAccess {
    const { own, parent } = tableAddress(source, table)
    const { role, backendOnly } = this.#session
    const found = rowAccess(this.#model, role, `${parent?.own ?? ''}/${own}`, backendOnly)
    if (found) return found
    throw new ApiError('not-exists', path.at('table'), `table "${tableText(table as Json)}" does not exist`)
  }

  selecting({ select, table }: RowAccess, path: Path): RoleTable {
    return select ?? this.#refuse('select', table.table, path)
  }

  writing({ write, table }: RowAccess, kind: 'insert' | 'update' | 'delete', path: Path): WriteTable {
    return write?.[kind] && write.fields.has(kind) ? write : this.#refuse(kind, table.table, path)
  }

  #refuse(kind: string, table: QualifiedName, path: Path): never {
    throw new ApiError(
      'permission-denied',
      path,
      `${kind} on "${tableText(table)}" for role "${this.#session.role}" is not allowed. `,
    )
  }

  /** A column that the role may select. */
  column(table: RoleTable, name: string, path: Path): RoleColumn {
    const column = table.columns.find((one) => one.name === name)
    if (column) return column
    throw this.missing(table.table.columnsByName.has(name), name, 'select', path)
  }

  missing(exists: boolean, name: string, kind: 'select' | 'insert' | 'update', path: Path): ApiError {
    const text = exists
      ? `role "${this.#session.role}" does not have permission to ${kind} column "${name}"`
      : `no such column exists: "${name}"`
    return new ApiError('permission-denied', path, text)
  }

  /** The table that a relationship leads to. */
  target(near: RoleTable, table: QualifiedName, path: Path): RoleTable {
    const found = siblingTable(this.#model, near.table.id, table)
    const access = found && rowAccess(this.#model, this.#session.role, found.id, this.#session.backendOnly)
    return access?.select ?? this.#refuse('select', table, path)
  }

  /** `where`, as far as the role may know. `table`: as it may select from it. */
  condition(table: RoleTable, where: JsonObject | undefined, path: Path): BooleanExpression {
    if (!where) return always
    const resolved = resolveWhere(this.#model, table.table, where, path)
    const { role } = this.#session
    if (role === adminRole) return resolved
    return secureCondition(resolved, table, { role, target: (near, name) => this.target(near, name, path) }, path)
  }
}
