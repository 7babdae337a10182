/** What roles may do with tables. */
import { type KindSample, named } from './kind-sample.fixture.ts'
import { given, none } from './write-only-samples.fixture.ts'

const filter = { owner: { _eq: 'X-Svc-User-Id' }, _or: [{ id: { _gt: 1 } }] }

export const selectPermission: KindSample = {
  kind: 'SelectPermission',
  base: {
    source: 'default',
    table: named('artist'),
    role: 'user',
    columns: ['id', 'name'],
    all_columns: false,
    computed_fields: null,
    filter: JSON.stringify(filter),
    limit: 100,
    allow_aggregations: true,
    query_root_fields: ['select', 'select_by_pk'],
    subscription_root_fields: ['select'],
    comment: 'Their own',
  },
  changes: {
    source: { source: 'twin' },
    table: { table: named('album'), columns: ['id'], filter: '{}' },
    role: { role: 'guest' },
    columns: { columns: ['id', 'owner'] },
    all_columns: { columns: null, all_columns: true },
    computed_fields: { computed_fields: ['label'] },
    filter: { filter: '{"name":{"_is_null":false}}' },
    limit: { limit: null },
    allow_aggregations: { allow_aggregations: false },
    query_root_fields: { query_root_fields: [] },
    subscription_root_fields: { subscription_root_fields: null },
    comment: { comment: 'All of them' },
  },
  respelled: [
    { source: null, all_columns: null, table: { name: 'artist' } },
    { columns: ['name', 'id', 'name'] },
    { filter: JSON.stringify(filter, null, 2) },
    { filter: JSON.stringify({ $or: [{ id: { _gt: 1 } }], owner: { _eq: 'X-Svc-User-Id' } }) },
    { query_root_fields: ['select_by_pk', 'select'] },
  ],
}

const inputValidation = { url: 'http://localhost:1/check', headers: null, timeout: 5, forward_client_headers: true }

export const insertPermission: KindSample = {
  kind: 'InsertPermission',
  base: {
    source: 'default',
    table: named('artist'),
    role: 'user',
    columns: ['id', 'name'],
    all_columns: false,
    check: JSON.stringify(filter),
    set: JSON.stringify({ owner: 'X-Svc-User-Id' }),
    backend_only: true,
    validate_input: inputValidation,
    ...none('validate_input_headers'),
    comment: 'Their own',
  },
  changes: {
    source: { source: 'twin' },
    table: { table: named('album'), columns: ['id'], check: '{}', set: null },
    role: { role: 'guest' },
    columns: { columns: ['id'] },
    all_columns: { columns: null, all_columns: true },
    check: { check: '{"name":{"_is_null":false}}' },
    set: { set: '{"owner":"nobody"}' },
    backend_only: { backend_only: false },
    validate_input: {
      validate_input: {
        url: 'http://localhost:1/check',
        headers: [
          { name: 'x-who', value: 'the provider', value_from_env: null },
          { name: 'x-key', value: null, value_from_env: 'SVC_TEST_OTHER_URL' },
        ],
      },
    },
    ...given('validate_input_headers'),
    comment: { comment: 'All of them' },
  },
  respelled: [
    { source: null, all_columns: null, table: { name: 'artist' } },
    { columns: ['name', 'id', 'name'] },
    { check: JSON.stringify(filter, null, 2) },
    { set: '{ "owner": "X-Svc-User-Id" }' },
  ],
}

export const updatePermission: KindSample = {
  kind: 'UpdatePermission',
  base: { ...insertPermission.base, filter: JSON.stringify(filter), check: '{"name":{"_is_null":false}}' },
  changes: {
    source: { source: 'twin' },
    table: { table: named('album'), columns: ['id'], filter: '{}', check: null, set: null },
    role: { role: 'guest' },
    columns: { columns: [] },
    all_columns: { columns: null, all_columns: true },
    filter: { filter: '{}' },
    check: { check: null },
    set: { set: null },
    backend_only: { backend_only: null },
    validate_input: { validate_input: null },
    ...given('validate_input_headers'),
    comment: { comment: null },
  },
  respelled: [
    { source: null, all_columns: null, table: { name: 'artist' } },
    { columns: ['name', 'id', 'name'] },
    { filter: JSON.stringify(filter, null, 2) },
  ],
}

export const deletePermission: KindSample = {
  kind: 'DeletePermission',
  base: {
    source: 'default',
    table: named('artist'),
    role: 'user',
    filter: JSON.stringify(filter),
    backend_only: true,
    validate_input: inputValidation,
    ...none('validate_input_headers'),
    comment: 'Their own',
  },
  changes: {
    source: { source: 'twin' },
    table: { table: named('album'), filter: '{}' },
    role: { role: 'guest' },
    filter: { filter: '{}' },
    backend_only: { backend_only: false },
    validate_input: { validate_input: { url: 'http://localhost:1/check' } },
    ...given('validate_input_headers'),
    comment: { comment: null },
  },
  respelled: [{ source: null, table: { name: 'artist' } }, { filter: JSON.stringify(filter, null, 2) }],
}
