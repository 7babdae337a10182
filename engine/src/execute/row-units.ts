import type { Backend, CompileOptions, WriteProgram } from '../backends/index.ts'
import { Path } from '../errors.ts'
import type { InsertList, Write, WriteAnswer } from '../ir/index.ts'
import { finish } from '../long-work.ts'
import type { Bindings } from './bind.ts'
import { BoundValues } from './request-values.ts'
import type { WriteUnit } from './write-unit.ts'
import { writesOf } from './writes-of.ts'

/** What a write needs to be sent: whose it is, and what fills its values. */
export interface UnitBinding {
  readonly backend: Backend
  readonly source: string
  readonly bindings: Bindings
  readonly options: CompileOptions
}

/** Returns a write by itself, which is no part of a plan. */
export function writeUnit(write: Write, path: Path, binding: UnitBinding): WriteUnit {
  const prepared = writesOf(binding.backend).prepare(write, binding.options)
  return unitOf(finish(prepared.bind(valuesOf(binding))), path, binding)
}

/** Rows by themselves. */
export function insertUnit(insert: InsertList, answer: WriteAnswer, binding: UnitBinding): WriteUnit {
  const prepared = writesOf(binding.backend).prepareInserts(answer, binding.options)
  return unitOf(finish(prepared.bind(insert, valuesOf(binding))), new Path(insert.path), binding)
}

const valuesOf = ({ backend, bindings }: UnitBinding) => new BoundValues(backend.types, bindings, { next: 0 })

const unitOf = (program: WriteProgram, path: Path, { source }: UnitBinding): WriteUnit => ({
  source,
  programs: [program],
  path,
  validations: [],
  answer: (results) => results,
})
