import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDepth, decode, type NameStyle, type ObjectType, objectSchemas } from './index.ts'

const read = (type: ObjectType, json: unknown, style: NameStyle = 'public') => decode(objectSchemas(style)[type], json)

const canonical = (type: ObjectType, json: unknown, style?: NameStyle) => {
  const decoded = read(type, json, style)
  assert.ok(decoded.ok, decoded.ok ? '' : JSON.stringify(decoded.issue))
  return decoded.value
}

const messageOf = (type: ObjectType, json: unknown, style?: NameStyle) => {
  const decoded = read(type, json, style)
  assert.ok(!decoded.ok)
  return `${decoded.issue.path.join('.')}: ${decoded.issue.message}`
}

test('names get the default schema of their kind, BigQuery has none', () => {
  assert.deepEqual(canonical('table', { table: 'a' }), { table: { name: 'a', schema: 'public' } })
  assert.deepEqual(canonical('table', { table: 'a' }, 'dbo'), { table: { name: 'a', schema: 'dbo' } })
  assert.deepEqual(canonical('table', { table: { dataset: 'd', name: 'a' } }, 'dataset'), {
    table: { dataset: 'd', name: 'a' },
  })
  assert.match(messageOf('table', { table: 'a' }, 'dataset'), /^table: expected object/)
})

test('connectives are spelt with an underscore at every level, operators and their values remain', () => {
  const filter = {
    $or: [{ artist: { $not: { id: { $eq: 1 } } } }, { data: { _contains: { $and: 1 } } }, { id: 'X-Svc-Id' }],
  }
  assert.deepEqual(canonical('select_permission', { role: 'u', permission: { columns: '*', filter } }), {
    role: 'u',
    permission: {
      columns: '*',
      filter: {
        _or: [{ artist: { _not: { id: { $eq: 1 } } } }, { data: { _contains: { $and: 1 } } }, { id: 'X-Svc-Id' }],
      },
    },
  })
})

test('of a connective in both spellings nothing is lost', () => {
  const isRead = (given: unknown, filter: unknown) =>
    assert.deepEqual(canonical('select_permission', { role: 'u', permission: { columns: '*', filter: given } }), {
      role: 'u',
      permission: { columns: '*', filter },
    })
  const exists = (name: string) => ({ _table: { name, schema: 'public' }, _where: {} })
  isRead(
    { _exists: exists('a'), $exists: exists('b'), id: 1 },
    { _and: [{ _exists: exists('a') }, { _exists: exists('b') }], id: 1 },
  )
  isRead(
    { _and: [{ id: 1 }], $and: [{ id: 2 }], $or: [], _or: [{ id: 3 }], $not: { id: 4 } },
    { _and: [{ id: 1 }, { id: 2 }, { _or: [] }, { _or: [{ id: 3 }] }], _not: { id: 4 } },
  )
  isRead(
    { _exists: { _table: 'a', _where: { id: 1 }, $where: { id: 2 } } },
    { _exists: { _table: { name: 'a', schema: 'public' }, _where: { _and: [{ id: 1 }, { id: 2 }] } } },
  )
  isRead(
    { artist: { _not: { id: 1 }, $not: { id: 2 } } },
    { artist: { _and: [{ _not: { id: 1 } }, { _not: { id: 2 } }] } },
  )
})

test('a foreign key is one text, a list, or the other table with its columns', () => {
  const using = (value: unknown) => ({ name: 'r', using: { foreign_key_constraint_on: value } })
  assert.deepEqual(canonical('object_relation', using(['a'])), using('a'))
  assert.deepEqual(canonical('object_relation', using(['a', 'b'])), using(['a', 'b']))
  const other = { name: 't', schema: 'public' }
  assert.deepEqual(
    canonical('array_relation', using({ table: 't', columns: ['a'] })),
    using({ table: other, column: 'a' }),
  )
  assert.deepEqual(
    canonical('array_relation', using({ column: 'a', table: 't' })),
    using({ table: other, column: 'a' }),
  )
  assert.equal(
    messageOf('array_relation', using('a')),
    'using.foreign_key_constraint_on: expected object, encountered string',
  )
  assert.match(messageOf('object_relation', { name: 'r', using: {} }), /^using: atleast one of/)
  const both = {
    foreign_key_constraint_on: 'a',
    manual_configuration: { remote_table: 't', column_mapping: { a: 'b' } },
  }
  assert.match(messageOf('object_relation', { name: 'r', using: both }), /^using: only one of/)
})

test('a comment that is empty differs from none in a table configuration', () => {
  const configured = canonical('table', { table: 'a', configuration: { comment: '' } })
  assert.deepEqual(configured.configuration, {
    column_config: {},
    comment: '',
    custom_column_names: {},
    custom_root_fields: {},
  })
  assert.deepEqual(canonical('table', { table: 'a', configuration: { comment: null } }), {
    table: { name: 'a', schema: 'public' },
  })
})

test('column_config wins over custom_column_names, both are exported', () => {
  const { configuration } = canonical('table', {
    table: 'a',
    configuration: { custom_column_names: { x: 'older', y: 'why' }, column_config: { x: { custom_name: 'newer' } } },
  })
  assert.deepEqual(configuration, {
    column_config: { x: { custom_name: 'newer' }, y: { custom_name: 'why' } },
    custom_column_names: { x: 'newer', y: 'why' },
    custom_root_fields: {},
  })
})

test('two root fields of one name are refused', () => {
  const configuration = { custom_root_fields: { select: 'q', insert: { name: 'q' } } }
  assert.equal(
    messageOf('table', { table: 'a', configuration }),
    'configuration.custom_root_fields: the following custom root field names are duplicated: q',
  )
})

test('an update permission always has a check, empty lists of root fields remain', () => {
  assert.deepEqual(canonical('update_permission', { role: 'u', permission: { columns: [], filter: {} } }), {
    role: 'u',
    permission: { columns: [], filter: {}, check: null },
  })
  const permission = { columns: [], filter: {}, query_root_fields: [] }
  assert.deepEqual(canonical('select_permission', { role: 'u', permission }).permission, permission)
})

test('a retry without a limit of time differs from one by default', () => {
  const trigger = { name: 't', definition: { enable_manual: true }, webhook: 'x' }
  assert.deepEqual(canonical('event_trigger', { ...trigger, retry_conf: {} }).retry_conf, {
    num_retries: 0,
    interval_sec: 10,
    timeout_sec: 60,
  })
  assert.deepEqual(canonical('event_trigger', { ...trigger, retry_conf: { timeout_sec: null } }).retry_conf, {
    num_retries: 0,
    interval_sec: 10,
    timeout_sec: null,
  })
})

test("a header from the engine's own settings is refused", () => {
  const definition = { url: 'x', headers: [{ name: 'a', value_from_env: 'SVC_GRAPHQL_ADMIN_SECRET' }] }
  assert.match(
    messageOf('remote_schema', { name: 'r', definition }),
    /^definition.headers.0: env variables starting with "SVC_GRAPHQL_" .*: SVC_GRAPHQL_ADMIN_SECRET$/,
  )
})

test('a query has no kind and a mutation always has one', () => {
  const definition = { handler: 'h', output_type: 'T' }
  assert.equal(
    'kind' in
      (canonical('action', { name: 'a', definition: { ...definition, type: 'query', kind: 'synchronous' } })
        .definition as object),
    false,
  )
  assert.equal((canonical('action', { name: 'a', definition }).definition as { kind: string }).kind, 'synchronous')
})

test('a remote relationship says where it leads', () => {
  const definition = { remote_schema: 's', svc_fields: ['a'], remote_field: { f: { arguments: {} } } }
  assert.deepEqual(canonical('remote_relationship', { name: 'r', definition }), { name: 'r', definition })
  assert.match(messageOf('remote_relationship', { name: 'r', definition: {} }), /^definition: atleast one of to_source/)
})

test('checkDepth reports where a value is too deep', () => {
  assert.equal(checkDepth({ a: [1, { b: 2 }] }, 3), null)
  assert.deepEqual(checkDepth({ x: 1, a: [1, { b: [2] }] }, 3), ['a', 1, 'b'])
})

test('a column may be called like a method of objects', () => {
  const configuration = {
    custom_column_names: { constructor: 'builder' },
    column_config: { toString: { comment: 'c' } },
  }
  assert.deepEqual(canonical('table', { table: 'a', configuration }).configuration, {
    column_config: { constructor: { custom_name: 'builder' }, toString: { comment: 'c' } },
    custom_column_names: { constructor: 'builder' },
    custom_root_fields: {},
  })
})
