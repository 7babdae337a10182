import type { SeededBug } from './seeded-bugs.ts'

const write = (file: string) => `backends/postgres/write/${file}.ts`
const plan = (file: string) => `graphql/plan/${file}.ts`
const execute = (file: string) => `execute/${file}.ts`

/** The text of a template in the engine's code: `$` and a brace would be read here. */
const code = (text: string): string => text.replaceAll('@{', '${')

/** Mistakes in what writes, each of which the oracle of random mutations has to see. */
export const seededWriteBugs: readonly SeededBug[] = [
  {
    name: 'the check of a new row is lost',
    file: write('compile-insert'),
    text: 'const inserted = checkColumn(check, scope)',
    instead: 'const inserted = checkColumn({ kind: "and", of: [] }, scope)',
  },
  {
    name: 'the check is asked of the root alone where one statement writes nested rows',
    file: write('compile-insert'),
    text: 'if (checked) checks.push',
    instead: 'if (checked && i === 0) checks.push',
  },
  {
    name: 'the check is lost of a row that takes its key from another',
    file: write('insert-clause'),
    text: 'check: into.check,',
    instead: 'check: links.length > 0 ? { kind: "and", of: [] } : into.check,',
  },
  {
    name: 'the check is lost on a conflict',
    file: write('compile-insert'),
    text: 'const updated = checkColumn(conflict.update.check, scope)',
    instead: 'const updated = checkColumn({ kind: "and", of: [] }, scope)',
  },
  {
    name: 'a row that was there is checked as if it were new',
    file: write('compile-insert'),
    text: code('ELSE @{updated ?? yes} END'),
    instead: code('ELSE @{inserted ?? yes} END'),
  },
  {
    name: 'the filter is lost on a conflict',
    file: plan('plan-conflict'),
    text: 'where: allOf([update.filter, where])',
    instead: 'where',
  },
  {
    name: 'the where of on_conflict is lost',
    file: plan('plan-conflict'),
    text: 'where: allOf([update.filter, where])',
    instead: 'where: update.filter',
  },
  {
    name: 'presets are lost on a conflict',
    file: plan('plan-conflict'),
    text: 'presets: update.presets',
    instead: 'presets: []',
  },
  {
    name: 'the filter is lost in an update by key',
    file: plan('plan-update'),
    text: 'where: allOf([grant.filter, where]),\n    check',
    instead: 'where,\n    check',
  },
  {
    name: 'the filter is lost in update_many',
    file: plan('plan-update'),
    text: 'const condition = allOf([grant.filter, where])',
    instead: 'const condition = where',
  },
  {
    name: 'the filter is lost in a delete',
    file: plan('plan-write'),
    text: 'where: allOf([grant.filter, where]),\n    isPlain: isByKey',
    instead: 'where,\n    isPlain: isByKey',
  },
  {
    name: 'the check of an updated row is lost',
    file: write('compile-write'),
    text: 'check: checkColumn(check, scope)',
    instead: 'check: checkColumn({ kind: "and", of: [] }, scope)',
  },
  {
    name: 'presets are lost in an update',
    file: plan('plan-assignments'),
    text: 'grant.presets.map(',
    instead: 'grant.presets.slice(1).map(',
  },
  {
    name: 'presets are lost in an insert',
    file: write('insert-clause'),
    text: 'new Map(into.presets.map(',
    instead: 'new Map(into.presets.slice(1).map(',
  },
  {
    name: 'a role may give a column that has a preset, and nested rows keep what was given',
    file: write('insert-clause'),
    text: 'const preset = presets.get(name)',
    instead: 'const preset = links.length > 0 ? undefined : presets.get(name)',
  },
  {
    name: 'the check is not asked of a row that answers by itself',
    file: write('write-result'),
    text: code('CASE WHEN @{check} THEN'),
    instead: code('CASE WHEN @{check} OR true THEN'),
  },
  {
    name: 'a row that may be written lets others pass',
    file: write('write-result'),
    text: '(SELECT bool_and("ok")',
    instead: '(SELECT bool_or("ok")',
  },
  {
    name: 'a check that is unknown passes',
    file: write('write-result'),
    text: code('(@{compileBooleanExpression(check, scope)}) IS TRUE'),
    instead: code('(@{compileBooleanExpression(check, scope)}) IS NOT FALSE'),
  },
  {
    name: 'only the rows of the root are counted where one statement writes nested rows',
    file: write('compile-insert'),
    text: code('sql`(@{counts})`'),
    instead: 'sql`(SELECT count(*) FROM "m")`',
  },
  {
    name: 'each statement counts one row',
    file: write('write-result'),
    text: code("'0')::bigint + @{count})::text"),
    instead: "'0')::bigint + 1)::text",
  },
  {
    name: 'rows are written for a row that is not there',
    file: write('insert-steps'),
    text: 'required: empty !== null',
    instead: 'required: false',
  },
  {
    name: 'each root field commits by itself',
    file: execute('prepare-writes'),
    text: 'const isJoint = sources.size === 1 &&',
    instead: 'const isJoint = sources.size === 0 &&',
  },
  {
    name: 'what is to be added is subtracted',
    file: write('compile-write'),
    text: code('= @{before} + @{value}'),
    instead: code('= @{before} - @{value}'),
  },
  {
    name: 'returning shows a hidden column',
    file: 'graphql/types/role-table.ts',
    text: '.filter((column) => permission.columns.has(column.name))',
    instead: ".filter((column) => permission.columns.has(column.name) || column.name === 'secret')",
  },
]
