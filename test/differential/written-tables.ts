/**
 * Two tables that random mutations write to, as an oracle keeps them: rows in memory, written one by one as
 * reference/mutations#order-of-an-insert says. Knows the specification and nothing of the engine.
 */
export interface Row {
  readonly id: number
  readonly n: number | null
  readonly t: string | null
  /** Of `b`: the `a` that it belongs to. */
  readonly a_id?: number | null
}

export type TableName = 'a' | 'b'
export type Condition =
  | {
      readonly column: 'id' | 'n' | 't' | 'a_id'
      readonly operator: '_eq' | '_gt' | '_lt'
      readonly value: number | string
    }
  | { readonly isNull: 'n' | 't'; readonly not: boolean }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  /** Of `b`: its `a`; of `a`: some `b`. */
  | { readonly related: Condition }

interface WritePermission {
  readonly columns: readonly string[]
  readonly check: Condition
  readonly presets: Readonly<Record<string, number | string>>
}
export interface TablePermissions {
  readonly insert: WritePermission
  readonly update: WritePermission & { readonly filter: Condition }
  readonly delete: { readonly filter: Condition }
}
export type Permissions = Readonly<Record<TableName, TablePermissions>>

export interface Conflict {
  readonly columns: readonly string[]
  readonly where: Condition
}
export interface NewRow {
  readonly values: Readonly<Record<string, number | string | null>>
  readonly nested?: { readonly rows: readonly NewRow[]; readonly conflict: Conflict | null }
}
export type Operation =
  | {
      readonly kind: 'insert'
      readonly table: TableName
      readonly rows: readonly NewRow[]
      readonly conflict: Conflict | null
      /** By the field that answers with one row. */
      readonly one?: boolean
    }
  | {
      readonly kind: 'update'
      readonly table: TableName
      readonly one?: boolean
      readonly updates: readonly {
        readonly where: Condition
        readonly set: Record<string, number | string | null>
        readonly inc: Record<string, number>
      }[]
    }
  | { readonly kind: 'delete'; readonly table: TableName; readonly where: Condition; readonly one?: boolean }

/** What an operation answers: a count and the rows, for each of its parts. */
export type Answer = readonly { readonly affected: number; readonly rows: readonly Row[] }[]

export class Refused extends Error {}

export class WrittenTables {
  readonly tables: { a: Map<number, Row>; b: Map<number, Row> }

  constructor(tables: WrittenTables['tables'] = { a: new Map(), b: new Map() }) {
    this.tables = { a: new Map(tables.a), b: new Map(tables.b) }
  }

  /** Throws Refused; the tables are in no defined state then. */
  run(operation: Operation, permissions: Permissions): Answer {
    switch (operation.kind) {
      case 'insert':
        return [this.#insert(operation.table, operation.rows, operation.conflict, permissions)]
      case 'update':
        return operation.updates.map((one) => this.#update(operation.table, one, permissions[operation.table].update))
      case 'delete':
        return [this.#delete(operation.table, operation.where, permissions[operation.table].delete.filter)]
    }
  }

  #insert(table: TableName, rows: readonly NewRow[], conflict: Conflict | null, permissions: Permissions) {
    const written: Row[] = []
    let affected = 0
    const isFlat = rows.every(({ nested }) => nested === undefined)
    const touched = new Set<number>()
    for (const row of rows) {
      if (isFlat && conflict && conflict.columns.length > 0) {
        const { id } = row.values
        if (touched.has(Number(id))) throw new Refused('a statement updates no row twice')
      }
      const { row: one, count } = this.#one(table, row, conflict, permissions, null, isFlat)
      affected += count
      if (one) {
        written.push(one)
        touched.add(one.id)
      }
    }
    this.#checkKeys()
    return { affected, rows: written }
  }

  #one(
    table: TableName,
    row: NewRow,
    conflict: Conflict | null,
    permissions: Permissions,
    parent: Row | null,
    isFlat: boolean,
  ): { row: Row | null; count: number } {
    let count = 0
    const values: Record<string, number | string | null> = { ...(parent ? { a_id: parent.id } : {}) }
    if (row.nested && table === 'b') {
      const [first] = row.nested.rows
      if (!first) throw new Error('one row is nested in b')
      const child = this.#one('a', first, row.nested.conflict, permissions, null, false)
      if (!child.row) throw new Refused('no row to refer to')
      count += child.count
      values.a_id = child.row.id
    }
    Object.assign(values, row.values, permissions[table].insert.presets)
    const own = this.#write(table, values, conflict, permissions)
    // each is a statement of its own where rows are nested
    if (!isFlat) this.#checkKeys()
    if (own) count++
    if (row.nested && table === 'a') {
      if (!own) throw new Refused('no row to be referred to')
      for (const child of row.nested.rows) {
        const one = this.#one('b', child, row.nested.conflict, permissions, own, false)
        count += one.count
      }
    }
    return { row: own, count }
  }

  #write(
    table: TableName,
    values: Readonly<Record<string, number | string | null>>,
    conflict: Conflict | null,
    permissions: Permissions,
  ): Row | null {
    const { insert, update } = permissions[table]
    const made = { n: null, t: null, ...(table === 'b' ? { a_id: null } : {}), ...values } as Row
    if (made.id === undefined || made.id === null) throw new Refused('NOT NULL')
    if (made.n !== null && made.n < -5) throw new Refused('CHECK')
    const before = this.tables[table].get(made.id)
    if (!before) {
      this.tables[table].set(made.id, made)
      if (!this.holds(table, made, insert.check)) throw new Refused('check')
      return made
    }
    if (!conflict) throw new Refused('unique')
    if (conflict.columns.length === 0) return null
    if (!this.holds(table, before, update.filter) || !this.holds(table, before, conflict.where)) return null
    const taken = Object.fromEntries(conflict.columns.map((column) => [column, made[column as keyof Row] ?? null]))
    return this.#replace(table, before, { ...taken, ...update.presets }, update.check)
  }

  #replace(table: TableName, before: Row, values: object, check: Condition): Row {
    const after: Row = { ...before, ...values }
    if (after.n !== null && after.n < -5) throw new Refused('CHECK')
    this.tables[table].set(after.id, after)
    if (!this.holds(table, after, check)) throw new Refused('check')
    return after
  }

  #update(
    table: TableName,
    { where, set, inc }: Extract<Operation, { kind: 'update' }>['updates'][number],
    permission: TablePermissions['update'],
  ) {
    const presets = permission.presets
    if (Object.keys({ ...set, ...inc, ...presets }).length === 0) return { affected: 0, rows: [] }
    const found = [...this.tables[table].values()].filter(
      (row) => this.holds(table, row, permission.filter) && this.holds(table, row, where),
    )
    const rows = found.map((row) => {
      const added = Object.fromEntries(
        Object.entries(inc).map(([column, by]) => [column, row.n === null ? null : Number(row[column as 'n']) + by]),
      )
      const after: Row = { ...row, ...set, ...added, ...presets }
      if (after.n !== null && after.n < -5) throw new Refused('CHECK')
      return after
    })
    // checks see the other table as it is, and this one is not in them
    for (const row of rows) this.tables[table].set(row.id, row)
    for (const row of rows) if (!this.holds(table, row, permission.check)) throw new Refused('check')
    this.#checkKeys()
    return { affected: rows.length, rows }
  }

  #delete(table: TableName, where: Condition, filter: Condition) {
    const rows = [...this.tables[table].values()].filter(
      (row) => this.holds(table, row, filter) && this.holds(table, row, where),
    )
    for (const { id } of rows) this.tables[table].delete(id)
    this.#checkKeys()
    return { affected: rows.length, rows }
  }

  #checkKeys(): void {
    for (const { a_id } of this.tables.b.values())
      if (a_id !== null && a_id !== undefined && !this.tables.a.has(a_id)) throw new Refused('foreign key')
  }

  holds(table: TableName, row: Row, condition: Condition): boolean {
    return this.#truth(table, row, condition) === true
  }

  /** Null: unknown. */
  #truth(table: TableName, row: Row, condition: Condition): boolean | null {
    if ('column' in condition) {
      const value = row[condition.column]
      if (value === null || value === undefined) return null
      if (condition.operator === '_eq') return value === condition.value
      return condition.operator === '_gt' ? value > condition.value : value < condition.value
    }
    if ('isNull' in condition) return (row[condition.isNull] === null) !== condition.not
    if ('not' in condition) {
      const inner = this.#truth(table, row, condition.not)
      return inner === null ? null : !inner
    }
    if ('related' in condition) {
      if (table === 'b') {
        const target = typeof row.a_id === 'number' ? this.tables.a.get(row.a_id) : undefined
        return target !== undefined && this.holds('a', target, condition.related)
      }
      return [...this.tables.b.values()].some((one) => one.a_id === row.id && this.holds('b', one, condition.related))
    }
    const isAll = 'all' in condition
    const parts = ('all' in condition ? condition.all : condition.any).map((part) => this.#truth(table, row, part))
    if (parts.includes(!isAll)) return !isAll
    return parts.includes(null) ? null : isAll
  }
}
