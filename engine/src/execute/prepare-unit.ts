import { Path } from '../errors.ts'
import {
  atUpdate,
  checkVariables,
  emptyAnswer,
  type GraphqlSettings,
  planUpdateShape,
  type RoleSchema,
  readInsert,
  updateValues,
  valueAt,
} from '../graphql/index.ts'
import type { InsertRows } from '../ir/index.ts'
import { finish, type LongWork } from '../long-work.ts'
import { valuesAllowance } from './allowance.ts'
import { type Bindings, bindSlots } from './bind.ts'
import { BoundGroups } from './bound-groups.ts'
import { insertSteps } from './insert-steps.ts'
import { insertTree } from './insert-tree.ts'
import type { PreparedInsert, PreparedRoot, PreparedUpdates, PreparedWrites } from './prepared-plan.ts'
import { RowTexts } from './row-texts.ts'
import type { SettingNames } from './setting-names.ts'
import type { WriteStep } from './write-step.ts'
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
    case 'updates':
      return yield* prepareUpdates(root, context)
    case 'insert':
      return yield* prepareInsert(root, context)
  }
}

function* prepareWrites(
  { source, types, groups, validation, isList }: PreparedWrites,
  { bindings, names }: UnitContext,
): LongWork<WriteUnit> {
  const bound = new BoundGroups(types, names)
  for (const group of groups) {
    yield* bound.add(group, bindings, Path.root)
    yield 1
  }
  return bound.unit({ source, validation, bindings, isList })
}

/** Entries of one shape have the same statements. */
function* prepareUpdates(
  root: PreparedUpdates,
  { bindings, schema, settings, names }: UnitContext,
): LongWork<WriteUnit> {
  const { source, types, shapes, validation } = root
  const given = valueAt(bindings.variables, root.variable, root.keys)
  const list = new Path(root.path)
  // one object stands for a list of it (reference/queries#variables)
  const entries: readonly unknown[] = Array.isArray(given) ? given : [given]
  const bound = new BoundGroups(types, names)
  const ofRole = schema()
  for (const [i, entry] of entries.entries()) {
    const path = Array.isArray(given) ? list.at(i) : list
    const variables = updateValues(entry)
    const group = atUpdate(path, () =>
      shapes.find(variables, ofRole, () => {
        const { group, ...shape } = planUpdateShape(root, variables, ofRole, settings)
        return { ...shape, group: 'text' in group ? group : { writes: group.writes.map(root.compile) } }
      }),
    )
    yield* bound.add(group, { ...bindings, variables }, path)
    yield 1
  }
  return bound.unit({ source, validation, bindings, isList: true })
}

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
