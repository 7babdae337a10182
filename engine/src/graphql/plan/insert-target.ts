import { type InsertTarget, looksElsewhere, runsUsersCode } from '../../ir/index.ts'
import type { WriteTable } from '../types/write-table.ts'

const targets = new WeakMap<WriteTable, InsertTarget>()

export function insertTarget(table: WriteTable): InsertTarget {
  const known = targets.get(table)
  if (known) return known
  const { insert } = table
  if (!insert) throw new Error(`the role does not insert into ${table.table.id}`)
  const made = {
    table: table.table.table,
    columns: table.table.columns.map(({ name, type }) => ({ name, type })),
    presets: insert.presets,
    check: insert.check,
    isAlone: table.table.insertsAlone && !looksElsewhere(insert.check),
    isPlain: table.table.insertsAlone && !runsUsersCode(insert.check),
    changesAlone: table.table.writesAlone,
    refersTo: table.table.refersTo,
    key: table.table.primaryKey?.map(({ name }) => name),
  }
  targets.set(table, made)
  return made
}
