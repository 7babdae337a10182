/** Mistakes in connections, functions, computed fields, native queries, in masks and predicates over them, and in what a role sees. */
import type { SeededBug } from './seeded-bugs.ts'

const compile = (file: string) => `backends/postgres/compile/${file}.ts`
const plan = (file: string) => `graphql/plan/${file}.ts`
const selection = (file: string) => `graphql/selection/${file}.ts`

export const seededBugsBeyondTables: readonly SeededBug[] = [
  {
    name: 'NULLs are lost before a cursor',
    file: compile('cursor'),
    text: "(nulls === 'last') === (side === 'after')",
    instead: "nulls === 'last'",
  },
  {
    name: 'a page begins behind all rows that are equal in the first value',
    file: compile('cursor'),
    text: 'if (others.length === 0) return beyond',
    instead: 'if (others.length >= 0) return beyond',
  },
  {
    name: 'the last rows are the first ones',
    file: compile('connection'),
    text: 'compileOrderBy(isBackward ? orderBy.map(reversed) : orderBy, within.scope)',
    instead: 'compileOrderBy(orderBy, within.scope)',
  },
  {
    name: "the permission's limit is lost in a connection",
    file: compile('connection'),
    text: 'lowerLimit(count?.of ?? null, connection.permissionLimit)',
    instead: 'lowerLimit(count?.of ?? null, null)',
  },
  {
    name: 'whether there is a next page is said of the previous one',
    file: compile('connection'),
    text: "hasNext: isBackward ? isBeyond('before')",
    instead: "hasNext: isBackward ? isBeyond('after')",
  },
  {
    name: 'rows of other roles are found by their ids',
    file: plan('plan-node'),
    text: 'allOf([types.table.filter, ...keyConditions',
    instead: 'allOf([...keyConditions',
  },
  {
    name: 'a row is found by an id that is masked',
    file: plan('plan-connection'),
    text: 'columns.find(({ name }) => name === column.name) ?? { ...column, mask: null }',
    instead: '({ ...column, mask: null })',
  },
  {
    name: 'a masked key is in cursors and ids',
    file: plan('plan-connection'),
    text: '(column) => columns.find(({ name }) => name === column.name) ?? { ...column, mask: null }',
    instead: '(column) => ({ ...(columns.find(({ name }) => name === column.name) ?? column), mask: null })',
  },
  {
    name: 'the mask of a computed field is lost',
    file: plan('computed-call'),
    text: 'computed.field.mask)',
    instead: 'null)',
  },
  {
    name: "the permission's limit is lost in rows of a computed field",
    file: compile('fields'),
    text: 'lowerLimit(rows.limit, rows.permissionLimit)',
    instead: 'lowerLimit(rows.limit, null)',
  },
  {
    name: 'the filter is lost where rows are ordered by an aggregate of a computed field',
    file: plan('plan-order'),
    text: "wrap({ kind: 'computed-aggregate', call, filter, aggregate })",
    instead: "wrap({ kind: 'computed-aggregate', call, filter: { kind: 'and', of: [] }, aggregate })",
  },
  {
    name: 'a row that a function does not find is a row of NULLs',
    file: compile('function-call'),
    text: 'set ? [] :',
    instead: 'set || !set ? [] :',
  },
  {
    name: 'an argument takes the place of one that is left out',
    file: plan('plan-call'),
    text: 'name: byName ? one.name : null',
    instead: 'name: null',
  },
  {
    name: "an aggregate of a function's rows is one of the whole table",
    file: plan('plan-operation'),
    text: ": { kind: 'aggregate', ...from, rows, fields:",
    instead: ": { kind: 'aggregate', from: found.of, rows, fields:",
  },
  {
    name: 'the filter of a logical model is lost',
    file: 'model/parts/logical-model/row-permissions.ts',
    text: 'resolveSelect(permission as unknown as SelectPermission, shape, around),',
    instead:
      "({ ...resolveSelect(permission as unknown as SelectPermission, shape, around), filter: { kind: 'and', of: [] } }),",
  },
  {
    name: 'the arguments of a native query are one',
    file: plan('plan-query-text'),
    text: 'const value = values.get(part.name)',
    instead: 'const [value] = values.values()',
  },
  {
    name: 'a mask is lost in an aggregate that is a condition',
    file: plan('plan-aggregate-predicate'),
    text: 'return columnOperand(column)',
    instead: 'return columnOperand({ ...column, mask: null })',
  },
  {
    name: 'a mask of a parent is forgotten by who inherits it',
    file: 'model/inherit/select-grant.ts',
    text: 'grant.masks[kind].get(name) ?? grant.filter',
    instead: 'grant.filter',
  },
  {
    name: 'a plan is taken for another value that the planner had to know',
    file: selection('guard'),
    text: 'return value === expect.to',
    instead: 'return typeof value === typeof expect.to',
  },
  {
    name: 'what is distinct is lost in an aggregate that is a condition',
    file: compile('operand'),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a template
    text: '${ident(name)}(${distinct ? sql`DISTINCT ` : sql``}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a template
    instead: '${ident(name)}(${sql``}',
  },
  {
    name: 'a mask is lost where what a condition counts has columns',
    file: plan('plan-aggregate-predicate'),
    text: 'columnOperands(planColumns(context, types, raw, at, false))',
    instead: 'planColumns(context, types, raw, at, false).map((column) => columnOperand({ ...column, mask: null }))',
  },
  {
    name: 'a role sees columns that it may not select',
    file: 'graphql/types/role-table.ts',
    text: '.filter((column) => permission.columns.has(column.name))',
    instead: '.filter(() => true)',
  },
  {
    name: 'hidden root fields are answered',
    file: 'graphql/types/query-root-type.ts',
    text: 'if (shown && !shown.has(permitted)) return false',
    instead: '',
  },
  {
    name: 'every role may aggregate',
    file: 'graphql/types/query-root-type.ts',
    text: 'return table.allowAggregations',
    instead: 'return true',
  },
  {
    name: 'of a field that stands in two places only one selects',
    file: selection('selected-fields'),
    text: 'for (const selection of selections) known.selections.push(selection)',
    instead: '',
  },
]
