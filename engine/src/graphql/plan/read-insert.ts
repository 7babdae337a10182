import { Kind } from 'graphql'
import { invalid, Path } from '../../errors.ts'
import { isLongJson } from '../../exact-json/index.ts'
import type { Conflict, InsertList, InsertRow, NestedInsert, Value } from '../../ir/index.ts'
import { keptFor } from '../../kept-for.ts'
import type { LongWork } from '../../long-work.ts'
import type { InputValidation, ResolvedRelationship } from '../../model/index.ts'
import { type Context, contextOf, deeperLong, writtenTypes } from '../selection/context.ts'
import type { VariableValues } from '../selection/guard.ts'
import { type Input, isNull, open, type RawInput, rawOf } from '../selection/input.ts'
import type { Repeated } from '../selection/repeated.ts'
import { fillTemplate, type Template } from '../selection/template.ts'
import type { VariableCheck } from '../selection/variable-check.ts'
import type { GraphqlSettings } from '../settings.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import { type InputType, nonNull, refTo } from '../types/type.ts'
import type { InsertMeaning, NestedMeaning, WriteTypes } from '../types/write-types.ts'
import { inputField } from './input-field.ts'
import { insertTarget } from './insert-target.ts'
import { cellValue, fieldsOf, longCell, plainValues } from './insert-values.ts'
import type { PlannedInsert } from './operation-plan.ts'
import { planConflict } from './plan-conflict.ts'
import { givenJson } from './scalar-value.ts'

/** The rows of an insert, as one request has them. */
export interface ReadInsert {
  readonly rows: InsertList
  readonly templates: ReadonlyMap<string, Template>
  readonly checks: readonly VariableCheck[]
  /** The rows that each webhook checks, as the client sent them (reference/mutations#validation-of-input). */
  readonly validations: ReadonlyMap<InputValidation, readonly unknown[]>
}

/**
 * Reads the rows of an insert (reference/mutations#insert). `templates`: those of the plan, which those of the rows are
 * added to. They are no part of the plan: 10,000 objects in a variable are read once, row by row. `repeated`: of the
 * operation. Throws validation-failed and what coercion says, at the place of what is wrong.
 */
export function* readInsert(
  { table, input, declared, path, conflict, isOne }: PlannedInsert,
  variables: VariableValues,
  schema: RoleSchema,
  settings: GraphqlSettings,
  templates: ReadonlyMap<string, Template>,
  repeated: Repeated,
): LongWork<ReadInsert> {
  const types = writtenTypes(schema, table)
  const given = current(input, variables)
  const at = new Path(path)
  const plain = isOne ? plainValues(types.insertInput(), types, given, noneDetermined, at) : null
  if (plain) {
    const row = { values: plain, before: none, after: none, path }
    const rows = { into: insertTarget(types.table, schema.model), conflict, rows: [row], path }
    return { rows, templates, checks: [], validations: new Map() }
  }
  const fresh = contextOf(schema, unbounded(settings), new Map(), { declared, values: variables, guards: [] })
  // numbered on from those of the plan, which the conflict of the root may use
  const validations = new Map<InputValidation, unknown[]>()
  const isBounded = input.kind === 'json' && repeated.isFirst(input.variable)
  const context: ReadContext = {
    ...fresh,
    templates: new Map(templates),
    validations,
    repeated: isBounded ? null : repeated,
  }
  const rows = yield* readRows(context, types, given, isOne, conflict, noneDetermined, at)
  return { rows, templates: context.templates, checks: context.checks, validations }
}

interface ReadContext extends Context {
  readonly validations: Map<InputValidation, unknown[]>
  /** Null: the size of the request bounds how many rows there are. */
  readonly repeated: Repeated | null
}

/** Remembers a row for the webhook of its table. */
function validateLater(context: ReadContext, by: InputValidation, input: Input, path: Path): void {
  const rows = context.validations.get(by) ?? []
  const json =
    input.kind === 'json' ? input.value : fillTemplate(givenJson(context, rawOf(input), path), context.variables.values)
  rows.push(json)
  context.validations.set(by, rows)
}

/** The size of a request bounds how many rows there are in it, but for those that are read again. */
const unbounded = keptFor(
  (settings: GraphqlSettings): GraphqlSettings => ({ ...settings, maxInputNodes: Number.POSITIVE_INFINITY }),
)

/** A plan outlives the variables that it was made with. */
function current(input: Input, variables: VariableValues): Input {
  if (input.kind === 'literal') return input
  return { ...input, value: Object.hasOwn(variables, input.variable) ? variables[input.variable] : null }
}

const noneDetermined: ReadonlySet<string> = new Set()

function* readRows(
  context: ReadContext,
  types: WriteTypes,
  input: Input,
  isOne: boolean,
  conflict: Conflict | null,
  determined: ReadonlySet<string>,
  path: Path,
): LongWork<InsertList> {
  const rows: InsertRow[] = []
  if (isOne) rows.push(yield* readRow(context, types, input, determined, path))
  else
    for (const { input: entry, path: at } of entriesOf(context, input, types, path)) {
      const row = yield* readRow(context, types, entry, determined, at)
      rows.push(row)
      yield 1 + row.values.size
    }
  return { into: insertTarget(types.table, context.schema.model), conflict, rows, path: path.keys }
}

/** Yields the rows of a list; one object stands for a list of it (reference/queries#variables), at its place there. */
function* entriesOf(
  context: Context,
  input: Input,
  types: WriteTypes,
  path: Path,
): Generator<{ readonly input: Input; readonly path: Path }, void, void> {
  if (input.kind === 'json') {
    const { value, variable, keys } = input
    if (!Array.isArray(value)) yield { input, path: path.at(0) }
    else
      for (const [i, entry] of value.entries())
        yield { input: { kind: 'json', value: entry, variable, keys: [...keys, i] }, path: path.at(i) }
    return
  }
  if (input.node.kind !== Kind.LIST) yield { input, path: path.at(0) }
  else
    for (const [i, node] of input.node.values.entries())
      yield {
        input: open(context, { kind: 'node', node }, nonNull(refTo(types.insertInput())), false, path.at(i)),
        path: path.at(i),
      }
}

/** `determined`: columns whose values come from the row around this one. */
function* readRow(
  context: ReadContext,
  types: WriteTypes,
  input: Input,
  determined: ReadonlySet<string>,
  path: Path,
): LongWork<InsertRow> {
  const type = types.insertInput()
  if (input.kind === 'json') context.repeated?.count(input.value, path)
  const plain = plainValues(type, types, input, determined, path)
  if (plain) return { values: plain, before: none, after: none, path: path.keys }
  const by = types.table.insert?.validateInput
  if (by) validateLater(context, by, input, path)
  const values = new Map<string, Value>()
  const nested: { readonly relationship: ResolvedRelationship; readonly raw: RawInput; readonly path: Path }[] = []
  for (const { key, raw } of fieldsOf(context, input, type.name, path)) {
    const at = path.at(key)
    const { meaning } = inputField<InsertMeaning>(type, key, at)
    if (meaning.kind === 'relationship') nested.push({ relationship: meaning.relationship, raw, path: at })
    else {
      const value =
        raw.kind === 'json' && isLongJson(raw.value)
          ? yield* longCell(types.table, meaning.column, raw.value, at)
          : null
      values.set(meaning.column.name, value ?? cellValue(context, types.table, meaning.column, raw, at))
    }
  }
  if (determined.size > 0) refuseDetermined(values, determined, path)
  if (nested.length === 0) return { values, before: none, after: none, path: path.keys }
  const before: NestedInsert[] = []
  const after: NestedInsert[] = []
  for (const { relationship, raw, path: at } of nested) {
    const isBefore = relationship.insertedFirst === 'target'
    const read = yield* readNested(context, relationship, raw, at)
    if (!read) continue
    if (isBefore) refuseGiven(relationship, values, determined, at)
    const list = isBefore ? before : after
    list.push(read)
  }
  return { values, before, after, path: path.keys }
}

const none: readonly NestedInsert[] = []

/** `{data, on_conflict}`; null where there is nothing to insert (reference/mutations#insert). */
function* readNested(
  context: ReadContext,
  relationship: ResolvedRelationship,
  raw: RawInput,
  path: Path,
): LongWork<NestedInsert | null> {
  const target = writtenTypes(context.schema, relationship.target)
  const type = relationship.kind === 'array' ? target.arrayInsert() : target.objectInsert()
  const input = open(context, raw, refTo(type), false, path)
  if (isNull(input)) return null
  return yield* deeperLong(context, path, readNestedInput(context, relationship, target, type, input, path))
}

/** Reads the input of a relationship. A function within readNested would be made for each. */
function* readNestedInput(
  context: ReadContext,
  relationship: ResolvedRelationship,
  target: WriteTypes,
  type: InputType<NestedMeaning>,
  input: Input,
  path: Path,
): LongWork<NestedInsert | null> {
  let data: { readonly raw: RawInput; readonly path: Path } | undefined
  let onConflict: { readonly raw: RawInput; readonly path: Path } | undefined
  for (const { key, raw: value } of fieldsOf(context, input, type.name, path)) {
    const field = inputField(type, key, path.at(key))
    if (field.meaning === 'data') data = { raw: value, path: path.at(key) }
    else onConflict = { raw: value, path: path.at(key) }
  }
  if (!data) throw invalid(path.at('data'), "missing required field 'data'")
  const field = type.fields.get('data')
  const conflict = planConflict(context, target, onConflict)
  const determined =
    relationship.insertedFirst === 'own' ? new Set(relationship.join.columns.map(({ to }) => to)) : noneDetermined
  const given = field ? open(context, data.raw, field.type, false, data.path) : input
  const isOne = relationship.kind === 'object'
  const rows = yield* readRows(context, target, given, isOne, conflict, determined, data.path)
  if (rows.rows.length === 0) return null
  return { relationship: relationship.name, kind: relationship.kind, columns: relationship.join.columns, rows }
}

/** Throws for a value of a column that the outer row determines (reference/mutations#order-of-an-insert). */
function refuseDetermined(values: ReadonlyMap<string, Value>, determined: ReadonlySet<string>, path: Path): void {
  const given = [...determined].filter((name) => values.has(name))
  if (given.length > 0)
    throw invalid(
      path,
      `cannot insert ${given.map((name) => `"${name}"`).join(', ')} columns as their values are already being determined by parent insert`,
    )
}

function refuseGiven(
  { name, join }: ResolvedRelationship,
  values: ReadonlyMap<string, Value>,
  determined: ReadonlySet<string>,
  path: Path,
): void {
  const given = join.columns.map(({ from }) => from).filter((column) => values.has(column) || determined.has(column))
  if (given.length > 0)
    throw invalid(
      path,
      `cannot insert object relationship "${name}" as ${given.map((column) => `"${column}"`).join(', ')} column values are already determined`,
    )
}
