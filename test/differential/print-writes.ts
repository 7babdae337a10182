import type { Condition, Conflict, NewRow, Operation, TableName } from './written-tables.ts'

export function printCondition(condition: Condition, table: TableName): object {
  const print = (part: Condition) => printCondition(part, table)
  if ('column' in condition) return { [condition.column]: { [condition.operator]: condition.value } }
  if ('isNull' in condition) return { [condition.isNull]: { _is_null: !condition.not } }
  if ('not' in condition) return { _not: print(condition.not) }
  if ('related' in condition)
    return { [table === 'b' ? 'a' : 'bs']: printCondition(condition.related, table === 'b' ? 'a' : 'b') }
  return 'all' in condition ? { _and: condition.all.map(print) } : { _or: condition.any.map(print) }
}

/** As GraphQL, its inputs as literals or in a variable. */
export function printOperation(
  operation: Operation,
  key: string,
  inVariables: boolean,
  variables: Record<string, unknown>,
  declared: string[],
  asked: { readonly related: boolean; readonly secret: boolean },
): string {
  const { table } = operation
  const own = `id n t${asked.secret ? ' secret' : ''}`
  const returning = table === 'b' ? `{ ${own} a_id${asked.related ? ' a { id n }' : ''} }` : `{ ${own} }`
  const answer = `{ affected_rows returning ${returning} }`
  const given = (name: string, type: string, value: unknown) => {
    if (!inVariables) return literal(value)
    variables[`${key}_${name}`] = value
    declared.push(`$${key}_${name}: ${type}`)
    return `$${key}_${name}`
  }
  switch (operation.kind) {
    case 'insert': {
      const rows = operation.rows.map((row) => printRow(row, table))
      const objects = operation.one
        ? `_one(object: ${given('object', `${table}_insert_input!`, rows[0])}`
        : `(objects: ${given('objects', `[${table}_insert_input!]!`, rows)}`
      const conflict = operation.conflict
      const more = conflict
        ? `, on_conflict: ${given('conflict', `${table}_on_conflict`, printConflict(conflict, table))}`
        : ''
      return `${key}: insert_${table}${objects}${more}) ${operation.one ? returning : answer}`
    }
    case 'update': {
      const updates = operation.updates.map(({ where, set, inc }) => ({
        where: printCondition(where, table),
        ...(Object.keys(set).length > 0 && { _set: set }),
        ...(Object.keys(inc).length > 0 && { _inc: inc }),
      }))
      const [only] = operation.updates
      if (operation.one && only && 'column' in only.where) {
        const operators = Object.entries({ _set: only.set, _inc: only.inc }).filter(
          ([, of]) => Object.keys(of).length > 0,
        )
        const set = operators.map(([name, of]) => `, ${name}: ${literal(of)}`).join('')
        return `${key}: update_${table}_by_pk(pk_columns: {id: ${only.where.value}}${set}) ${returning}`
      }
      return `${key}: update_${table}_many(updates: ${given('updates', `[${table}_updates!]!`, updates)}) ${answer}`
    }
    case 'delete': {
      if (operation.one && 'column' in operation.where)
        return `${key}: delete_${table}_by_pk(id: ${operation.where.value}) ${returning}`
      const where = given('where', `${table}_bool_exp!`, printCondition(operation.where, table))
      return `${key}: delete_${table}(where: ${where}) ${answer}`
    }
  }
}

/** An enum where GraphQL has one. */
class Enum {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  toJSON(): string {
    return this.name
  }
}

const printConflict = ({ columns, where }: Conflict, table: TableName): object => ({
  constraint: new Enum(`${table}_pkey`),
  update_columns: columns.map((name) => new Enum(name)),
  where: printCondition(where, table),
})

function printRow({ values, nested }: NewRow, table: TableName): object {
  if (!nested) return values
  const other = table === 'a' ? 'b' : 'a'
  const rows = nested.rows.map((row) => printRow(row, other))
  const on_conflict = nested.conflict ? { on_conflict: printConflict(nested.conflict, other) } : {}
  return { ...values, [table === 'a' ? 'bs' : 'a']: { data: table === 'a' ? rows : rows[0], ...on_conflict } }
}

function literal(value: unknown): string {
  if (value instanceof Enum) return value.name
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, part]) => `${key}: ${literal(part)}`)
      .join(', ')}}`
  return JSON.stringify(value)
}
