import type { TypeSystem } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'
import { fillTemplate, type PlannedValidation } from '../graphql/index.ts'
import type { LongWork } from '../long-work.ts'
import { type Bindings, bindSlots } from './bind.ts'
import type { SettingNames } from './setting-names.ts'
import type { PreparedGroup } from './update-shapes.ts'
import { textType } from './write-step.ts'
import { type UnitStatement, unitStatement, type WriteUnit } from './write-unit.ts'

/** Writes of one root field, one after another. */
export class BoundGroups {
  readonly #types: TypeSystem
  readonly #names: SettingNames
  readonly #statements: UnitStatement[] = []
  /** Of each group its text, or which statement answers. */
  readonly #answers: (string | number)[] = []

  constructor(types: TypeSystem, names: SettingNames) {
    this.#types = types
    this.#names = names
  }

  /** `path`: where its values are, as far as they do not say so themselves. */
  *add(group: PreparedGroup, bindings: Bindings, path: Path): LongWork<void> {
    if ('text' in group) {
      this.#answers.push(group.text)
      return
    }
    const types = this.#types
    const saved = group.writes.length > 1 ? this.#names.next() : null
    const inputs = new Map([
      ['saved', saved],
      ['names', saved === null ? null : types.coerceInput({ ...textType, list: true }, [saved], Path.root)],
    ])
    for (const statement of group.writes) {
      const parameters = yield* bindUnder(path, bindSlots(statement.slots, types, { ...bindings, inputs }))
      this.#statements.push(unitStatement(statement, parameters, Path.root))
    }
    this.#answers.push(this.#statements.length - 1)
  }

  unit({ source, validation, bindings, isList }: UnitOf): WriteUnit {
    const answers = this.#answers
    // nothing to do at all is an answer without any (reference/mutations#update)
    const isNothing = isList && this.#statements.length === 0
    return {
      source,
      statements: this.#statements,
      validations: validation ? [{ by: validation.by, input: fillTemplate(validation.input, bindings.variables) }] : [],
      answer(results) {
        if (isNothing) return [opening, closing]
        const parts = answers.map((answer) => (typeof answer === 'string' ? Buffer.from(answer) : results[answer]))
        const present = parts.filter((part) => part !== undefined)
        if (!isList) return present
        return [opening, ...present.flatMap((part, i) => (i === 0 ? [part] : [comma, part])), closing]
      },
    }
  }
}

interface UnitOf {
  readonly source: string
  readonly validation: PlannedValidation | null
  readonly bindings: Bindings
  readonly isList: boolean
}

/** What is wrong with a value is reported below `path`, unless it is about the whole request. */
function* bindUnder<Result>(path: Path, work: LongWork<Result>): LongWork<Result> {
  try {
    return yield* work
  } catch (error) {
    throw error instanceof ApiError && error.path.keys.length > 0 ? error.under(path) : error
  }
}

const opening = Buffer.from('[')
const comma = Buffer.from(',')
const closing = Buffer.from(']')
