import type { InsertTarget, WriteAnswer } from '../../../ir/index.ts'
import type { CompileOptions, WriteCompiler } from '../../backend.ts'
import { insertParts } from './insert-parts.ts'
import { MssqlProgram } from './mssql-program.ts'
import { bindStep } from './prepare-write.ts'
import { StoredRows } from './stored-rows.ts'
import { upsertSteps } from './upsert-steps.ts'

/** Inserts as batches around a temporary table (docs/sql-server.md#mutations). */
export const prepareInserts: WriteCompiler['prepareInserts'] = (answer, options) => {
  const storedFor = storedOnce(answer, options)
  return {
    *bind({ into, conflict, rows }, values) {
      const stored = conflict
        ? new StoredRows('#inserted', into.table, answer, checksOf(into, conflict.update?.check ?? null), options)
        : storedFor(into)
      const writes = conflict
        ? yield* upsertSteps(into, conflict, rows, stored, values)
        : yield* insertParts(into, rows, stored, values)
      const steps = [stored.create(), ...writes, yield* bindStep('answer', stored.answer, values), stored.drop()]
      return new MssqlProgram(steps)
    },
  }
}

/** The same table and check are compiled once. */
function storedOnce(answer: WriteAnswer, options: CompileOptions): (into: InsertTarget) => StoredRows {
  const known = new WeakMap<InsertTarget, StoredRows>()
  return (into) => {
    const found = known.get(into) ?? new StoredRows('#inserted', into.table, answer, checksOf(into, null), options)
    known.set(into, found)
    return found
  }
}

const checksOf = ({ check }: InsertTarget, updateCheck: InsertTarget['check'] | null) => ({ check, updateCheck })
