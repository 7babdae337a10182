import { answerLeadsElsewhere, type DeleteRows, type UpdateRows, type Value, type Write } from '../../../ir/index.ts'
import { finish, type LongWork } from '../../../long-work.ts'
import type { CompiledQuery, CompileOptions, PreparedWrite, RequestValues, Statement } from '../../backend.ts'
import { compileQuery } from '../compile/compile-query.ts'
import { changeAnswersAtOnce } from './at-once.ts'
import { compileWrite } from './compile-write.ts'
import { bindStatement, noInputs, PostgresProgram, type ProgramStatement } from './postgres-program.ts'
import type { WriteResult, WriteStatement } from './write-statement.ts'
import { input, savedName, textsType } from './write-step.ts'

/**
 * Prepares an update, a delete or a call as one statement, or as two where what is selected of the rows has to be as it
 * is after the write (reference/mutations#returning).
 */
export function prepareWrite(write: Write, options: CompileOptions): PreparedWrite {
  const mayMiss = write.kind !== 'call' && answerLeadsElsewhere(write.answer) && isOne(write)
  const statements = statementsOf(write, options, mayMiss)
  let separate: readonly Statement[] | null = null
  return {
    statements,
    *bind(values) {
      const bound = yield* boundTo(statements, values)
      if (!mayMiss) return new PostgresProgram(bound)
      const again = values.again()
      const run = () => {
        separate ??= statementsOf(write, options, false)
        return finish(boundTo(separate, again))
      }
      return new PostgresProgram(bound, { run, saysWhere: false })
    },
  }
}

const isOne = ({ answer, changes, table }: UpdateRows | DeleteRows): boolean =>
  changeAnswersAtOnce(answer, changes, table)

function* boundTo(statements: readonly Statement[], values: RequestValues): LongWork<readonly ProgramStatement[]> {
  const inputs = statements.length > 1 ? yield* savedInputs(values) : noInputs
  const bound: ProgramStatement[] = []
  for (const statement of statements) bound.push(yield* bindStatement(statement, inputs, values))
  return bound
}

/** `atOnce`: by the statement that writes, also where the answer leads elsewhere. */
function statementsOf(write: Write, options: CompileOptions, atOnce: boolean): readonly Statement[] {
  if (write.kind === 'call') {
    const { text, ...call } = slim(compileQuery(write.query, options))
    return [{ ...call, text: text + (options.tag ?? '') }]
  }
  const compile = (statement: WriteStatement) => slim(compileWrite(statement, options))
  const { answer, ...own } = write
  if (atOnce || !answerLeadsElsewhere(answer)) return [compile({ ...own, result: { kind: 'answer', answer } })]
  return [
    compile({ ...own, result: saved }),
    compile({ kind: 'saved-answer', table: own.table, names: savedNames, count: null, answer }),
  ]
}

const savedAs: Value = input('saved')
const savedNames: Value = input('names', textsType)
const saved: WriteResult = { kind: 'saved', as: savedAs, count: null, required: false }

/** The setting that stores the rows of a write, and a list with only that. */
function* savedInputs(values: RequestValues): LongWork<ReadonlyMap<string, string | null>> {
  const name = savedName(values)
  return new Map([
    ['saved', name],
    ['names', yield* values.list([name])],
  ])
}

/** What is cached of a compiled query. */
export const slim = ({ text, slots, effects, restsOn }: CompiledQuery): Statement => ({
  text,
  slots,
  effects,
  ...(restsOn && { restsOn }),
})
