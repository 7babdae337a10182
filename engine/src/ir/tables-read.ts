import type { BooleanExpression, Join, Operand, QualifiedName } from './boolean-expression.ts'
import type { AggregateField, AggregateValue, OrderBy, OrderKey, RowField, Rows } from './select.ts'

/**
 * The tables that fields of a row read in addition to the row, filters among them; null where they may read anything: a
 * function or a query in SQL runs for them, or they are pages.
 */
export function tablesRead(fields: readonly RowField[]): readonly QualifiedName[] | null {
  const tables: QualifiedName[] = []
  return fields.every((field) => readField(field, tables)) ? tables : null
}

/** The same of a condition. */
export function conditionReads(condition: BooleanExpression): readonly QualifiedName[] | null {
  const tables: QualifiedName[] = []
  return readCondition(condition, tables) ? tables : null
}

/** Each of these adds to `tables`, and says whether that is all. */
type Tables = QualifiedName[]

function readField(field: RowField, tables: Tables): boolean {
  const inner = (fields: readonly RowField[]) => fields.every((one) => readField(one, tables))
  switch (field.kind) {
    case 'typename':
      return true
    case 'column':
      return readOperand(field.of, tables)
    case 'node-id':
      return field.key.every((key) => readOperand(key, tables))
    case 'nested':
      return readOperand(field.of, tables) && readCondition(field.where, tables) && inner(field.fields)
    case 'object':
      return readJoin(field.join, tables) && readCondition(field.where, tables) && inner(field.fields)
    case 'array':
      return readJoin(field.join, tables) && readRows(field.rows, tables) && inner(field.fields)
    case 'aggregate':
      return (
        readJoin(field.join, tables) &&
        readRows(field.rows, tables) &&
        field.fields.every((one) => readAggregate(one, tables))
      )
    case 'computed':
    case 'computed-connection':
    case 'connection':
      return false
  }
}

function readAggregate(field: AggregateField, tables: Tables): boolean {
  switch (field.kind) {
    case 'typename':
      return true
    case 'aggregate':
      return field.fields.every((value) => readValue(value, tables))
    case 'nodes':
      return field.fields.every((one) => readField(one, tables))
  }
}

function readValue(value: AggregateValue, tables: Tables): boolean {
  switch (value.kind) {
    case 'typename':
      return true
    case 'count':
      return value.of.every((operand) => readOperand(operand, tables))
    case 'operator':
      return value.fields.every((one) => one.kind === 'typename' || readOperand(one.of, tables))
  }
}

function readJoin({ table, query }: Join, tables: Tables): boolean {
  tables.push(table)
  return query === undefined
}

const readRows = ({ where, orderBy, distinctOn }: Rows, tables: Tables): boolean =>
  readCondition(where, tables) &&
  orderBy.every(({ key }: OrderBy) => readKey(key, tables)) &&
  distinctOn.every((operand) => readOperand(operand, tables))

function readKey(key: OrderKey, tables: Tables): boolean {
  switch (key.kind) {
    case 'operand':
      return readOperand(key.of, tables)
    case 'related':
      return readJoin(key.join, tables) && readCondition(key.filter, tables) && readKey(key.key, tables)
    case 'related-aggregate': {
      const { aggregate } = key
      const isRead = readJoin(key.join, tables) && readCondition(key.filter, tables)
      return isRead && (aggregate.operator === 'count' || readOperand(aggregate.of, tables))
    }
    case 'computed-aggregate':
      return false
  }
}

function readCondition(e: BooleanExpression, tables: Tables): boolean {
  switch (e.kind) {
    case 'and':
    case 'or':
      return e.of.every((part) => readCondition(part, tables))
    case 'not':
    case 'rooted':
      return readCondition(e.of, tables)
    case 'compare':
      return readOperand(e.left, tables)
    case 'compare-columns':
      return readOperand(e.left, tables) && readOperand(e.right, tables)
    case 'is-null':
      return readOperand(e.of, tables)
    case 'exists-related':
      return readJoin(e.join, tables) && readCondition(e.where, tables)
    case 'exists':
      tables.push(e.table)
      return readCondition(e.where, tables)
    case 'exists-computed':
      return false
  }
}

function readOperand(operand: Operand, tables: Tables): boolean {
  switch (operand.kind) {
    case 'column':
      return true
    case 'cast':
      return readOperand(operand.of, tables)
    case 'masked':
      return readOperand(operand.of, tables) && readCondition(operand.where, tables)
    case 'aggregate':
      return (
        readJoin(operand.join, tables) &&
        readCondition(operand.where, tables) &&
        operand.of.every((one) => readOperand(one, tables))
      )
    case 'computed':
      return false
  }
}
