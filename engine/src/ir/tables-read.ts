import type { BooleanExpression, Join, Operand, QualifiedName } from './boolean-expression.ts'
import type { AggregateField, AggregateValue, OrderBy, OrderKey, RowField, Rows } from './select.ts'

/**
 * Returns the tables that fields of a row read in addition to the row, filters among them; null where they may read
 * anything: a function or a query in SQL runs for them, or they are pages.
 */
export function tablesRead(fields: readonly RowField[]): readonly QualifiedName[] | null {
  const tables: QualifiedName[] = []
  const add = (table: QualifiedName) => tables.push(table) > 0
  return fields.every((field) => readField(field, add)) ? tables : null
}

/** Returns the tables that a condition reads, or null where it may read anything. */
export function conditionReads(condition: BooleanExpression): readonly QualifiedName[] | null {
  const tables: QualifiedName[] = []
  return readCondition(condition, (table) => tables.push(table) > 0) ? tables : null
}

/** Returns whether a condition reads more than its row: other rows, or what a function makes of the row. */
export const looksElsewhere = (condition: BooleanExpression): boolean => !readCondition(condition, refuse)

/** Returns whether a function of the user, or a query in SQL from metadata, runs for a condition. */
export const runsUsersCode = (condition: BooleanExpression): boolean => !readCondition(condition, allow)

/**
 * Is called with each table that is read, and returns whether it may be. The functions below return false where one may
 * not be, and where anything else than a known table is read.
 */
type MayRead = (table: QualifiedName) => boolean

const refuse: MayRead = () => false
const allow: MayRead = () => true

function readField(field: RowField, mayRead: MayRead): boolean {
  const inner = (fields: readonly RowField[]) => fields.every((one) => readField(one, mayRead))
  switch (field.kind) {
    case 'typename':
      return true
    case 'column':
      return readOperand(field.of, mayRead)
    case 'node-id':
      return field.key.every((key) => readOperand(key, mayRead))
    case 'nested':
      return readOperand(field.of, mayRead) && readCondition(field.where, mayRead) && inner(field.fields)
    case 'object':
      return readJoin(field.join, mayRead) && readCondition(field.where, mayRead) && inner(field.fields)
    case 'array':
      return readJoin(field.join, mayRead) && readRows(field.rows, mayRead) && inner(field.fields)
    case 'aggregate':
      return (
        readJoin(field.join, mayRead) &&
        readRows(field.rows, mayRead) &&
        field.fields.every((one) => readAggregate(one, mayRead))
      )
    case 'computed':
    case 'computed-connection':
    case 'connection':
      return false
  }
}

function readAggregate(field: AggregateField, mayRead: MayRead): boolean {
  switch (field.kind) {
    case 'typename':
      return true
    case 'aggregate':
      return field.fields.every((value) => readValue(value, mayRead))
    case 'nodes':
      return field.fields.every((one) => readField(one, mayRead))
  }
}

function readValue(value: AggregateValue, mayRead: MayRead): boolean {
  switch (value.kind) {
    case 'typename':
      return true
    case 'count':
      return value.of.every((operand) => readOperand(operand, mayRead))
    case 'operator':
      return value.fields.every((one) => one.kind === 'typename' || readOperand(one.of, mayRead))
  }
}

const readJoin = ({ table, query }: Join, mayRead: MayRead): boolean => mayRead(table) && query === undefined

const readRows = ({ where, orderBy, distinctOn }: Rows, mayRead: MayRead): boolean =>
  readCondition(where, mayRead) &&
  orderBy.every(({ key }: OrderBy) => readKey(key, mayRead)) &&
  distinctOn.every((operand) => readOperand(operand, mayRead))

function readKey(key: OrderKey, mayRead: MayRead): boolean {
  switch (key.kind) {
    case 'operand':
      return readOperand(key.of, mayRead)
    case 'related':
      return readJoin(key.join, mayRead) && readCondition(key.filter, mayRead) && readKey(key.key, mayRead)
    case 'related-aggregate': {
      const { aggregate } = key
      const isRead = readJoin(key.join, mayRead) && readCondition(key.filter, mayRead)
      return isRead && (aggregate.operator === 'count' || readOperand(aggregate.of, mayRead))
    }
    case 'computed-aggregate':
      return false
  }
}

function readCondition(e: BooleanExpression, mayRead: MayRead): boolean {
  switch (e.kind) {
    case 'and':
    case 'or':
      for (const part of e.of) if (!readCondition(part, mayRead)) return false
      return true
    case 'not':
    case 'rooted':
      return readCondition(e.of, mayRead)
    case 'compare':
      return readOperand(e.left, mayRead)
    case 'compare-columns':
      return readOperand(e.left, mayRead) && readOperand(e.right, mayRead)
    case 'is-null':
      return readOperand(e.of, mayRead)
    case 'exists-related':
      return readJoin(e.join, mayRead) && readCondition(e.where, mayRead)
    case 'exists':
      return mayRead(e.table) && readCondition(e.where, mayRead)
    case 'exists-computed':
      return false
  }
}

function readOperand(operand: Operand, mayRead: MayRead): boolean {
  switch (operand.kind) {
    case 'column':
      return true
    case 'cast':
      return readOperand(operand.of, mayRead)
    case 'masked':
      return readOperand(operand.of, mayRead) && readCondition(operand.where, mayRead)
    case 'aggregate':
      return (
        readJoin(operand.join, mayRead) &&
        readCondition(operand.where, mayRead) &&
        operand.of.every((one) => readOperand(one, mayRead))
      )
    case 'computed':
      return false
  }
}
