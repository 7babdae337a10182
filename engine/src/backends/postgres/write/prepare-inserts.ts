import { Path } from '../../../errors.ts'
import { answerLeadsElsewhere, type InsertRows, type WriteAnswer } from '../../../ir/index.ts'
import { finish, type LongWork } from '../../../long-work.ts'
import type { CompileOptions, PreparedInserts, RequestValues } from '../../backend.ts'
import { compileLongWrite } from './compile-write.ts'
import { insertSteps } from './insert-steps.ts'
import { insertTree } from './insert-tree.ts'
import { bindStatement, PostgresProgram, type ProgramStatement } from './postgres-program.ts'
import { slim } from './prepare-write.ts'
import { StatementCache } from './statement-cache.ts'
import type { WriteStep } from './write-step.ts'

/** Inserts, whose statements depend on their rows. */
export function prepareInserts(answer: WriteAnswer, options: CompileOptions): PreparedInserts {
  const inserts: Inserts = { answer, options, statements: new StatementCache() }
  return {
    *bind(rows, values) {
      const tree = yield* insertTree(rows, answer, values)
      const steps = tree ?? (yield* insertSteps(rows, answer, values, true))
      const own = yield* bound(steps, inserts, values)
      if (!tree && (steps.length > 1 || !answerLeadsElsewhere(answer))) return new PostgresProgram(own)
      const again = values.again()
      return new PostgresProgram(own, { run: () => finish(apart(rows, inserts, again)), saysWhere: tree !== null })
    },
  }
}

interface Inserts {
  readonly answer: WriteAnswer
  readonly options: CompileOptions
  readonly statements: StatementCache
}

/** Each row by itself where one lies in another. */
function* apart(rows: InsertRows, inserts: Inserts, values: RequestValues): LongWork<readonly ProgramStatement[]> {
  return yield* bound(yield* insertSteps(rows, inserts.answer, values, false), inserts, values)
}

function* bound(
  steps: readonly WriteStep[],
  { options, statements: kept }: Inserts,
  values: RequestValues,
): LongWork<readonly ProgramStatement[]> {
  const statements: ProgramStatement[] = []
  for (const { key, statement, inputs, path, empty } of steps) {
    const plan = kept.find(key) ?? kept.keep(key, slim(yield* compileLongWrite(statement, options)))
    statements.push(yield* bindStatement(plan, inputs, values, new Path(path), empty))
    yield 1
  }
  return statements
}
