import { seededBugsBeyondTables } from './seeded-bugs-beyond-tables.ts'

/** Mistakes as one might make them in the planner or the compiler, each of which the oracle has to find. */
export interface SeededBug {
  readonly name: string
  /** Below engine/src. */
  readonly file: string
  /** Stands there exactly once. */
  readonly text: string
  readonly instead: string
}

const compile = (file: string) => `backends/postgres/compile/${file}.ts`
const plan = (file: string) => `graphql/plan/${file}.ts`
const grant = 'model/inherit/select-grant.ts'

export const seededBugs: readonly SeededBug[] = [
  {
    name: 'the filter of the root is lost',
    file: plan('plan-rows'),
    text: 'const filters = [table.filter]',
    instead: 'const filters = [context.depth === 0 ? allOf([]) : table.filter]',
  },
  {
    name: 'the filter is lost in an aggregate',
    file: compile('aggregates'),
    text: ': filteredRows(origin, rows.where, belongs, statement)',
    instead: ": filteredRows(origin, { kind: 'and', of: [] }, belongs, statement)",
  },
  {
    name: "a relationship's rows are not cut off from the rows of others",
    file: compile('aggregates'),
    text: '? orderedRows(origin, rows, limit, belongs, statement)',
    instead: '? orderedRows(origin, rows, limit, () => [], statement)',
  },
  {
    name: 'the filter is lost where rows are ordered by a related value',
    file: plan('plan-order'),
    text: "wrap({ kind: 'related', join, filter, key })",
    instead: "wrap({ kind: 'related', join, filter: { kind: 'and', of: [] }, key })",
  },
  {
    name: 'the filter is lost where rows are ordered by an aggregate',
    file: plan('plan-order'),
    text: "wrap({ kind: 'related-aggregate', join, filter, aggregate })",
    instead: "wrap({ kind: 'related-aggregate', join, filter: { kind: 'and', of: [] }, aggregate })",
  },
  {
    name: 'the filter is lost in where over a relationship',
    file: plan('plan-where'),
    text: 'where: allOf([target.table.filter, where])',
    instead: 'where',
  },
  {
    name: 'the filter is lost in an object that is joined',
    file: compile('fields'),
    text: 'compileJoin(field.join, scope.row, target.row), ...filter]',
    instead: 'compileJoin(field.join, scope.row, target.row), ...filter.slice(1)]',
  },
  {
    name: 'the filter is lost in an object that is looked up',
    file: compile('fields'),
    text: 'filteredRows(reachedBy(field.join), field.where, belongingTo',
    instead: "filteredRows(reachedBy(field.join), { kind: 'and', of: [] }, belongingTo",
  },
  {
    name: 'the filter is lost where rows are made distinct',
    file: compile('rows'),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a template
    text: '.* FROM ${from}${where}${order}${cut}`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a template
    instead: '.* FROM ${from}${columns.size > 0 ? sql`` : where}${order}${cut}`',
  },
  {
    name: "the permission's limit is lost in a nested list",
    file: compile('fields'),
    text: 'lowerLimit(field.rows.limit, field.rows.permissionLimit)',
    instead: 'lowerLimit(field.rows.limit, null)',
  },
  {
    name: "the permission's limit cuts what is aggregated",
    file: compile('aggregates'),
    text: 'const limit = compileCount(rows.limit)',
    instead: 'const limit = lowerLimit(rows.limit, rows.permissionLimit)',
  },
  {
    name: "the permission's limit is lost in nodes next to an aggregate",
    file: compile('aggregates'),
    text: '() => again(cut)',
    instead: '() => again(sql``)',
  },
  {
    name: 'the higher of two limits counts',
    file: compile('values'),
    text: 'Math.min(Number(value.text), permissionLimit)',
    instead: 'Math.max(Number(value.text), permissionLimit)',
  },
  {
    name: 'NULLs stand at the other end',
    file: plan('plan-order'),
    text: 'types.features.nulls[direction]',
    instead: "types.features.nulls[direction] === 'first' ? 'last' : 'first'",
  },
  {
    name: 'an offset is forgotten in an aggregate',
    file: compile('aggregates'),
    text: 'limit || rows.offset || rows.distinctOn.length > 0',
    instead: 'limit || rows.distinctOn.length > 0',
  },
  {
    name: 'masks are lost',
    file: plan('column-operand'),
    text: 'mask === null || isAlways(mask) ? of',
    instead: "mask === null || isAlways(mask) || mask.kind !== 'compare' ? of",
  },
  {
    name: 'a mask is lost in where',
    file: plan('plan-comparison'),
    text: 'left: columnOperand(column),',
    instead: 'left: columnOperand({ ...column, mask: null }),',
  },
  {
    name: 'a mask is lost in order_by',
    file: plan('plan-order'),
    text: "wrap({ kind: 'operand', of: columnOperand(meaning.column) })",
    instead: "wrap({ kind: 'operand', of: columnOperand({ ...meaning.column, mask: null }) })",
  },
  {
    name: 'a mask is lost where rows are made distinct',
    file: plan('plan-rows'),
    text: 'distinctOn: distinctOn.map(columnOperand)',
    instead: 'distinctOn: distinctOn.map((column) => columnOperand({ ...column, mask: null }))',
  },
  {
    name: 'a mask is lost in an aggregate',
    file: plan('plan-aggregate-fields'),
    text: 'return columnOperand(meaning.column)',
    instead: 'return columnOperand({ ...meaning.column, mask: null })',
  },
  {
    name: 'the filter is lost where related rows are counted in where',
    file: plan('plan-aggregate-predicate'),
    text: 'where: allOf([types.table.filter, ...',
    instead: 'where: allOf([...',
  },
  {
    name: 'the filter is lost in a row found by its key',
    file: plan('plan-operation'),
    text: 'const where = allOf([types.table.filter, ...keys])',
    instead: 'const where = allOf(keys)',
  },
  {
    name: 'a role that inherits a role sees past its masks',
    file: grant,
    text: 'const isMasked = holders.some((grant) => grant.masks[kind].has(name))',
    instead: 'const isMasked = false',
  },
  {
    name: 'a parent without a limit lifts that of the others',
    file: grant,
    text: 'limit: limits.length === 0 ? null',
    instead: 'limit: limits.length < grants.length ? null',
  },
  {
    name: 'only the first parent says which rows there are',
    file: grant,
    text: 'filter: rowsOfAny(grants.map(({ filter }) => filter))',
    instead: 'filter: rowsOfAny(grants.slice(0, 1).map(({ filter }) => filter))',
  },
  {
    name: 'NULL is unlike nothing in a permission',
    file: compile('boolean-expression'),
    text: 'if (!e.nullSafe || !value) return plain',
    instead: 'return plain',
  },
  {
    name: 'the row that an expression is about is lost inside a relationship',
    file: compile('boolean-expression'),
    text: 'const inside = { ...scope, row, rowType: null, isConjunct: true }',
    instead: 'const inside = { ...scope, row, root: row, rowType: null, isConjunct: true }',
  },
  {
    name: 'a plan is taken for one of another role',
    file: 'execute/plan-cache.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a template
    text: '${role.length}:${role}$',
    instead: '$',
  },
  {
    name: 'several columns are counted as if they were one',
    file: compile('operand'),
    text: 'columns.length === 1 && only ? only',
    instead: 'only ? only',
  },
  {
    name: 'what several conditions join is one of them',
    file: compile('boolean-expression'),
    text: "combineConditions(compileEach(mergeRelated('and', e.of), scope), sql` AND `, sql`true`)",
    instead: "combineConditions(compileEach(mergeRelated('and', e.of), scope), sql` OR `, sql`true`)",
  },
  ...seededBugsBeyondTables,
]
