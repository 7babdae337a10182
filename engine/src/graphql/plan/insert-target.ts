import { conditionReads, type InsertTarget, looksElsewhere, type QualifiedName, runsUsersCode } from '../../ir/index.ts'
import type { Model } from '../../model/index.ts'
import type { WriteTable } from '../types/write-table.ts'
import { readsAlone } from './reads-alone.ts'

const targets = new WeakMap<WriteTable, InsertTarget>()

/** Returns the table that rows are inserted into: the same object as long as it means the same on the model. */
export function insertTarget(table: WriteTable, model: Model): InsertTarget {
  const known = targets.get(table)
  const reads = readBy(table, model)
  if (known && (known.reads === null) === (reads === null)) return known
  const { insert } = table
  if (!insert) throw new Error(`the role does not insert into ${table.table.id}`)
  const made = {
    table: table.table.table,
    columns: table.table.columns.map(({ name, type }) => ({ name, type })),
    presets: insert.presets,
    check: insert.check,
    reads,
    isPlain: table.table.insertsAlone && !runsUsersCode(insert.check),
    changesAlone: table.table.writesAlone,
    refersTo: table.table.refersTo,
    key: table.table.primaryKey?.map(({ name }) => name),
  }
  targets.set(table, made)
  return made
}

/** Returns `InsertTarget.reads`, which may change while the permission remains, since tables may change. */
function readBy({ table, insert }: WriteTable, model: Model): readonly QualifiedName[] | null {
  if (!table.insertsAlone || !insert) return null
  if (!looksElsewhere(insert.check)) return none
  const reads = conditionReads(insert.check)
  return reads?.every((name) => readsAlone(model, table.id, name)) ? reads : null
}

const none: readonly QualifiedName[] = []
