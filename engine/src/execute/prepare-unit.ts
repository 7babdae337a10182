import type { Statement } from '../backends/index.ts'
import { Path } from '../errors.ts'
import {
  checkVariables,
  emptyAnswer,
  fillTemplate,
  type GraphqlSettings,
  type RoleSchema,
  readInsert,
} from '../graphql/index.ts'
import type { Value } from '../ir/index.ts'
import { valuesAllowance } from './allowance.ts'
import { type Bindings, bindValue } from './bind.ts'
import { insertSteps } from './insert-steps.ts'
import { insertTree } from './insert-tree.ts'
import type { PreparedInsert, PreparedRoot, PreparedWrites } from './prepared-plan.ts'
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
export function prepareUnit(root: DatabaseRoot, context: UnitContext): WriteUnit {
  switch (root.kind) {
    case 'database': {
      const { compiled, types, source } = root
      const parameters = compiled.slots.map((slot) => bindValue(slot, types, context.bindings))
      return { source, statements: [unitStatement(compiled, parameters, Path.root)], answer: (results) => results }
    }
    case 'writes':
      return prepareWrites(root, context)
    case 'insert':
      return prepareInsert(root, context)
  }
}

function prepareWrites(
  { source, types, groups, validation, isList }: PreparedWrites,
  { bindings, names }: UnitContext,
): WriteUnit {
  const statements: UnitStatement[] = []
  /** Of each group its text, or which statement answers. */
  const answers = groups.map((group): string | number => {
    if ('text' in group) return group.text
    const saved = group.writes.length > 1 ? names.next() : null
    const inputs = new Map([
      ['saved', saved],
      ['names', saved === null ? null : types.coerceInput({ ...textType, list: true }, [saved], Path.root)],
    ])
    for (const statement of group.writes)
      statements.push(unitStatement(statement, bound(statement, types, { ...bindings, inputs }), Path.root))
    return statements.length - 1
  })
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

const bound = (statement: Statement, types: PreparedWrites['types'], bindings: Bindings) =>
  statement.slots.map((slot) => bindValue(slot, types, bindings))

function prepareInsert(root: PreparedInsert, { bindings, schema, settings, names }: UnitContext): WriteUnit {
  const { types, source, answer, statements: kept, compile } = root
  const { rows, templates, checks, validations } = readInsert(
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
  const textsOf = (from: Bindings) => ({
    bind: (value: Value) => bindValue(value, types, from),
    list: (members: readonly (string | null)[]) =>
      types.coerceInput({ ...textType, list: true }, members, Path.root) ?? '{}',
  })
  const statementsOf = (steps: readonly WriteStep[], bindings: Bindings) =>
    steps.map((step) => {
      const statement = kept.find(step.key, () => compile(step.write))
      const parameters = bound(statement, types, { ...bindings, inputs: step.inputs })
      return unitStatement(statement, parameters, new Path(step.path), step.empty)
    })
  const tree = insertTree(rows, answer, textsOf(own), names)
  const apart = (from: Bindings) => statementsOf(insertSteps(rows, answer, textsOf(from), names), from)
  // the same values once more: they were taken from what the request may have
  const again = { ...own, allowance: valuesAllowance(Number.POSITIVE_INFINITY) }
  return {
    source,
    statements: tree ? statementsOf(tree, own) : apart(own),
    ...(tree && { apart: () => apart(again) }),
    validations: [...validations].map(([by, input]) => ({ by, input })),
    answer: (results) => results.slice(-1),
  }
}
