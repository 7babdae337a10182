import { Path } from '../errors.ts'
import {
  checkVariables,
  emptyAnswer,
  fillTemplate,
  type GraphqlSettings,
  type RoleSchema,
  readInsert,
} from '../graphql/index.ts'
import type { InsertRows } from '../ir/index.ts'
import { finish, type LongWork } from '../long-work.ts'
import { valuesAllowance } from './allowance.ts'
import { type Bindings, bindSlots } from './bind.ts'
import { insertSteps } from './insert-steps.ts'
import { insertTree } from './insert-tree.ts'
import type { PreparedInsert, PreparedRoot, PreparedWrites } from './prepared-plan.ts'
import { RowTexts } from './row-texts.ts'
import type { SettingNames } from './setting-names.ts'
import { textType, type WriteStep } from './write-step.ts'
import { type UnitStatement, unitStatement, type WriteUnit } from './write-unit.ts'

/** A root field that asks a database. */
export type DatabaseRoot = Extract<PreparedRoot, { readonly source: string }>

export interface UnitContext {
  readonly bindings: Bindings
  readonly schema: () => RoleSchema
  readonly settings: GraphqlSettings
  readonly names: SettingNames
}

/** Binds the statements of a root field of a mutation. Throws what is wrong with the values of the request. */
export function* prepareUnit(root: DatabaseRoot, context: UnitContext): LongWork<WriteUnit> {
  switch (root.kind) {
    case 'database': {
      const { compiled, types, source } = root
      const parameters = yield* bindSlots(compiled.slots, types, context.bindings)
      return { source, statements: [unitStatement(compiled, parameters, Path.root)], answer: (results) => results }
    }
    case 'writes':
      return yield* prepareWrites(root, context)
    case 'insert':
      return yield* prepareInsert(root, context)
  }
}

function* prepareWrites(
  { source, types, groups, validation, isList }: PreparedWrites,
  { bindings, names }: UnitContext,
): LongWork<WriteUnit> {
  const statements: UnitStatement[] = []
  /** Of each group its text, or which statement answers. */
  const answers: (string | number)[] = []
  for (const group of groups) {
    if ('text' in group) {
      answers.push(group.text)
      continue
    }
    const saved = group.writes.length > 1 ? names.next() : null
    const inputs = new Map([
      ['saved', saved],
      ['names', saved === null ? null : types.coerceInput({ ...textType, list: true }, [saved], Path.root)],
    ])
    for (const statement of group.writes)
      statements.push(
        unitStatement(statement, yield* bindSlots(statement.slots, types, { ...bindings, inputs }), Path.root),
      )
    answers.push(statements.length - 1)
    yield 1
  }
  const validations = validation
    ? [{ by: validation.by, input: fillTemplate(validation.input, bindings.variables) }]
    : []
  return {
    source,
    statements,
    validations,
    answer(results) {
      const parts = answers.map((answer) => (typeof answer === 'string' ? Buffer.from(answer) : results[answer]))
      const present = parts.filter((part) => part !== undefined)
      if (!isList) return present
      return [opening, ...present.flatMap((part, i) => (i === 0 ? [part] : [comma, part])), closing]
    },
  }
}

const opening = Buffer.from('[')
const comma = Buffer.from(',')
const closing = Buffer.from(']')

function* statementsOf(
  steps: readonly WriteStep[],
  { types, statements: kept, compile }: PreparedInsert,
  bindings: Bindings,
): LongWork<readonly UnitStatement[]> {
  const statements: UnitStatement[] = []
  for (const step of steps) {
    const statement = kept.find(step.key) ?? kept.keep(step.key, yield* compile(step.write))
    const parameters = yield* bindSlots(statement.slots, types, { ...bindings, inputs: step.inputs })
    statements.push(unitStatement(statement, parameters, new Path(step.path), step.empty))
    yield 1
  }
  return statements
}

/** Each row by itself where one lies in another. */
function* statementsApart(
  rows: InsertRows,
  root: PreparedInsert,
  bindings: Bindings,
  names: SettingNames,
): LongWork<readonly UnitStatement[]> {
  const steps = yield* insertSteps(rows, root.answer, new RowTexts(root.types, bindings), names)
  return yield* statementsOf(steps, root, bindings)
}

function* prepareInsert(root: PreparedInsert, { bindings, schema, settings, names }: UnitContext): LongWork<WriteUnit> {
  const { types, source, answer } = root
  const { rows, templates, checks, validations } = yield* readInsert(
    root,
    bindings.variables,
    schema(),
    settings,
    bindings.templates,
  )
  checkVariables(checks, bindings.variables)
  if (rows.rows.length === 0) {
    const text = Buffer.from(JSON.stringify(emptyAnswer(answer)))
    return { source, statements: [], answer: () => [text] }
  }
  const own = { ...bindings, templates }
  const tree = yield* insertTree(rows, answer, new RowTexts(types, own), names)
  // the same values once more: they were taken from what the request may have
  const again = { ...own, allowance: valuesAllowance(Number.POSITIVE_INFINITY) }
  return {
    source,
    statements: yield* tree ? statementsOf(tree, root, own) : statementsApart(rows, root, own, names),
    ...(tree && { apart: () => finish(statementsApart(rows, root, again, names)) }),
    validations: [...validations].map(([by, input]) => ({ by, input })),
    answer: (results) => results.slice(-1),
  }
}
