import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createSelectPermissionArgs,
  decode,
  dropRelationshipArgs,
  envelope,
  insertRowsArgs,
  parseExactly,
  reloadMetadataArgs,
  replaceMetadataArgs,
  type Schema,
  setPermissionCommentArgs,
  setTableCustomFieldsArgs,
  setTableCustomizationArgs,
  sourceConfiguration,
  trackTablesArgs,
  trackTableVersion1Args,
  updateSourceArgs,
} from './index.ts'

const read = (schema: Schema<unknown>, json: unknown) => {
  const decoded = decode(schema, json)
  assert.ok(decoded.ok, decoded.ok ? '' : JSON.stringify(decoded.issue))
  return decoded.value
}

const issueOf = (schema: Schema<unknown>, json: unknown) => {
  const decoded = decode(schema, json)
  assert.ok(!decoded.ok)
  return decoded.issue
}

const table = { name: 'a', schema: 'public' }

test('a number that keeps its digits is no object, also where all keys of one are optional', () => {
  const number = parseExactly('9007199254740993')
  const message = 'expected object, encountered the number 9007199254740993'
  const connection_info = { database_url: 'postgres://h/d' }
  const source = sourceConfiguration('postgres')
  assert.deepEqual(issueOf(source, { connection_info: { ...connection_info, pool_settings: number } }), {
    path: ['connection_info', 'pool_settings'],
    message,
  })
  assert.deepEqual(issueOf(source, number), { path: [], message })
  const custom = (configuration: unknown) => issueOf(setTableCustomizationArgs('public'), { table: 'a', configuration })
  assert.deepEqual(custom(number), { path: ['configuration'], message })
  for (const key of ['custom_root_fields', 'column_config', 'custom_column_names'])
    assert.deepEqual(custom({ [key]: number }), { path: ['configuration', key], message })
})

test('a missing key is reported at the object that lacks it, a wrong one at itself', () => {
  const args = createSelectPermissionArgs('public')
  const cases: readonly (readonly [unknown, readonly (string | number)[], string])[] = [
    [{}, [], 'key "table" not found'],
    [5, [], 'expected object, encountered number'],
    [null, [], 'expected object, encountered null'],
    [{ table: 'a', role: 1 }, ['role'], 'expected string, encountered number'],
    [{ table: 'a', role: 'u' }, [], 'key "permission" not found'],
    [{ table: 'a', role: 'u', permission: {} }, ['permission'], 'key "columns" not found'],
    [
      { table: 'a', role: 'u', permission: { columns: 'x', filter: {} } },
      ['permission', 'columns'],
      'expected "*", encountered "x"',
    ],
    [
      { table: 'a', role: 'u', permission: { columns: [1], filter: {} } },
      ['permission', 'columns', 0],
      'expected string, encountered number',
    ],
    [
      { table: 'a', role: 'u', permission: { columns: [], filter: { _and: 1 } } },
      ['permission', 'filter', '_and'],
      'expected list',
    ],
    [
      { table: 'a', role: 'u', permission: { columns: [], filter: {}, limit: 1.5 } },
      ['permission', 'limit'],
      'expected integer, encountered number',
    ],
    [{ table: { schema: 's' }, role: 'u', permission: { columns: [], filter: {} } }, ['table'], 'key "name" not found'],
  ]
  for (const [json, path, message] of cases) assert.deepEqual(issueOf(args, json), { path, message })
})

test('the path given travels in front', () => {
  const decoded = decode(envelope, { args: {} }, ['args', 0])
  assert.deepEqual(decoded, { ok: false, issue: { path: ['args', 0], message: 'key "type" not found' } })
})

test('the envelope takes version 1 and 2 and both forms of dry_run', () => {
  assert.deepEqual(read(envelope, { type: 'x' }), { type: 'x', version: 1 })
  assert.deepEqual(read(envelope, { type: 'x', args: null, version: 2, dry_run: false }), {
    type: 'x',
    version: 2,
    args: null,
  })
  assert.deepEqual(read(envelope, { type: 'x', dry_run: true }), { type: 'x', version: 1, dry_run: true })
  const plan = '6f5902ac-237b-4c54-8f5a-6a9f3b6f1f3a'
  assert.deepEqual(read(envelope, { type: 'x', dry_run: { plan } }), { type: 'x', version: 1, dry_run: { plan } })
  assert.deepEqual(issueOf(envelope, { type: 'x', version: 3 }), {
    path: ['version'],
    message: 'expected 1 or 2, encountered 3',
  })
  assert.deepEqual(issueOf(envelope, { type: 'x', resource_version: '3' }).path, ['resource_version'])
})

test('track_table of version 1 takes a name, {schema, name} and {table, is_enum}', () => {
  assert.deepEqual(read(trackTableVersion1Args, 'a'), { source: 'default', table })
  assert.deepEqual(read(trackTableVersion1Args, { name: 'a', schema: 'b', is_enum: true }), {
    source: 'default',
    table: { name: 'a', schema: 'b' },
    is_enum: true,
  })
  assert.deepEqual(read(trackTableVersion1Args, { table: 'a', is_enum: true }), {
    source: 'default',
    table,
    is_enum: true,
  })
})

test('track_tables takes names and args side by side', () => {
  assert.deepEqual(read(trackTablesArgs('public'), { tables: ['a', { table: 'a', source: 's', configuration: {} }] }), {
    tables: [
      { source: 'default', table },
      { source: 's', table },
    ],
    allow_warnings: true,
  })
})

test('the spellings of reference/metadata-document#both-spellings are accepted', () => {
  assert.deepEqual(read(dropRelationshipArgs('public'), { table: 'a', name: 'r' }), {
    source: 'default',
    table,
    relationship: 'r',
    cascade: false,
  })
  assert.deepEqual(read(dropRelationshipArgs('public'), { table: 'a', relationship: 'r', name: 'other' }), {
    source: 'default',
    table,
    relationship: 'r',
    cascade: false,
  })
  assert.deepEqual(
    read(setPermissionCommentArgs('public'), { table: 'a', role: 'r', permission: 'select', comment: 'c' }),
    {
      source: 'default',
      table,
      role: 'r',
      type: 'select',
      comment: 'c',
    },
  )
  assert.deepEqual(read(setTableCustomizationArgs('public'), { table: 'a' }), {
    source: 'default',
    table,
    configuration: { column_config: {}, custom_column_names: {}, custom_root_fields: {} },
  })
  assert.deepEqual(read(setTableCustomFieldsArgs('public'), { table: 'a', custom_column_names: { x: 'y' } }), {
    source: 'default',
    table,
    custom_root_fields: {},
    column_config: { x: { custom_name: 'y' } },
    custom_column_names: { x: 'y' },
  })
})

test('an update of a source distinguishes an emptied customization from an absent one', () => {
  assert.deepEqual(read(updateSourceArgs(sourceConfiguration('pg')), { name: 'a' }), { name: 'a' })
  assert.deepEqual(read(updateSourceArgs(sourceConfiguration('pg')), { name: 'a', customization: {} }), {
    name: 'a',
    customization: null,
  })
})

test('replace_metadata is recognised by the key metadata unless the envelope says 2', () => {
  assert.deepEqual(read(replaceMetadataArgs(1), { version: 3, sources: [] }), {
    version: 1,
    allow_inconsistent_metadata: false,
    allow_warnings: true,
    metadata: { version: 3, sources: [] },
    metadataPath: [],
  })
  assert.deepEqual(read(replaceMetadataArgs(1), { metadata: {}, allow_inconsistent_metadata: true }), {
    version: 2,
    allow_inconsistent_metadata: true,
    allow_warnings: true,
    metadata: {},
    metadataPath: ['metadata'],
  })
  assert.deepEqual(issueOf(replaceMetadataArgs(2), {}), { path: [], message: 'key "metadata" not found' })
})

test('reload_metadata reloads everything when nothing is said', () => {
  assert.deepEqual(read(reloadMetadataArgs, {}), {
    reload_remote_schemas: true,
    reload_sources: true,
    recreate_event_triggers: false,
    reload_data_connectors: true,
  })
})

test('rows to insert keep the order of their keys', () => {
  const args = { table: 'a', objects: [{ z: 1, b: { z: 1, a: 2 } }] }
  assert.equal(
    JSON.stringify(read(insertRowsArgs, args)),
    '{"source":"default","table":{"name":"a","schema":"public"},"objects":[{"z":1,"b":{"z":1,"a":2}}]}',
  )
  assert.deepEqual(issueOf(insertRowsArgs, { table: 'a', objects: [] }).path, ['objects'])
})

test('a value that is none of the allowed ones is shown together with all of them, long ones in part', () => {
  const connection_info = { database_url: 'postgres://h/d' }
  const read = (isolation_level: unknown) =>
    issueOf(sourceConfiguration('postgres'), { connection_info: { ...connection_info, isolation_level } })
  const allowed = 'expected "read-committed" or "repeatable-read" or "serializable"'
  const path = ['connection_info', 'isolation_level']
  assert.deepEqual(read('dirty'), { path, message: `${allowed}, encountered "dirty"` })
  assert.deepEqual(read({}), { path, message: `${allowed}, encountered object` })
  assert.deepEqual(read('x'.repeat(100)), { path, message: `${allowed}, encountered "${'x'.repeat(79)}…` })
})
