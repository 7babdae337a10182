import { type Config, changing, type Makers, without } from './variant.ts'
import { writeOnlyVariants } from './webhook-variants.ts'

export function selectPermissionVariants(): Makers {
  const all: Config = { all_columns: true, filter: '{}' }
  const base = (slot: string): Config => ({ table: { name: slot }, role: 'reader', ...all })
  return {
    source: changing(base, {}, { source: 'second' }),
    'table.schema': (slot) => [base(slot), { ...base(slot), table: { schema: 'other', name: slot } }],
    'table.name': (slot) => [base(slot), { ...base(slot), table: { name: `${slot}_2` } }],
    role: changing(base, {}, { role: 'writer' }),
    columns: changing(base, { all_columns: null, columns: ['id'] }, { all_columns: null, columns: ['note', 'id'] }),
    all_columns: changing(base, { all_columns: true }, { all_columns: null, columns: ['id'] }),
    computed_fields: changing(base, { computed_fields: [] }, { computed_fields: ['note_of'] }),
    filter: changing(
      base,
      { filter: JSON.stringify({ id: { _eq: 1 } }) },
      { filter: JSON.stringify({ _and: [{ id: { _gt: 1 } }, { note: { _is_null: false } }] }) },
    ),
    limit: changing(base, { limit: 5 }, { limit: 6 }),
    allow_aggregations: changing(base, {}, { allow_aggregations: true }),
    query_root_fields: changing(
      base,
      { query_root_fields: ['select'] },
      { query_root_fields: ['select_by_pk', 'select'] },
    ),
    subscription_root_fields: changing(
      base,
      { subscription_root_fields: [] },
      { subscription_root_fields: ['select_stream'] },
    ),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

/** `all`: the attributes that the kind has in addition to those that every permission to write has. */
export function writePermissionVariants(all: Config): Makers {
  const base = (slot: string): Config => ({ table: { name: slot }, role: 'reader', ...all })
  const condition = (name: string): Makers =>
    name in all
      ? {
          [name]: changing(
            base,
            { [name]: JSON.stringify({ id: { _eq: 1 } }) },
            { [name]: JSON.stringify({ _and: [{ id: { _gt: 1 } }, { note: { _is_null: false } }] }) },
          ),
        }
      : {}
  const url = 'http://localhost:1/check'
  const validation = (attribute: string, from: Config, to: Config) => ({
    [`validate_input.${attribute}`]: changing(
      base,
      { validate_input: { url, ...from } },
      { validate_input: { url, ...to } },
    ),
  })
  const header = (attribute: string, from: Config, to: Config) =>
    validation(
      `headers.*.${attribute}`,
      { headers: [without({ name: 'x-key', value: 'a', ...from })] },
      { headers: [without({ name: 'x-key', value: 'a', ...to })] },
    )
  const columns: Makers =
    'all_columns' in all
      ? {
          columns: changing(
            base,
            { all_columns: null, columns: ['id'] },
            { all_columns: null, columns: ['other_id', 'id'] },
          ),
          all_columns: changing(base, {}, { all_columns: null, columns: ['id'] }),
          set: changing(base, { set: '{"note":"a"}' }, { set: '{"note":"X-Svc-User-Id"}' }),
        }
      : {}
  return {
    source: changing(base, {}, { source: 'second' }),
    'table.schema': (slot) => [base(slot), { ...base(slot), table: { schema: 'other', name: slot } }],
    'table.name': (slot) => [base(slot), { ...base(slot), table: { name: `${slot}_2` } }],
    role: changing(base, {}, { role: 'writer' }),
    ...columns,
    ...condition('filter'),
    ...condition('check'),
    backend_only: changing(base, {}, { backend_only: true }),
    ...validation('url', {}, { url: 'http://localhost:1/other' }),
    ...header('name', {}, { name: 'x-other' }),
    ...header('value', {}, { value: 'b' }),
    ...header(
      'value_from_env',
      { value: null, value_from_env: 'SVC_TEST_URL_A' },
      { value: null, value_from_env: 'SVC_TEST_URL_B' },
    ),
    ...validation('timeout', { timeout: 5 }, { timeout: 6 }),
    ...writeOnlyVariants(base, 'validate_input_headers', { validate_input: { url } }),
    ...validation('forward_client_headers', {}, { forward_client_headers: true }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

/** The roles reader and writer have permissions. */
export function inheritedRoleVariants(): Makers {
  const base = (slot: string): Config => ({ role_name: slot, role_set: ['reader'] })
  return {
    role_name: (slot) => [base(slot), { ...base(slot), role_name: `${slot}_2` }],
    role_set: changing(base, {}, { role_set: ['reader', 'writer'] }),
  }
}
