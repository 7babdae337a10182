import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue, kindNamed, unknown, type Value, type Values } from '../resources/index.ts'
import { samples } from '../resources/samples.fixture.ts'
import { foreignVariableIn, validateInputs } from './validate-inputs.ts'

const check = (name: string, config: Values) => {
  const kind = kindNamed(name)
  assert.ok(kind)
  return validateInputs(kind, config, 'text').map(({ severity, summary, path }) => [severity, summary, path.join('.')])
}

const all = samples('postgres://u:p@localhost/d')
const base = (kind: string): Values => all.find((sample) => sample.kind === kind)?.base ?? {}

test('all samples are valid, with any of their values unknown too', () => {
  for (const { kind, base: values, changes } of all) {
    assert.deepEqual(check(kind, values), [])
    for (const [name, patch] of Object.entries(changes)) {
      assert.deepEqual(check(kind, { ...values, ...patch }), [], `${kind}.${name}`)
      assert.deepEqual(check(kind, { ...values, ...patch, [name]: unknown }), [], `${kind}.${name} unknown`)
    }
  }
})

test('of everything that is unknown nothing is said', () => {
  for (const { kind, fields } of catalogue)
    assert.deepEqual(check(kind, Object.fromEntries(fields.map(({ name }) => [name, unknown]))), [], kind)
})

test('each mistake stands at its attribute', () => {
  const permission = base('SelectPermission')
  assert.deepEqual(check('SelectPermission', { ...permission, role: null }), [['error', 'role: is required', 'role']])
  assert.deepEqual(check('SelectPermission', { ...permission, role: '' }), [
    ['error', 'role: must not be empty', 'role'],
  ])
  assert.deepEqual(check('SelectPermission', { ...permission, limit: 'many' }), [
    ['error', 'limit: must be a whole number', 'limit'],
  ])
  assert.deepEqual(check('SelectPermission', { ...permission, limit: -1 }), [
    ['error', 'limit: must not be negative', 'limit'],
  ])
  assert.deepEqual(check('SelectPermission', { ...permission, query_root_fields: ['selekt'] }), [
    ['error', 'query_root_fields[0]: must be one of select, select_by_pk, select_aggregate', 'query_root_fields'],
  ])
  assert.deepEqual(check('SelectPermission', { ...permission, filtre: '{}' }), [
    ['error', 'filtre: there is no such attribute', ''],
  ])
  assert.deepEqual(check('SelectPermission', { ...permission, table: { schema: 'public' } }), [
    ['error', 'table.name: is required', 'table.name'],
  ])
})

test('of several ways to say it exactly one is taken', () => {
  const permission = base('SelectPermission')
  assert.deepEqual(check('SelectPermission', { ...permission, all_columns: true }), [
    ['error', 'all_columns: only one of `columns`, `all_columns` may be given', 'all_columns'],
  ])
  assert.deepEqual(check('SelectPermission', { ...permission, columns: null }), [
    ['error', 'one of `columns`, `all_columns` must be given', ''],
  ])
  assert.deepEqual(check('SelectPermission', { ...permission, columns: null, all_columns: unknown }), [])
  assert.deepEqual(check('SelectPermission', { ...permission, columns: [] }), [])
})

test('JSON is read, and checked as the engine would', () => {
  const permission = base('SelectPermission')
  const [[, text, path] = []] = check('SelectPermission', { ...permission, filter: '{"a":' })
  assert.match(text ?? '', /^filter: is not JSON: /)
  assert.equal(path, 'filter')
  assert.deepEqual(check('SelectPermission', { ...permission, filter: '{"_or":{"a":1}}' }), [
    ['error', 'filter._or: expected list', 'filter'],
  ])
  assert.deepEqual(check('SelectPermission', { ...permission, filter: '[]' }), [
    ['error', 'filter: expected object', 'filter'],
  ])
})

test("the engine's own rules reach attributes that it spells differently", () => {
  const table = base('Table')
  const twice = { select: { name: 'x' }, select_by_pk: { name: 'x' } }
  assert.deepEqual(check('Table', { ...table, custom_root_fields: twice }), [
    ['error', 'custom_root_fields: the following custom root field names are duplicated: x', 'custom_root_fields'],
  ])
})

test('a mistake below what the metadata nests otherwise stands where it was written', () => {
  const model = base('LogicalModel')
  const both = [
    { name: 'a', scalar: 'text' },
    { name: 'b', scalar: 'text', logical_model: 'c', array: true },
  ]
  assert.deepEqual(check('LogicalModel', { ...model, fields: both }), [
    ['error', 'fields[1]: only one of scalar, logical_model, array should be present', 'fields.1'],
  ])
  const query = base('NativeQuery')
  const leading = { name: 'a', remote_table: { name: 't' }, remote_native_query: 'q', column_mapping: { id: 'id' } }
  assert.deepEqual(check('NativeQuery', { ...query, array_relationships: [leading] }), [
    [
      'error',
      'array_relationships[0]: only one of remote_table, remote_native_query should be present',
      'array_relationships.0',
    ],
  ])
})

test('a key of JSON that the engine would keep and never read is an error, with the one that may be meant', () => {
  const inline = (returns_inline: unknown) =>
    check('NativeQuery', {
      ...base('NativeQuery'),
      returns: null,
      returns_inline: JSON.stringify(returns_inline),
      object_relationships: null,
      array_relationships: null,
    })
  const fields = [{ name: 'id', type: { scalar: 'integer' } }]
  assert.deepEqual(inline({ fields }), [])
  assert.deepEqual(inline({ fields: [{ name: 'id', type: 'integer', nullable: true }] }), [])
  assert.deepEqual(inline({ fields: [{ ...fields[0], descripton: 'Its key' }], other: {} }), [
    [
      'error',
      'returns_inline.fields[0].descripton: there is no such key, did you mean "description"?',
      'returns_inline',
    ],
    ['error', 'returns_inline.other: there is no such key; there are fields, select_permissions', 'returns_inline'],
  ])
  const remote = base('RemoteRelationship')
  const leading = (remote_field: unknown) =>
    check('RemoteRelationship', {
      ...remote,
      to_source: null,
      to_remote_schema: { remote_schema: 'crm', lhs_fields: ['id'], remote_field: JSON.stringify(remote_field) },
    })
  assert.deepEqual(leading({ user: { arguments: { id: '$id' }, field: { name: { arguments: {} } } } }), [])
  assert.deepEqual(leading({ user: { arguments: {}, field: { name: { argumets: {} } } } }), [
    [
      'error',
      'to_remote_schema.remote_field.user.field.name.argumets: there is no such key, did you mean "arguments"?',
      'to_remote_schema.remote_field',
    ],
  ])
  // keys of conditions, presets and payloads are the user's own
  assert.deepEqual(check('SelectPermission', { ...base('SelectPermission'), filter: '{"any": {"_eq": 1}}' }), [])
  assert.deepEqual(check('CronTrigger', { ...base('CronTrigger'), payload: '{"any": {"_eq": 1}}' }), [])
})

test('a mistake in a further connection of a source stands where it was written', () => {
  const source = base('Source')
  const url = 'postgres://h/d'
  const ways = '`database_url`, `database_url_from_env`, `database_url_from_file`, `connection_parameters`'
  const replicas = (...read_replicas: readonly Values[]) => check('Source', { ...source, read_replicas })
  assert.deepEqual(replicas({ database_url: url }, { isolation_level: 'serializable' }), [
    ['error', `read_replicas[1]: one of ${ways} must be given`, 'read_replicas.1'],
  ])
  assert.deepEqual(replicas({ database_url: url, database_url_from_env: 'A' }), [
    [
      'error',
      `read_replicas[0].database_url_from_env: only one of ${ways} may be given`,
      'read_replicas.0.database_url_from_env',
    ],
  ])
  assert.deepEqual(replicas(), [['error', 'read_replicas: must not be empty', 'read_replicas']])
  const members = (...connection_set: readonly Values[]) => check('Source', { ...source, connection_set })
  const a = { name: 'a', connection_info: { database_url: url } }
  assert.deepEqual(members(a, a), [
    ['error', 'connection_set: expected members with different names', 'connection_set'],
  ])
  assert.deepEqual(members(a, { name: 'b', connection_info: {} }), [
    ['error', `connection_set[1].connection_info: one of ${ways} must be given`, 'connection_set.1.connection_info'],
  ])
  assert.deepEqual(check('Source', { ...source, connection_template: { version: 2, template: '{{$.default}}' } }), [
    ['error', 'connection_template.version: expected version 1', 'connection_template.version'],
  ])
})

test('a number whose digits would be lost is an error of its attribute only in values of doubles', () => {
  const permission = base('SelectPermission')
  const tooLong = (number: string) =>
    `filter: holds the number ${number}, whose digits this tool does not carry: give it as text, "…", or the whole value as text of JSON`
  for (const number of ['9007199254740993', '-9223372036854775808', '0.12345678901234567890'])
    assert.deepEqual(check('SelectPermission', { ...permission, filter: `{"$or": [{"id": {"_gt": ${number}}}]}` }), [])
  const kind = kindNamed('SelectPermission')
  assert.ok(kind)
  // a double of 2^53 may have been 2^53 + 1
  const inFilter = (filter: Value) =>
    validateInputs(kind, { ...permission, filter }, 'doubles').map(({ summary }) => summary)
  const inValue = (id: number | string) => inFilter({ id: { _gt: id } })
  assert.deepEqual(inValue(2 ** 53), [tooLong('9007199254740992')])
  assert.deepEqual(inValue(2 ** 53 - 1), [])
  assert.deepEqual(inValue('9007199254740993'), [])
  assert.deepEqual(inFilter('{"id": {"_gt": 9007199254740993}}'), [])
  assert.deepEqual(check('SelectPermission', { ...permission, filter: '{"id": {"_gt": "9007199254740993"}}' }), [])
})

test("another engine's session variable is an error of its attribute, with the remedy, where the engine does not take it", () => {
  const kind = kindNamed('SelectPermission')
  assert.ok(kind)
  const foreignIn = (filter: string) => foreignVariableIn(kind, { ...base('SelectPermission'), filter }, 'text')
  const found = foreignIn('{"$or": [{"owner": {"_neq": "x-hasura-User-Id"}}]}')
  assert.equal(found?.variable.text, 'x-hasura-User-Id')
  assert.deepEqual(
    [found?.diagnostic.severity, found?.diagnostic.summary, found?.diagnostic.path],
    [
      'error',
      'filter._or[0].owner._neq: "x-hasura-User-Id" is literal text to this engine, no session variable: write "X-Svc-User-Id"',
      ['filter'],
    ],
  )
  assert.equal(foreignIn('{"owner": {"_eq": "X-Svc-User-Id"}}'), null)
})
