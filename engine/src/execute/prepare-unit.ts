import { ApiError, Path } from '../errors.ts'
import {
  atUpdate,
  checkVariables,
  emptyAnswer,
  fillTemplate,
  type GraphqlSettings,
  type PlannedValidation,
  planUpdateShape,
  type Repeated,
  type RoleSchema,
  readInsert,
  updateValues,
  valueAt,
} from '../graphql/index.ts'
import type { LongWork } from '../long-work.ts'
import type { Bindings } from './bind.ts'
import type { PreparedInsert, PreparedUpdates, PreparedWrites, WrittenRoot } from './prepared-plan.ts'
import { BoundValues, type WrittenNumbers } from './request-values.ts'
import type { PreparedGroup } from './update-shapes.ts'
import type { Validation, WriteUnit } from './write-unit.ts'

export interface UnitContext {
  readonly bindings: Bindings
  readonly schema: () => RoleSchema
  readonly settings: GraphqlSettings
  readonly numbers: WrittenNumbers
  readonly repeated: Repeated
}

/** Binds the writes of a root field of a mutation. Throws what is wrong with the values of the request. */
export function prepareUnit(root: WrittenRoot, context: UnitContext): LongWork<WriteUnit> {
  switch (root.kind) {
    case 'writes':
      return prepareWrites(root, context)
    case 'updates':
      return prepareUpdates(root, context)
    case 'insert':
      return prepareInsert(root, context)
  }
}

function* prepareWrites(root: PreparedWrites, { bindings, numbers }: UnitContext): LongWork<WriteUnit> {
  const { source, types, validation, isList } = root
  const values = new BoundValues(types, bindings, numbers)
  const parts: Part[] = []
  for (const group of root.groups) {
    parts.push(yield* bindGroup(group, values))
    yield 1
  }
  const validations = validationsOf(validation, bindings)
  return { source, path: Path.root, validations, programs: programsOf(parts), answer: answerOf(parts, isList) }
}

/** Entries of one shape have the same statements. */
function* prepareUpdates(
  root: PreparedUpdates,
  { bindings, schema, settings, numbers, repeated }: UnitContext,
): LongWork<WriteUnit> {
  const { source, types, shapes, validation } = root
  const isFirst = repeated.isFirst(root.variable)
  const given = valueAt(bindings.variables, root.variable, root.keys)
  const list = new Path(root.path)
  // one object stands for a list of it (reference/queries#variables)
  const entries: readonly unknown[] = Array.isArray(given) ? given : [given]
  const parts: Part[] = []
  const ofRole = schema()
  for (const [i, entry] of entries.entries()) {
    const path = Array.isArray(given) ? list.at(i) : list
    if (!isFirst) repeated.count(entry, path)
    const variables = updateValues(entry)
    const group = atUpdate(path, () =>
      shapes.find(variables, ofRole, () => {
        const { group, ...shape } = planUpdateShape(root, variables, ofRole, settings)
        return { ...shape, group: 'text' in group ? group : root.prepare(group) }
      }),
    )
    const values = new BoundValues(types, { ...bindings, variables }, numbers)
    parts.push(yield* bindUnder(path, bindGroup(group, values)))
    yield 1
  }
  const validations = validationsOf(validation, bindings)
  // nothing to do at all is an answer without any (reference/mutations#update)
  const programs = programsOf(parts)
  const answer = answerOf(programs.length === 0 ? [] : parts, true)
  return { source, path: Path.root, validations, programs, answer }
}

function* prepareInsert(
  root: PreparedInsert,
  { bindings, schema, settings, numbers, repeated }: UnitContext,
): LongWork<WriteUnit> {
  const { types, source, answer } = root
  const read = yield* readInsert(root, bindings.variables, schema(), settings, bindings.templates, repeated)
  const { rows, templates, checks } = read
  checkVariables(checks, bindings.variables)
  const path = new Path(root.path)
  if (rows.rows.length === 0) {
    const text = Buffer.from(JSON.stringify(emptyAnswer(answer)))
    return { source, path, programs: [], validations: [], answer: () => [text] }
  }
  const program = yield* root.inserts.bind(rows, new BoundValues(types, { ...bindings, templates }, numbers))
  const validations = [...read.validations].map(([by, input]) => ({ by, input }))
  return { source, path, programs: [program], validations, answer: (results) => results }
}

/** The program of a group, or its answer where there is nothing to do. */
type Part = WriteUnit['programs'][number] | { readonly text: string }

function* bindGroup(group: PreparedGroup, values: BoundValues): LongWork<Part> {
  return 'text' in group ? group : yield* group.bind(values)
}

/** What is wrong with a value is reported below `path`, unless it is about the whole request. */
function* bindUnder<Result>(path: Path, work: LongWork<Result>): LongWork<Result> {
  try {
    return yield* work
  } catch (error) {
    throw error instanceof ApiError && error.path.keys.length > 0 ? error.under(path) : error
  }
}

const validationsOf = (validation: PlannedValidation | null, { variables }: Bindings): readonly Validation[] =>
  validation ? [{ by: validation.by, input: fillTemplate(validation.input, variables) }] : []

const programsOf = (parts: readonly Part[]): WriteUnit['programs'] =>
  parts.flatMap((part) => ('text' in part ? [] : [part]))

const answerOf =
  (parts: readonly Part[], isList: boolean) =>
  (results: readonly Buffer[]): readonly Buffer[] => {
    let at = 0
    const texts = parts.flatMap((part) => {
      const text = 'text' in part ? Buffer.from(part.text) : results[at++]
      return text ? [text] : []
    })
    return isList ? [opening, ...texts.flatMap((text, i) => (i === 0 ? [text] : [comma, text])), closing] : texts
  }

const opening = Buffer.from('[')
const comma = Buffer.from(',')
const closing = Buffer.from(']')
