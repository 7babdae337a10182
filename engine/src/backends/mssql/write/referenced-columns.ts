import {
  type BooleanExpression,
  type DatabaseType,
  type Join,
  type Operand,
  type RowField,
  rowFieldsOf,
  type WriteAnswer,
} from '../../../ir/index.ts'

/** Columns of written rows by name; null: of a type that is not needed. */
export type ReferencedColumns = Map<string, DatabaseType | null>

/** What `row` and `root` are inside of an expression. */
interface Own {
  readonly row: boolean
  readonly root: boolean
}

const both: Own = { row: true, root: true }

/** The columns of the rows that were written which an answer and checks need. */
export function referencedColumns(answer: WriteAnswer, checks: readonly BooleanExpression[]): ReferencedColumns {
  const found: ReferencedColumns = new Map()
  for (const field of rowFieldsOf(answer)) addField(field, found)
  for (const check of checks) addCondition(check, both, found)
  return found
}

function addField(field: RowField, found: ReferencedColumns): void {
  switch (field.kind) {
    case 'column':
    case 'nested':
      addOperand(field.of, both, found)
      return
    case 'object':
    case 'array':
    case 'aggregate':
    case 'connection':
      addJoin(field.join, both, found)
      return
    case 'typename':
    case 'computed':
    case 'computed-connection':
    case 'node-id':
      return
  }
}

function addJoin({ columns }: Join, { row }: Own, found: ReferencedColumns): void {
  if (row) for (const { from } of columns) if (!found.has(from)) found.set(from, null)
}

function addCondition(e: BooleanExpression, own: Own, found: ReferencedColumns): void {
  switch (e.kind) {
    case 'and':
    case 'or':
      for (const part of e.of) addCondition(part, own, found)
      return
    case 'not':
      addCondition(e.of, own, found)
      return
    case 'compare':
      addOperand(e.left, own, found)
      return
    case 'compare-columns':
      addOperand(e.left, own, found)
      addOperand(e.right, own, found)
      return
    case 'is-null':
      addOperand(e.of, own, found)
      return
    case 'exists-related':
      addJoin(e.join, own, found)
      addCondition(e.where, { ...own, row: false }, found)
      return
    case 'exists':
    case 'exists-computed':
      addCondition(e.where, { ...own, row: false }, found)
      return
    case 'rooted':
      addCondition(e.of, { row: own.row, root: own.row }, found)
      return
  }
}

function addOperand(operand: Operand, own: Own, found: ReferencedColumns): void {
  switch (operand.kind) {
    case 'column':
      if (own[operand.of]) found.set(operand.name, operand.type)
      return
    case 'cast':
      addOperand(operand.of, own, found)
      return
    case 'masked':
      addOperand(operand.of, own, found)
      addCondition(operand.where, { row: own.row, root: own.row }, found)
      return
    case 'aggregate':
      addJoin(operand.join, own, found)
      return
    case 'computed':
      return
  }
}
