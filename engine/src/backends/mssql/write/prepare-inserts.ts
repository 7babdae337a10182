import type { InsertTarget, WriteAnswer } from '../../../ir/index.ts'
import type { CompileOptions, WriteCompiler } from '../../backend.ts'
import { insertParts } from './insert-parts.ts'
import { KeptRows } from './kept-rows.ts'
import { MssqlProgram } from './mssql-program.ts'
import { bindStep } from './prepare-write.ts'
import { upsertSteps } from './upsert-steps.ts'

/** Inserts as batches around a temporary table (docs/sql-server.md#mutations). */
export const prepareInserts: WriteCompiler['prepareInserts'] = (answer, options) => {
  const keptOf = keptOnce(answer, options)
  return {
    *bind({ into, conflict, rows }, values) {
      const kept = conflict
        ? new KeptRows('#inserted', into.table, answer, checksOf(into, conflict.update?.check ?? null), options)
        : keptOf(into)
      const writes = conflict
        ? yield* upsertSteps(into, conflict, rows, kept, values)
        : yield* insertParts(into, rows, kept, values)
      const steps = [kept.create(), ...writes, yield* bindStep('answer', kept.answer, values), kept.drop()]
      return new MssqlProgram(steps)
    },
  }
}

/** The same table and check are compiled once. */
function keptOnce(answer: WriteAnswer, options: CompileOptions): (into: InsertTarget) => KeptRows {
  const known = new WeakMap<InsertTarget, KeptRows>()
  return (into) => {
    const found = known.get(into) ?? new KeptRows('#inserted', into.table, answer, checksOf(into, null), options)
    known.set(into, found)
    return found
  }
}

const checksOf = ({ check }: InsertTarget, updateCheck: InsertTarget['check'] | null) => ({ check, updateCheck })
