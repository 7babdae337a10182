import type { Backend, CompileOptions, Statement } from '../backends/index.ts'
import { Path } from '../errors.ts'
import type { InsertRows, Write, WriteAnswer } from '../ir/index.ts'
import { finish } from '../long-work.ts'
import { type Bindings, bindValue } from './bind.ts'
import { insertSteps } from './insert-steps.ts'
import { RowTexts } from './row-texts.ts'
import { SettingNames } from './setting-names.ts'
import { unitStatement, type WriteUnit } from './write-unit.ts'

/** What a write needs to be sent: who compiles it, and what fills its slots. */
export interface UnitBinding {
  readonly backend: Backend
  readonly source: string
  readonly bindings: Bindings
  readonly options: CompileOptions
}

/** A write by itself, no part of a plan. */
export function writeUnit(write: Write, path: Path, binding: UnitBinding): WriteUnit {
  const { source } = binding
  return { source, statements: [bound(write, path, new Map(), binding)], answer: (results) => results }
}

/** Rows by themselves. */
export function insertUnit(insert: InsertRows, answer: WriteAnswer, binding: UnitBinding): WriteUnit {
  const { backend, bindings, source } = binding
  const { types } = backend
  const steps = finish(insertSteps(insert, answer, new RowTexts(types, bindings), new SettingNames()))
  const statements = steps.map((step) => bound(step.write, new Path(step.path), step.inputs, binding))
  return { source, statements, answer: (results) => results.slice(-1) }
}

function bound(
  write: Write,
  path: Path,
  inputs: ReadonlyMap<string, string | null>,
  { backend, bindings, options }: UnitBinding,
) {
  const statement: Statement = backend.compileWrite(write, options)
  const parameters = statement.slots.map((slot) => bindValue(slot, backend.types, { ...bindings, inputs }))
  return unitStatement(statement, parameters, path)
}
