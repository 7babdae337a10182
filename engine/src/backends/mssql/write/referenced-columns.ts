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

/** A column, and its type where that is needed. */
type Column = readonly [name: string, type: DatabaseType | null]

/** Returns the columns of the rows that were written which an answer and checks need. */
export function referencedColumns(answer: WriteAnswer, checks: readonly BooleanExpression[]): ReferencedColumns {
  const found: ReferencedColumns = new Map()
  const columns = [...rowFieldsOf(answer).flatMap(ofField), ...checks.flatMap((check) => ofCondition(check, both))]
  for (const [name, type] of columns) if (type !== null || !found.has(name)) found.set(name, type)
  return found
}

function ofField(field: RowField): readonly Column[] {
  switch (field.kind) {
    case 'column':
    case 'nested':
      return ofOperand(field.of, both)
    case 'object':
    case 'array':
    case 'aggregate':
    case 'connection':
      return ofJoin(field.join, both)
    case 'typename':
    case 'computed':
    case 'computed-connection':
    case 'node-id':
      return []
  }
}

const ofJoin = ({ columns }: Join, { row }: Own): readonly Column[] =>
  row ? columns.map(({ from }): Column => [from, null]) : []

function ofCondition(e: BooleanExpression, own: Own): readonly Column[] {
  switch (e.kind) {
    case 'and':
    case 'or':
      return e.of.flatMap((part) => ofCondition(part, own))
    case 'not':
      return ofCondition(e.of, own)
    case 'compare':
      return ofOperand(e.left, own)
    case 'compare-columns':
      return [...ofOperand(e.left, own), ...ofOperand(e.right, own)]
    case 'is-null':
      return ofOperand(e.of, own)
    case 'exists-related':
      return [...ofJoin(e.join, own), ...ofCondition(e.where, { ...own, row: false })]
    case 'exists':
    case 'exists-computed':
      return ofCondition(e.where, { ...own, row: false })
    case 'rooted':
      return ofCondition(e.of, { row: own.row, root: own.row })
  }
}

function ofOperand(operand: Operand, own: Own): readonly Column[] {
  switch (operand.kind) {
    case 'column':
      return own[operand.of] ? [[operand.name, operand.type]] : []
    case 'cast':
      return ofOperand(operand.of, own)
    case 'masked':
      return [...ofOperand(operand.of, own), ...ofCondition(operand.where, { row: own.row, root: own.row })]
    case 'aggregate':
      return ofJoin(operand.join, own)
    case 'computed':
      return []
  }
}
