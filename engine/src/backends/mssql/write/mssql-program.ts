import type { BoundStatement, Statement, WriteProgram } from '../../backend.ts'

/**
 * A step of a program. `batch`: a plain one, whose temporary tables remain. `write`: changes rows, so that the
 * database's errors of values and constraints are the client's. `duplicates`: returns the number of pairs and of rows
 * that were found; more pairs than rows are refused. `answer`: returns the JSON, and the number of rows that a check
 * forbids.
 */
export interface ProgramStep extends BoundStatement {
  readonly kind: 'batch' | 'write' | 'duplicates' | 'answer'
}

/** Steps of a transaction of its own, one after another; without any, the JSON is known. */
export class MssqlProgram implements WriteProgram {
  readonly statements: readonly ProgramStep[]
  /** Where there are no steps. */
  readonly known: string

  constructor(statements: readonly ProgramStep[], known = 'null') {
    this.statements = statements
    this.known = known
  }
}

export const batchStep = (text: string): ProgramStep => ({
  kind: 'batch',
  plan: writing({ text, slots: [] }),
  parameters: [],
})

/** What is run with other programs in a transaction. */
export const writing = ({ text, slots }: Pick<Statement, 'text' | 'slots'>): Statement => ({
  text,
  slots,
  effects: 'writes',
})
