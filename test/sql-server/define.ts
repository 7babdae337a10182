/** CREATE, ALTER, DROP and sp_rename. */
import { castCell } from './cast.ts'
import { compileExpression } from './compile-expression.ts'
import { compileQuery } from './compile-query.ts'
import { checkReferences, checkRows } from './constraints.ts'
import {
  columnIndex,
  type Database,
  type DatabaseObject,
  dropObject,
  findObject,
  isSameName,
  nameKey,
  putObject,
  splitPath,
  type Table,
  type TableColumn,
  tablesOf,
} from './database.ts'
import type { Scope } from './scope.ts'
import { ServerError } from './server-error.ts'
import type { AlterAction, ColumnDefinition, Constraint, Path, Statement } from './syntax.ts'
import { type Cell, int } from './types.ts'

export function createTable(
  { table: path, columns, constraints }: Extract<Statement, { kind: 'create-table' }>,
  scope: Scope,
): void {
  const { session } = scope
  const { schema, name } = splitPath(path)
  if (session.findTable(path) || findObject(session.database, path)) throw exists(name)
  if (!name.startsWith('#')) schemaOf(session.database, schema)
  const empty: Table = {
    kind: 'table',
    id: session.counters.nextId(),
    schema: schemaName(session.database, schema),
    name,
    columns: [],
    rows: [],
    keys: [],
    foreignKeys: [],
    checks: [],
  }
  session.putTable(addParts(empty, columns, constraints, scope))
}

const exists = (name: string) =>
  new ServerError(2714, `There is already an object named '${name}' in the database.`, 16, 6)

function schemaOf(database: Database, name: string) {
  const schema = database.schemas.get(name.toLowerCase())
  if (!schema)
    throw new ServerError(
      2760,
      `The specified schema name "${name}" either does not exist or you do not have permission to use it.`,
    )
  return schema
}
const schemaName = (database: Database, name: string): string => database.schemas.get(name.toLowerCase())?.name ?? name

function addParts(
  table: Table,
  columns: readonly ColumnDefinition[],
  constraints: readonly Constraint[],
  scope: Scope,
): Table {
  const keyed = new Set(
    constraints.flatMap((one) => (one.kind === 'primary' ? one.columns.map((name) => name.toLowerCase()) : [])),
  )
  const withColumns = columns.reduce((all, column) => addColumn(all, column, keyed, scope), table)
  return constraints.reduce((all, constraint) => addConstraint(all, constraint, scope), withColumns)
}

function addColumn(table: Table, definition: ColumnDefinition, keyed: ReadonlySet<string>, scope: Scope): Table {
  const { name, type, isIdentity, computed } = definition
  if (table.columns.some((column) => isSameName(column.name, name)))
    throw new ServerError(
      2705,
      `Column names in each table must be unique. Column name '${name}' in table '${table.name}' is specified more than once.`,
      16,
      4,
    )
  const isNullable =
    definition.isNullable ?? !(isIdentity || type.name === 'timestamp' || keyed.has(name.toLowerCase()))
  const defaultName = definition.default
    ? (definition.defaultName ??
      `DF__${table.name.slice(0, 9)}__${name.slice(0, 5)}__${scope.session.counters.nextId().toString(16).toUpperCase()}`)
    : null
  const id = Math.max(0, ...table.columns.map((column) => column.id)) + 1
  const columns = table.columns.map((column) => ({ table: table.name, name: column.name, type: column.type }))
  const inner: Scope = { ...scope, columns, outer: null, grouped: null }
  const value = computed
    ? compileExpression(computed, inner)
    : definition.default
      ? compileExpression(definition.default, { ...inner, columns: [] })
      : null
  const column: TableColumn = {
    id,
    name,
    type: computed && value ? value.type : type,
    isNullable,
    isIdentity,
    isGenerated: definition.isGenerated,
    default: definition.default,
    defaultName,
    computed,
  }
  if (table.rows.length > 0 && !isNullable && !value && !isIdentity && type.name !== 'timestamp')
    throw new ServerError(
      4901,
      `ALTER TABLE only allows columns to be added that can contain nulls, or have a DEFAULT definition specified, or the column being added is an identity or timestamp column, or alternatively if none of the previous conditions are satisfied the table must be empty to allow addition of this column. Column '${name}' cannot be added to non-empty table '${table.name}' because it does not satisfy these conditions.`,
    )
  const rows = table.rows.map((row) => {
    const cell = (): Cell => {
      if (isIdentity) return castCell(scope.session.counters.nextIdentity(table.id), { name: 'bigint' }, type)
      if (type.name === 'timestamp') return scope.session.counters.nextVersion()
      return value && (computed || !isNullable)
        ? castCell(value.run({ cells: row, outer: null }), value.type, column.type)
        : null
    }
    return [...row, cell()]
  })
  return { ...table, columns: [...table.columns, column], rows }
}

function addConstraint(table: Table, constraint: Constraint, scope: Scope): Table {
  const { session } = scope
  const id = session.counters.nextId()
  const suffix = id.toString(16).toUpperCase().padStart(16, '0')
  const ids = (names: readonly string[], of: Table = table) =>
    names.map((name) => of.columns[columnIndexOf(of, name)]?.id ?? 0)
  switch (constraint.kind) {
    case 'primary':
    case 'unique': {
      const name =
        constraint.name ?? `${constraint.kind === 'primary' ? 'PK' : 'UQ'}__${table.name.slice(0, 9)}__${suffix}`
      if (constraint.kind === 'primary' && table.keys.some(({ kind }) => kind === 'primary'))
        throw new ServerError(1779, `Table '${table.name}' already has a primary key defined on it.`)
      const columns = ids(constraint.columns)
      const nullable = table.columns.find((column) => columns.includes(column.id) && column.isNullable)
      if (constraint.kind === 'primary' && nullable)
        throw new ServerError(8111, `Cannot define PRIMARY KEY constraint on nullable column in table '${table.name}'.`)
      const changed: Table = {
        ...table,
        keys: [...table.keys, { id, name, kind: constraint.kind, isUnique: true, columns, where: null }],
      }
      checkRows(changed, [], 'INSERT', scope)
      return changed
    }
    case 'check': {
      const changed = {
        ...table,
        checks: [
          ...table.checks,
          { id, name: constraint.name ?? `CK__${table.name.slice(0, 9)}__${suffix}`, predicate: constraint.predicate },
        ],
      }
      checkRows(changed, table.rows, 'ALTER TABLE', scope)
      return changed
    }
    case 'default':
      return {
        ...table,
        columns: table.columns.map((column) =>
          isSameName(column.name, constraint.column)
            ? { ...column, default: constraint.value, defaultName: constraint.name }
            : column,
        ),
      }
    case 'foreign': {
      const isSelf = isSameName(constraint.table.at(-1) ?? '', table.name) && !session.findTable(constraint.table)
      const parent = isSelf ? table : session.findTable(constraint.table)
      if (!parent)
        throw new ServerError(
          1767,
          `Foreign key '${constraint.name ?? ''}' references invalid table '${constraint.table.join('.')}'.`,
        )
      const same = parent.id === table.id ? table : parent
      const references = constraint.references
        ? ids(constraint.references, same)
        : (same.keys.find(({ kind }) => kind === 'primary')?.columns ?? [])
      if (
        !same.keys.some(
          (key) =>
            key.isUnique &&
            key.columns.length === references.length &&
            key.columns.every((column) => references.includes(column)),
        )
      )
        throw new ServerError(
          1776,
          `There are no primary or candidate keys in the referenced table '${constraint.table.join('.')}' that match the referencing column list in the foreign key '${constraint.name ?? ''}'.`,
          16,
          0,
        )
      const name =
        constraint.name ??
        `FK__${table.name.slice(0, 9)}__${(constraint.columns[0] ?? '').slice(0, 9)}__${suffix.slice(-8)}`
      const changed: Table = {
        ...table,
        foreignKeys: [
          ...table.foreignKeys,
          { id, name, columns: ids(constraint.columns), table: parent.id, references, onDelete: constraint.onDelete },
        ],
      }
      checkReferences(putObject(session.database, changed), changed, 'INSERT')
      return changed
    }
  }
}

function columnIndexOf(table: Table, name: string): number {
  const index = table.columns.findIndex((column) => isSameName(column.name, name))
  if (index < 0) throw new ServerError(1911, `Column name '${name}' does not exist in the target table or view.`)
  return index
}

export function createIndex(
  { name, table: path, columns, isUnique, where }: Extract<Statement, { kind: 'create-index' }>,
  scope: Scope,
): void {
  const table = scope.session.tableAt(
    path,
    1088,
    `Cannot find the object "${path.join('.')}" because it does not exist or you do not have permissions.`,
  )
  if (table.keys.some((key) => isSameName(key.name, name)))
    throw new ServerError(
      1913,
      `The operation failed because an index or statistics with name '${name}' already exists on table '${path.join('.')}'.`,
    )
  const ids = columns.map((column) => table.columns[columnIndexOf(table, column)]?.id ?? 0)
  const changed: Table = {
    ...table,
    keys: [...table.keys, { id: scope.session.counters.nextId(), name, kind: 'index', isUnique, columns: ids, where }],
  }
  checkRows(changed, [], 'INSERT', scope)
  scope.session.putTable(changed)
}

export function createSchema(name: string, { session }: Scope): void {
  const { database } = session
  if (database.schemas.has(name.toLowerCase())) throw exists(name)
  session.database = {
    ...database,
    schemas: new Map(database.schemas).set(name.toLowerCase(), { id: session.counters.nextId(), name }),
  }
}

export function createModule(statement: Extract<Statement, { kind: 'create-module' }>, scope: Scope): void {
  const { session } = scope
  const { schema, name } = splitPath(statement.path)
  const old = findObject(session.database, statement.path)
  if (old && !statement.mayReplace && !statement.isAlter) throw exists(name)
  if (!old && statement.isAlter) throw new ServerError(208, `Invalid object name '${statement.path.join('.')}'.`, 16, 6)
  const named = { id: old?.id ?? session.counters.nextId(), schema: schemaOf(session.database, schema).name, name }
  if (statement.what === 'view') {
    const { query } = statement
    if (!query) return
    compileQuery(query, scope)
    session.database = putObject(session.database, {
      ...named,
      kind: 'view',
      query,
      columns: statement.columns,
      text: statement.text,
    })
    return
  }
  const table = statement.table
    ? session.tableAt(
        statement.table,
        8197,
        `The object '${statement.table.join('.')}' does not exist or is invalid for this operation.`,
      ).id
    : null
  session.database = putObject(session.database, {
    ...named,
    kind: statement.what,
    table,
    parameters: statement.parameters,
    body: statement.body,
    events: statement.events,
    text: statement.text,
  })
}

export function alterTable({ table: path, action }: Extract<Statement, { kind: 'alter-table' }>, scope: Scope): void {
  const table = scope.session.tableAt(
    path,
    4902,
    `Cannot find the object "${path.join('.')}" because it does not exist or you do not have permissions.`,
  )
  scope.session.putTable(altered(table, action, scope))
}

function altered(table: Table, action: AlterAction, scope: Scope): Table {
  switch (action.kind) {
    case 'ignored':
      return table
    case 'add':
      return addParts(table, action.columns, action.constraints, scope)
    case 'drop-columns':
      return action.names.reduce((all, name) => dropColumn(all, name, action.ifExists, scope), table)
    case 'drop-constraints':
      return action.names.reduce((all, name) => dropConstraint(all, name, action.ifExists), table)
    case 'alter-column': {
      const index = columnIndex(table, action.column)
      const old = table.columns[index]
      if (!old) return table
      const column = { ...old, type: action.type, isNullable: action.isNullable ?? !old.isIdentity }
      const rows = table.rows.map((row) =>
        row.map((cell, at) => (at === index ? castCell(cell, old.type, action.type, true) : cell)),
      )
      const changed = { ...table, rows, columns: table.columns.map((one, at) => (at === index ? column : one)) }
      checkRows(changed, rows, 'ALTER TABLE', scope)
      return changed
    }
  }
}

function dropColumn(table: Table, name: string, ifExists: boolean, { session }: Scope): Table {
  const index = table.columns.findIndex((column) => isSameName(column.name, name))
  const column = table.columns[index]
  if (!column) {
    if (ifExists) return table
    throw new ServerError(
      4924,
      `ALTER TABLE DROP COLUMN failed because column '${name}' does not exist in table '${table.name}'.`,
    )
  }
  const users = [
    ...table.keys.filter(({ columns }) => columns.includes(column.id)),
    ...table.foreignKeys.filter(({ columns }) => columns.includes(column.id)),
    ...tablesOf(session.database).flatMap((other) =>
      other.foreignKeys.filter((key) => key.table === table.id && key.references.includes(column.id)),
    ),
    ...(column.default ? [{ name: column.defaultName ?? '' }] : []),
  ]
  const [user] = users
  if (user) throw new ServerError(5074, `The object '${user.name}' is dependent on column '${column.name}'.`)
  return {
    ...table,
    columns: table.columns.filter((one) => one !== column),
    rows: table.rows.map((row) => row.filter((_, at) => at !== index)),
  }
}

function dropConstraint(table: Table, name: string, ifExists: boolean): Table {
  const keep = (one: { readonly name: string | null }) => one.name === null || !isSameName(one.name, name)
  const changed = {
    ...table,
    keys: table.keys.filter((key) => key.kind === 'index' || keep(key)),
    foreignKeys: table.foreignKeys.filter(keep),
    checks: table.checks.filter(keep),
    columns: table.columns.map((column) =>
      keep({ name: column.defaultName }) ? column : { ...column, default: null, defaultName: null },
    ),
  }
  const count = (one: Table) =>
    one.keys.length + one.foreignKeys.length + one.checks.length + one.columns.filter((column) => column.default).length
  if (count(changed) === count(table) && !ifExists) throw new ServerError(3728, `'${name}' is not a constraint.`)
  return changed
}

export function drop(statement: Extract<Statement, { kind: 'drop' }>, scope: Scope): void {
  for (const path of statement.paths) dropOne(statement, path, scope)
}

function dropOne({ what, ifExists, on }: Extract<Statement, { kind: 'drop' }>, path: Path, scope: Scope): void {
  const { session } = scope
  const { name } = splitPath(path)
  const missing = () => {
    if (!ifExists)
      throw new ServerError(
        3701,
        `Cannot drop the ${what} '${path.join('.')}', because it does not exist or you do not have permission.`,
        11,
        5,
      )
  }
  if (what === 'schema') {
    if (!session.database.schemas.has(name.toLowerCase())) return void missing()
    const inside = [...session.database.objects.values()].find(({ schema }) => isSameName(schema, name))
    if (inside)
      throw new ServerError(
        3729,
        `Cannot drop schema '${name}' because it is being referenced by object '${inside.name}'.`,
      )
    const schemas = new Map(session.database.schemas)
    schemas.delete(name.toLowerCase())
    session.database = { ...session.database, schemas }
    return
  }
  if (what === 'index') {
    const table = on ? session.findTable(on) : null
    const index = table?.keys.find((key) => key.kind === 'index' && isSameName(key.name, name))
    if (!table || !index) return void missing()
    session.putTable({ ...table, keys: table.keys.filter((key) => key !== index) })
    return
  }
  const object: DatabaseObject | null = what === 'table' ? session.findTable(path) : findObject(session.database, path)
  if (!object || object.kind !== what) return void missing()
  if (object.kind === 'table') {
    if (session.dropTemporary(object)) return
    const user = tablesOf(session.database).some(
      (other) => other.id !== object.id && other.foreignKeys.some((key) => key.table === object.id),
    )
    if (user)
      throw new ServerError(
        3726,
        `Could not drop object '${path.join('.')}' because it is referenced by a FOREIGN KEY constraint.`,
      )
    for (const trigger of [...session.database.objects.values()])
      if (trigger.kind === 'trigger' && trigger.table === object.id)
        session.database = dropObject(session.database, trigger)
  }
  session.database = dropObject(session.database, object)
}

export function transfer(schema: string, path: Path, { session }: Scope): void {
  const object = findObject(session.database, path)
  if (!object)
    throw new ServerError(
      15151,
      `Cannot find the object '${path.join('.')}', because it does not exist or you do not have permission.`,
    )
  session.database = putObject(dropObject(session.database, object), {
    ...object,
    schema: schemaOf(session.database, schema).name,
  })
}

/** sp_rename of an object, or of a column of a table. */
export function rename(old: string, name: string, type: string | null, { session }: Scope): void {
  const path = old.split('.').map((part) => part.replace(/^\[(.*)\]$/s, '$1').replaceAll(']]', ']'))
  if (/^column$/i.test(type ?? '')) {
    const table = session.findTable(path.slice(0, -1))
    const column = table?.columns.find((one) => isSameName(one.name, path.at(-1) ?? ''))
    if (!table || !column)
      throw new ServerError(
        15248,
        'Either the parameter @objname is ambiguous or the claimed @objtype (COLUMN) is wrong.',
        11,
      )
    session.putTable({ ...table, columns: table.columns.map((one) => (one === column ? { ...one, name } : one)) })
    return
  }
  const object = findObject(session.database, path)
  if (!object)
    throw new ServerError(
      15225,
      `No item by the name of '${old}' could be found in the current database '${session.database.name}', given that @itemtype was input as '(null)'.`,
      11,
    )
  if (session.database.objects.has(nameKey(object.schema, name)))
    throw new ServerError(
      15335,
      `Error: The new name '${name}' is already in use as a OBJECT name and would cause a duplicate that is not permitted.`,
      11,
    )
  session.database = putObject(dropObject(session.database, object), { ...object, name })
}

/** The columns of SELECT … INTO: an identity stays one where the query has one table. */
export const columnsOfInto = (
  columns: readonly { readonly name: string | null; readonly type: TableColumn['type'] }[],
  identity: string | null,
): readonly TableColumn[] =>
  columns.map(({ name, type }, index) => {
    if (name === null)
      throw new ServerError(
        1038,
        `An object or column name is missing or empty. For SELECT INTO statements, verify each column has a name.`,
        15,
        4,
      )
    return {
      id: index + 1,
      name,
      type: type.precision === 0 && type.name === 'int' ? int : type,
      isNullable: true,
      isIdentity: identity !== null && isSameName(identity, name),
      isGenerated: false,
      default: null,
      defaultName: null,
      computed: null,
    }
  })
