import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerDeclaration } from '../core/index.ts'
import { spelled } from './spelled.ts'

const attributesOf = (kind: string) =>
  providerDeclaration.kinds.find((declaration) => declaration.kind === kind)?.attributes ?? {}
const table = (text: string) => spelled(attributesOf('Table'), text)
const permission = (text: string) => spelled(attributesOf('SelectPermission'), text)

test('a path in front of a line is in the names of Pulumi, as far as attributes go', () => {
  assert.equal(table('is_enum: must be true or false'), 'isEnum: must be true or false')
  assert.equal(table('column_config["is_enum"].custom_name: no'), 'columnConfig.is_enum.customName: no')
  assert.equal(table('custom_root_fields.select_by_pk.name: no'), 'customRootFields.selectByPk.name: no')
  assert.equal(permission('columns[1]: no'), 'columns[1]: no')
  assert.equal(permission('filter.all_columns["is a"]._eq: no'), 'filter.all_columns["is a"]._eq: no')
})

test('attributes are called so anywhere in a text, on every line', () => {
  assert.equal(
    permission('one of `columns`, `all_columns` must be given\nExisting: all_columns, query_root_fields'),
    'one of `columns`, `allColumns` must be given\nExisting: allColumns, queryRootFields',
  )
  assert.equal(
    permission('come after it (depends_on …), or set adopt_existing.'),
    'come after it (dependsOn …), or set adoptExisting.',
  )
})

test('what stands in double quotes, and what is no attribute, is left as it is', () => {
  assert.equal(permission('column "all_columns" of my_table'), 'column "all_columns" of my_table')
  assert.equal(permission('column "a \\" all_columns" is all_columns'), 'column "a \\" all_columns" is allColumns')
  assert.equal(
    permission('SVC_ALL_COLUMNS and xall_columns and all_columns_too'),
    'SVC_ALL_COLUMNS and xall_columns and all_columns_too',
  )
})
