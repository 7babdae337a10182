import { Path } from '../../../errors.ts'
import type { LongWork } from '../../../long-work.ts'
import type { BoundStatement, RequestValues, Statement, WriteProgram } from '../../backend.ts'

/** A statement of a program. */
export interface ProgramStatement extends BoundStatement {
  /** Where its errors are. */
  readonly path: Path
  /** What is wrong where it has to write a row and does not. */
  readonly empty: string | null
}

/** More statements that do the same, where one does it all. */
interface InSteps {
  readonly run: () => readonly ProgramStatement[]
  /** They write row by row: which says where an error is. */
  readonly saysWhere: boolean
}

/** Statements of a transaction one after another, of which the last answers. */
export class PostgresProgram implements WriteProgram {
  readonly statements: readonly ProgramStatement[]
  readonly inSteps: InSteps | null

  constructor(statements: PostgresProgram['statements'], inSteps: PostgresProgram['inSteps'] = null) {
    this.statements = statements
    this.inSteps = inSteps
  }
}

export const noInputs: ReadonlyMap<string, string | null> = new Map()

/** Binds all slots of a statement. */
export function* bindStatement(
  plan: Statement,
  inputs: ReadonlyMap<string, string | null>,
  values: RequestValues,
  path: Path = Path.root,
  empty: string | null = null,
): LongWork<ProgramStatement> {
  const parameters: (string | null)[] = []
  for (const slot of plan.slots) {
    const short = slot.kind === 'input' ? values.counted(inputs.get(slot.name) ?? null) : values.short(slot)
    const text = short === undefined ? yield* values.long(slot) : short
    parameters.push(text)
    if (text !== null && text.length > SMALL) yield Math.ceil(text.length / 1024)
  }
  return { plan, parameters, path, empty }
}

/** Characters of a text that is too short to yield for. */
export const SMALL = 1024
