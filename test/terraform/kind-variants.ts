/**
 * For every attribute of every kind a pair of configurations that differ in it alone. A test fails when a declaration
 * has an attribute, at any depth, that is missing here.
 */
import { type Attributes, catalogue, FORCE_DESTROY, kindNamed } from '../../provider/src/resources/index.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type Config = { readonly [name: string]: Json }

export interface Variant {
  /** `SelectPermission` */
  readonly kind: string
  /** `pool_settings.retries`, `column_config.*.comment`; none: the object as a whole. */
  readonly attribute: string
  readonly from: Config
  readonly to: Config
}

/** Where things are that the configurations speak of. */
export interface Surroundings {
  readonly databaseUrl: string
  /** Files that hold the address of the database. */
  readonly urlFiles: readonly [string, string]
  /** Variables of the engine's environment that hold it. */
  readonly urlVariables: readonly [string, string]
  /** Another port of this machine behind which the same database is. */
  readonly otherPort: number
  /** Two with the same password, and one whose password becomes `changed`. */
  readonly users: { readonly same: readonly [string, string]; readonly other: string; readonly password: string }
  /** A GraphQL server with the schema of the samples. */
  readonly remoteUrl: string
}

/** A name that makes a table, a source or a relationship of the variant's own. */
export const slotOf = (attribute: string) => attribute.replaceAll('*', 'each').replaceAll('.', '_')

export const variantsOf = (kind: string, around: Surroundings): readonly Variant[] => {
  const make = makers[kind]
  if (!make) throw new Error(`kind-variants.ts has none of ${kind}`)
  return Object.entries(withConsent(kind, make(around))).map(([attribute, configs]) => {
    const [from, to] = configs(slotOf(`${kind.toLowerCase()}_${attribute}`))
    return { kind, attribute, from, to }
  })
}

/** Every kind in which others lie has it. */
function withConsent(kind: string, own: Makers): Makers {
  const [first] = Object.values(own)
  if (!first || !kindNamed(kind)?.attributes[FORCE_DESTROY]) return own
  return { ...own, [FORCE_DESTROY]: changing((slot) => first(slot)[0], {}, { [FORCE_DESTROY]: true }) }
}

type Pair = readonly [Config, Config]
type Makers = Readonly<Record<string, (slot: string) => Pair>>

/** The same configuration but for one attribute. */
const changing =
  (base: (slot: string) => Config, from: Config, to: Config) =>
  (slot: string): Pair => {
    const common = base(slot)
    return [without({ ...common, ...from }), without({ ...common, ...to })]
  }

/** A null takes an attribute of the base away. */
const without = (config: Config): Config =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null))

const makers: Readonly<Record<string, (around: Surroundings) => Makers>> = {
  Source: sourceVariants,
  Table: tableVariants,
  ObjectRelationship: objectRelationshipVariants,
  ArrayRelationship: arrayRelationshipVariants,
  SelectPermission: selectPermissionVariants,
  InsertPermission: () => writePermissionVariants({ all_columns: true, check: '{}' }),
  UpdatePermission: () => writePermissionVariants({ all_columns: true, filter: '{}', check: '{}' }),
  DeletePermission: () => writePermissionVariants({ filter: '{}' }),
  ComputedField: computedFieldVariants,
  Function: functionVariants,
  FunctionPermission: functionPermissionVariants,
  InheritedRole: inheritedRoleVariants,
  LogicalModel: logicalModelVariants,
  LogicalModelPermission: logicalModelPermissionVariants,
  NativeQuery: nativeQueryVariants,
  QueryCollection: queryCollectionVariants,
  AllowlistEntry: allowlistEntryVariants,
  RestEndpoint: restEndpointVariants,
  EventTrigger: eventTriggerVariants,
  CronTrigger: cronTriggerVariants,
  CustomTypes: customTypesVariants,
  CustomType: customTypeVariants,
  Action: actionVariants,
  ActionPermission: actionPermissionVariants,
  ApiLimits: apiLimitsVariants,
  MetricsConfig: metricsConfigVariants,
  IntrospectionOptions: introspectionOptionsVariants,
  OpenTelemetry: openTelemetryVariants,
  TlsAllowlistEntry: tlsAllowlistEntryVariants,
  RemoteSchema: remoteSchemaVariants,
  RemoteSchemaPermission: remoteSchemaPermissionVariants,
  RemoteRelationship: remoteRelationshipVariants,
  RemoteTypeRelationship: remoteTypeRelationshipVariants,
}

function sourceVariants({ databaseUrl, urlFiles, urlVariables, users, otherPort }: Surroundings): Makers {
  const url = new URL(databaseUrl)
  const withUrl = (name: string): Config => ({ name, database_url: databaseUrl })
  const named = (name: string): Config => ({ name })
  const parameters = {
    username: users.same[0],
    password: users.password,
    host: url.hostname,
    port: Number(url.port),
    database: url.pathname.slice(1),
  }
  const field = (attribute: string, from: Json, to: Json) => {
    const [head = '', ...inner] = attribute.split('.')
    return { [attribute]: changing(withUrl, { [head]: nest(inner, from) }, { [head]: nest(inner, to) }) }
  }
  const parameter = (name: string, value: Json) => ({
    [`connection_parameters.${name}`]: changing(
      named,
      { connection_parameters: parameters },
      { connection_parameters: { ...parameters, [name]: value } },
    ),
  })
  const pool = (name: string) => field(`pool_settings.${name}`, 2, 3)
  const check = { interval: 60 }
  const checked = (name: string, from: Json, to: Json) => ({
    [`health_check.${name}`]: changing(
      withUrl,
      { health_check: { ...check, ...(nest(name.split('.'), from) as Config) } },
      { health_check: { ...check, ...(nest(name.split('.'), to) as Config) } },
    ),
  })
  const ssl = (name: string) => ({
    [`ssl_configuration.${name}.from_env`]: changing(
      withUrl,
      { ssl_configuration: { sslmode: 'disable' } },
      { ssl_configuration: { sslmode: 'disable', [name]: { from_env: 'SVC_TEST_EMPTY' } } },
    ),
  })
  return {
    name: (slot) => [withUrl(slot), withUrl(`${slot}_2`)],
    database_url: changing(named, { database_url: databaseUrl }, { database_url: `${databaseUrl}?application_name=b` }),
    database_url_from_env: changing(
      named,
      { database_url_from_env: urlVariables[0] },
      { database_url_from_env: urlVariables[1] },
    ),
    database_url_from_file: changing(
      named,
      { database_url_from_file: urlFiles[0] },
      { database_url_from_file: urlFiles[1] },
    ),
    ...parameter('username', users.same[1]),
    'connection_parameters.password': changing(
      named,
      { connection_parameters: { ...parameters, username: users.other } },
      { connection_parameters: { ...parameters, username: users.other, password: `${users.password}_changed` } },
    ),
    ...parameter('host', 'localhost'),
    ...parameter('port', otherPort),
    ...parameter('database', 'postgres'),
    database_url_wo: changing(
      named,
      { database_url_wo: databaseUrl, database_url_wo_version: 1 },
      { database_url_wo: `${databaseUrl}?application_name=c`, database_url_wo_version: 2 },
    ),
    database_url_wo_version: changing(
      named,
      { database_url_wo: databaseUrl, database_url_wo_version: 1 },
      { database_url_wo: `${databaseUrl}?application_name=d`, database_url_wo_version: 3 },
    ),
    ...field('isolation_level', 'read-committed', 'serializable'),
    ...pool('max_connections'),
    ...pool('total_max_connections'),
    ...pool('idle_timeout'),
    ...pool('retries'),
    ...pool('pool_timeout'),
    ...pool('connection_lifetime'),
    ...field('ssl_configuration.sslmode', 'disable', 'allow'),
    ...ssl('sslrootcert'),
    ...ssl('sslcert'),
    ...ssl('sslkey'),
    ...ssl('sslpassword'),
    ...field('use_prepared_statements', false, true),
    ...field('read_replicas', null, JSON.stringify([{ database_url: databaseUrl }])),
    ...field('extensions_schema', 'public', 'extensions'),
    ...field('connection_template', null, JSON.stringify({ template: '{{ $.default }}' })),
    ...field('connection_set', null, JSON.stringify([{ name: 'a', connection_info: { database_url: databaseUrl } }])),
    ...field('customization.root_fields.namespace', 'a', 'b'),
    ...field('customization.root_fields.prefix', 'a_', 'b_'),
    ...field('customization.root_fields.suffix', '_a', '_b'),
    ...field('customization.type_names.prefix', 'a_', 'b_'),
    ...field('customization.type_names.suffix', '_a', '_b'),
    ...field('customization.naming_convention', 'svc-default', 'graphql-default'),
    ...checked('test.sql', 'SELECT 1', 'SELECT 2'),
    ...checked('interval', 60, 90),
    ...checked('retries', 3, 4),
    ...checked('retry_interval', 10, 11),
    ...checked('timeout', 10, 12),
  }
}

const nest = (path: readonly string[], value: Json): Json => {
  const [head, ...rest] = path
  return head === undefined ? value : { [head]: nest(rest, value) }
}

function tableVariants(): Makers {
  const base = (slot: string): Config => ({ table: { name: slot } })
  const rootFields = [
    ...['select', 'select_by_pk', 'select_aggregate', 'select_stream', 'insert', 'insert_one'],
    ...['update', 'update_by_pk', 'update_many', 'delete', 'delete_by_pk'],
  ]
  const custom = (field: string, part: string) => ({
    [`custom_root_fields.${field}.${part}`]: (slot: string): Pair => [
      { ...base(slot), custom_root_fields: { [field]: { name: `${slot}_a`, [part]: `${slot}_a` } } },
      { ...base(slot), custom_root_fields: { [field]: { name: `${slot}_a`, [part]: `${slot}_b` } } },
    ],
  })
  return {
    source: changing(base, {}, { source: 'second' }),
    'table.schema': (slot) => [{ table: { name: slot } }, { table: { schema: 'other', name: slot } }],
    'table.name': (slot) => [{ table: { name: slot } }, { table: { name: `${slot}_2` } }],
    is_enum: changing((slot) => ({ table: { name: `enum_${slot}` } }), {}, { is_enum: true }),
    custom_name: changing(base, { custom_name: 'first_name_a' }, { custom_name: 'first_name_b' }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
    ...Object.assign({}, ...rootFields.flatMap((field) => [custom(field, 'name'), custom(field, 'comment')])),
    'column_config.*.custom_name': changing(
      base,
      { column_config: { note: { custom_name: 'a' } } },
      { column_config: { note: { custom_name: 'b' } } },
    ),
    'column_config.*.comment': changing(
      base,
      { column_config: { note: { comment: 'a' } } },
      { column_config: { note: { comment: 'b' }, id: { comment: 'c' } } },
    ),
    'apollo_federation_config.enable': changing(base, {}, { apollo_federation_config: { enable: 'v1' } }),
  }
}

/** Every variant's own table is tracked twice: in both schemas and both sources. */
const inOwnTable = (slot: string): Config => ({ table: { name: slot }, name: 'others' })

const identityOfRelationship: Makers = {
  source: changing((slot) => inOwnTable(slot), {}, { source: 'second' }),
  'table.schema': (slot) => [inOwnTable(slot), { ...inOwnTable(slot), table: { schema: 'other', name: slot } }],
  'table.name': (slot) => [inOwnTable(slot), { ...inOwnTable(slot), table: { name: `${slot}_2` } }],
  name: changing(inOwnTable, {}, { name: 'renamed' }),
  comment: changing(inOwnTable, { comment: 'first' }, { comment: 'second' }),
}

const inBoth = (makers: Makers, more: Config): Makers =>
  Object.fromEntries(
    Object.entries(makers).map(([attribute, make]) => [
      attribute,
      (slot) => make(slot).map((config) => ({ ...more, ...config })) as unknown as Pair,
    ]),
  )

function manualVariants(): Makers {
  const manual = (more: Config): Config => ({
    manual_configuration: { remote_table: { name: 'target' }, column_mapping: { id: 'id' }, ...more },
  })
  return {
    'manual_configuration.remote_table.schema': changing(
      inOwnTable,
      manual({}),
      manual({ remote_table: { schema: 'other', name: 'target' } }),
    ),
    'manual_configuration.remote_table.name': changing(
      inOwnTable,
      manual({}),
      manual({ remote_table: { name: 'target_2' } }),
    ),
    'manual_configuration.column_mapping': changing(
      inOwnTable,
      manual({}),
      manual({ column_mapping: { other_id: 'id' } }),
    ),
    'manual_configuration.insertion_order': changing(
      inOwnTable,
      manual({ insertion_order: 'before_parent' }),
      manual({ insertion_order: 'after_parent' }),
    ),
  }
}

/** `pointing_at_SLOT` and its likes have foreign keys to a variant's table. */
function remoteVariants(): Makers {
  const remote = (slot: string, more: Config): Config => ({
    ...inOwnTable(slot),
    remote_foreign_key: { table: { name: 'pointing' }, columns: [`${slot}_id`], ...more },
  })
  return {
    'remote_foreign_key.table.schema': (slot) => [
      remote(slot, {}),
      remote(slot, { table: { schema: 'other', name: 'pointing' } }),
    ],
    'remote_foreign_key.table.name': (slot) => [remote(slot, {}), remote(slot, { table: { name: 'pointing_2' } })],
    'remote_foreign_key.columns': (slot) => [remote(slot, {}), remote(slot, { columns: [`${slot}_other_id`] })],
  }
}

function objectRelationshipVariants(): Makers {
  return {
    ...inBoth(identityOfRelationship, { foreign_key_columns: ['other_id'] }),
    foreign_key_columns: changing(
      inOwnTable,
      { foreign_key_columns: ['other_id'] },
      { foreign_key_columns: ['third_id'] },
    ),
    ...remoteVariants(),
    ...manualVariants(),
  }
}

function arrayRelationshipVariants(): Makers {
  const manual = { manual_configuration: { remote_table: { name: 'target' }, column_mapping: { id: 'id' } } }
  return { ...inBoth(identityOfRelationship, manual), ...remoteVariants(), ...manualVariants() }
}

function selectPermissionVariants(): Makers {
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

/** `all`: the attributes that the kind has besides those that every permission to write has. */
function writePermissionVariants(all: Config): Makers {
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
    ...validation('forward_client_headers', {}, { forward_client_headers: true }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

/** `SLOT_label` is over a row of the variant's table in its own schema, `SLOT_alt` over that of `public` in both. */
function computedFieldVariants(): Makers {
  const base = (slot: string): Config => ({
    table: { name: slot },
    name: 'label',
    function: { name: `${slot}_label` },
    table_argument: 'own',
  })
  const elsewhere = (slot: string): Pair => [
    base(slot),
    { ...base(slot), table: { schema: 'other', name: slot }, function: { schema: 'other', name: `${slot}_label` } },
  ]
  return {
    source: changing(base, {}, { source: 'second' }),
    'table.schema': elsewhere,
    'table.name': (slot) => [
      base(slot),
      { ...base(slot), table: { name: `${slot}_2` }, function: { name: `${slot}_2_label` } },
    ],
    name: changing(base, {}, { name: 'shown' }),
    'function.schema': (slot) => [
      { ...base(slot), function: { name: `${slot}_alt` } },
      { ...base(slot), function: { schema: 'other', name: `${slot}_alt` } },
    ],
    'function.name': (slot) => [base(slot), { ...base(slot), function: { name: `${slot}_alt` } }],
    table_argument: changing(base, {}, { table_argument: 'same' }),
    session_argument: changing(base, { session_argument: 'first' }, { session_argument: 'second' }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

/** `SLOT_call` and `SLOT_call_2` are functions in both schemas. */
function functionVariants(): Makers {
  const base = (slot: string): Config => ({ function: { name: `${slot}_call` }, exposed_as: 'query' })
  const field = (name: string) => ({
    [`custom_root_fields.${name}`]: (slot: string): Pair => [
      { ...base(slot), custom_root_fields: { [name]: `${slot}_a` } },
      { ...base(slot), custom_root_fields: { [name]: `${slot}_b` } },
    ],
  })
  return {
    // no name may be there twice, whatever source it comes from
    source: (slot) => [base(slot), { ...base(slot), source: 'second', custom_name: `${slot}_second` }],
    'function.schema': (slot) => [base(slot), { ...base(slot), function: { schema: 'other', name: `${slot}_call` } }],
    'function.name': (slot) => [base(slot), { ...base(slot), function: { name: `${slot}_call_2` } }],
    session_argument: changing(base, { session_argument: 'first' }, { session_argument: 'second' }),
    exposed_as: changing(base, {}, { exposed_as: 'mutation' }),
    custom_name: (slot) => [
      { ...base(slot), custom_name: `${slot}_a` },
      { ...base(slot), custom_name: `${slot}_b` },
    ],
    ...field('function'),
    ...field('function_aggregate'),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

/** The variants' functions are tracked in both sources. */
function functionPermissionVariants(): Makers {
  const base = (slot: string): Config => ({ function: { name: slot }, role: 'reader' })
  return {
    source: changing(base, {}, { source: 'second' }),
    'function.schema': (slot) => [base(slot), { ...base(slot), function: { schema: 'other', name: slot } }],
    'function.name': (slot) => [base(slot), { ...base(slot), function: { name: `${slot}_2` } }],
    role: changing(base, {}, { role: 'writer' }),
  }
}

/** The roles reader and writer have permissions. */
function inheritedRoleVariants(): Makers {
  const base = (slot: string): Config => ({ role_name: slot, role_set: ['reader'] })
  return {
    role_name: (slot) => [base(slot), { ...base(slot), role_name: `${slot}_2` }],
    role_set: changing(base, {}, { role_set: ['reader', 'writer'] }),
  }
}

function logicalModelVariants(): Makers {
  const base = (slot: string): Config => ({ name: slot, fields: [{ name: 'id', scalar: 'integer' }] })
  const field = (attribute: string, from: Config, to: Config) => ({
    [`fields.*.${attribute}`]: changing(base, { fields: [from] }, { fields: [to] }),
  })
  const id: Config = { name: 'id', scalar: 'integer' }
  return {
    source: changing(base, {}, { source: 'second' }),
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2` }],
    ...field('name', id, { ...id, name: 'key' }),
    ...field('scalar', id, { ...id, scalar: 'bigint' }),
    ...field('logical_model', { name: 'id', logical_model: 'inner' }, { name: 'id', logical_model: 'inner_2' }),
    ...field('array', id, { ...id, array: true }),
    ...field('nullable', id, { ...id, nullable: true }),
    ...field('element_nullable', { ...id, array: true }, { ...id, array: true, element_nullable: true }),
    ...field('description', { ...id, description: 'a' }, { ...id, description: 'b' }),
    description: changing(base, { description: 'first' }, { description: 'second' }),
  }
}

/** The variants' logical models are tracked in both sources, in the second as `second_SLOT`. */
function logicalModelPermissionVariants(): Makers {
  const base = (slot: string): Config => ({ logical_model: slot, role: 'reader', all_columns: true, filter: '{}' })
  return {
    source: (slot) => [base(slot), { ...base(slot), source: 'second', logical_model: `second_${slot}` }],
    logical_model: (slot) => [base(slot), { ...base(slot), logical_model: `${slot}_2` }],
    role: changing(base, {}, { role: 'writer' }),
    columns: changing(base, { all_columns: null, columns: ['id'] }, { all_columns: null, columns: ['note', 'id'] }),
    all_columns: changing(base, {}, { all_columns: null, columns: ['id'] }),
    filter: changing(base, {}, { filter: JSON.stringify({ id: { _gt: 1 } }) }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

/** The same of theirs. */
function nativeQueryVariants(): Makers {
  const code = 'SELECT 1 AS id, {{note}}::text AS note'
  const base = (slot: string): Config => ({
    root_field_name: slot,
    code,
    arguments: { note: { type: 'text' } },
    returns: slot,
  })
  const argument = (attribute: string, from: Config, to: Config) => ({
    [`arguments.*.${attribute}`]: changing(base, { arguments: { note: from } }, { arguments: { note: to } }),
  })
  const inline = (columns: Json): Config => ({
    returns: null,
    returns_inline: JSON.stringify({
      fields: [{ name: 'id', type: { scalar: 'integer' } }],
      select_permissions: [{ role: 'reader', permission: { columns, filter: {} } }],
    }),
  })
  const leading: Config = { name: 'others', remote_table: { name: 'target' }, column_mapping: { id: 'id' } }
  const relationship = (list: string, attribute: string, from: Config, to: Config) => ({
    [`${list}.*.${attribute}`]: changing(
      base,
      { [list]: [without({ ...leading, ...from })] },
      { [list]: [without({ ...leading, ...to })] },
    ),
  })
  const relationships = (list: string): Makers => ({
    ...relationship(list, 'name', {}, { name: 'renamed' }),
    ...relationship(list, 'remote_table.schema', {}, { remote_table: { schema: 'other', name: 'target' } }),
    ...relationship(list, 'remote_table.name', {}, { remote_table: { name: 'target_2' } }),
    ...relationship(
      list,
      'remote_native_query',
      { remote_table: null, remote_native_query: 'other_query' },
      { remote_table: null, remote_native_query: 'other_query_2' },
    ),
    ...relationship(
      list,
      'column_mapping',
      { remote_table: { name: 'target' } },
      { remote_table: { name: 'pairs' }, column_mapping: { id: 'id', note: 'note' } },
    ),
    ...relationship(list, 'comment', { comment: 'first' }, { comment: 'second' }),
  })
  return {
    source: (slot) => [base(slot), { ...base(slot), source: 'second', returns: `second_${slot}` }],
    root_field_name: (slot) => [base(slot), { ...base(slot), root_field_name: `${slot}_2` }],
    code: changing(base, {}, { code: `${code} WHERE true` }),
    ...argument('type', { type: 'text' }, { type: 'varchar' }),
    ...argument('nullable', { type: 'text' }, { type: 'text', nullable: true }),
    ...argument('description', { type: 'text', description: 'a' }, { type: 'text', description: 'b' }),
    returns: (slot) => [base(slot), { ...base(slot), returns: `${slot}_2` }],
    returns_inline: changing(base, inline(['id']), inline('*')),
    description: changing(base, { description: 'first' }, { description: 'second' }),
    ...relationships('object_relationships'),
    ...relationships('array_relationships'),
  }
}

function queryCollectionVariants(): Makers {
  const query = { name: 'one', query: 'query one { target { id } }' }
  const base = (slot: string): Config => ({ name: slot, queries: [query] })
  const other = { name: 'two', query: 'query two { target { id } }' }
  return {
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2` }],
    'queries.*.name': changing(base, {}, { queries: [{ ...query, name: 'two' }] }),
    'queries.*.query': changing(base, { queries: [query, other] }, { queries: [other, query] }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

/** Each variant's collection is there, and another with `_2`, both with the queries one and two. */
function allowlistEntryVariants(): Makers {
  const base = (slot: string): Config => ({ collection: slot, roles: ['reader'] })
  return {
    collection: (slot) => [base(slot), { ...base(slot), collection: `${slot}_2` }],
    roles: changing(base, {}, { roles: null }),
  }
}

/** The same of theirs. */
function restEndpointVariants(): Makers {
  const base = (slot: string): Config => ({
    name: slot,
    url: slot,
    methods: ['GET'],
    collection_name: slot,
    query_name: 'one',
  })
  return {
    // no path may be there twice
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2`, url: `${slot}_2` }],
    url: (slot) => [base(slot), { ...base(slot), url: `${slot}/all` }],
    methods: changing(base, {}, { methods: ['POST', 'GET'] }),
    collection_name: (slot) => [base(slot), { ...base(slot), collection_name: `${slot}_2` }],
    query_name: changing(base, {}, { query_name: 'two' }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

function cronTriggerVariants(): Makers {
  const base = (slot: string): Config => ({ name: slot, webhook: 'http://localhost:1/a', schedule: '0 5 1 1 *' })
  const retry = (attribute: string) => ({
    [`retry_conf.${attribute}`]: changing(base, { retry_conf: { [attribute]: 1 } }, { retry_conf: { [attribute]: 2 } }),
  })
  return {
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2` }],
    webhook: changing(base, {}, { webhook: 'http://localhost:1/b' }),
    webhook_from_env: changing(
      base,
      { webhook: null, webhook_from_env: 'SVC_TEST_URL_A' },
      { webhook: null, webhook_from_env: 'SVC_TEST_URL_B' },
    ),
    schedule: changing(base, {}, { schedule: '0 6 1 1 *' }),
    payload: changing(base, { payload: '{"a":1}' }, { payload: '{"a":2}' }),
    ...headerVariants(base),
    ...retry('num_retries'),
    ...retry('retry_interval_seconds'),
    ...retry('timeout_seconds'),
    ...retry('tolerance_seconds'),
    ...transformVariants(base),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

type Base = (slot: string) => Config

/** Of what a webhook is called with. */
function headerVariants(base: Base): Makers {
  const header = (attribute: string, from: Config, to: Config) => ({
    [`headers.*.${attribute}`]: changing(
      base,
      { headers: [without({ name: 'x-key', value: 'a', ...from })] },
      { headers: [without({ name: 'x-key', value: 'a', ...to })] },
    ),
  })
  return {
    ...header('name', {}, { name: 'x-other' }),
    ...header('value', {}, { value: 'b' }),
    ...header(
      'value_from_env',
      { value: null, value_from_env: 'SVC_TEST_URL_A' },
      { value: null, value_from_env: 'SVC_TEST_URL_B' },
    ),
  }
}

/** Attributes below one object. */
const inObject =
  (base: Base, object: string, common: Config = {}) =>
  (attribute: string, from: Config, to: Config): Makers => ({
    [`${object}.${attribute}`]: changing(
      base,
      { [object]: without({ ...common, ...from }) },
      { [object]: without({ ...common, ...to }) },
    ),
  })

function transformVariants(base: Base): Makers {
  const request = inObject(base, 'request_transform', { method: 'PUT' })
  const body = (transform: string, attribute: string, from: Config, to: Config): Makers => ({
    [`${transform}.body.${attribute}`]: changing(base, { [transform]: { body: from } }, { [transform]: { body: to } }),
  })
  const bodies = (transform: string): Makers => ({
    ...body(transform, 'action', { action: 'transform', template: '1' }, { action: 'remove', template: '1' }),
    ...body(transform, 'template', { template: '{{$body.a}}' }, { template: '{{$body.b}}' }),
    ...body(
      transform,
      'form_template',
      { action: 'x_www_form_urlencoded', form_template: { a: '{{$body.a}}' } },
      { action: 'x_www_form_urlencoded', form_template: { a: '{{$body.b}}' } },
    ),
  })
  return {
    ...request('method', {}, { method: 'POST' }),
    ...request('url', { url: '{{$base_url}}/a' }, { url: '{{$base_url}}/b' }),
    ...request('query_params', { query_params: { a: '1' } }, { query_params: { a: '2' } }),
    ...request('query_flags', { query_flags: ['a'] }, { query_flags: ['b', 'a'] }),
    ...request('query_template', { query_template: 'a=1' }, { query_template: 'a=2' }),
    ...request('add_headers', { add_headers: { 'x-a': '1' } }, { add_headers: { 'x-a': '2' } }),
    ...request('remove_headers', { remove_headers: ['x-a'] }, { remove_headers: ['x-b'] }),
    ...bodies('request_transform'),
    ...bodies('response_transform'),
  }
}

/** At most 42 characters, with two to spare. */
export const nameOfTrigger = (slot: string): string =>
  slot.replace('eventtrigger_', 'on_').slice(0, 40).replace(/_$/, '')

function eventTriggerVariants(): Makers {
  const base = (slot: string): Config => ({
    table: { name: slot },
    name: nameOfTrigger(slot),
    webhook: 'http://localhost:1/a',
    insert: { all_columns: true },
  })
  const captured = (operation: string): Makers => {
    const change = inObject(base, operation)
    return {
      ...change('all_columns', { all_columns: true }, { columns: ['note'] }),
      ...change('columns', { columns: ['note'] }, { columns: ['note', 'id'] }),
      ...change('payload', { all_columns: true }, { all_columns: true, payload: ['id'] }),
    }
  }
  const retry = inObject(base, 'retry_conf')
  const cleanup = inObject(base, 'cleanup_config', { schedule: '0 3 * * *', clear_older_than: 24 })
  return {
    // both sources are one database, and a change that moves a trigger of one table would wait for itself
    source: (slot) => [
      base(slot),
      { ...base(slot), source: 'second', table: { name: `${slot}_2` }, name: `${base(slot).name}_b` },
    ],
    'table.schema': (slot) => [base(slot), { ...base(slot), table: { schema: 'other', name: slot } }],
    'table.name': (slot) => [base(slot), { ...base(slot), table: { name: `${slot}_2` } }],
    name: (slot) => [base(slot), { ...base(slot), name: `${base(slot).name}_2` }],
    webhook: changing(base, {}, { webhook: 'http://localhost:1/b' }),
    webhook_from_env: changing(
      base,
      { webhook: null, webhook_from_env: 'SVC_TEST_URL_A' },
      { webhook: null, webhook_from_env: 'SVC_TEST_URL_B' },
    ),
    ...captured('insert'),
    ...captured('update'),
    ...captured('delete'),
    enable_manual: changing(base, {}, { enable_manual: true }),
    ...headerVariants(base),
    ...retry('num_retries', { num_retries: 1 }, { num_retries: 2 }),
    ...retry('interval_sec', { interval_sec: 1 }, { interval_sec: 2 }),
    ...retry('timeout_sec', { timeout_sec: 1 }, { timeout_sec: 2 }),
    ...retry('no_timeout', { num_retries: 1 }, { num_retries: 1, no_timeout: true }),
    ...transformVariants(base),
    ...cleanup('schedule', {}, { schedule: '0 4 * * *' }),
    ...cleanup('clear_older_than', {}, { clear_older_than: 48 }),
    ...cleanup('batch_size', {}, { batch_size: 100 }),
    ...cleanup('timeout', {}, { timeout: 10 }),
    ...cleanup('clean_invocation_logs', {}, { clean_invocation_logs: true }),
    ...cleanup('paused', {}, { paused: true }),
    trigger_on_replication: changing(base, {}, { trigger_on_replication: true }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

function nothing(): Config {
  return {}
}

function apiLimitsVariants(): Makers {
  const limit = (name: string): Makers => ({
    ...inObject(nothing, name)('global', { global: 5 }, { global: 6 }),
    ...inObject(nothing, name)('per_role', { global: 5, per_role: { a: 1 } }, { global: 5, per_role: { a: 2 } }),
  })
  const rate = (attribute: string, from: Config, to: Config): Makers => ({
    [`rate_limit.global.${attribute}`]: changing(
      nothing,
      { rate_limit: { global: { max_reqs_per_min: 1, ...from } } },
      { rate_limit: { global: { max_reqs_per_min: 1, ...to } } },
    ),
    [`rate_limit.per_role.*.${attribute}`]: changing(
      nothing,
      { rate_limit: { global: { max_reqs_per_min: 1 }, per_role: { a: { max_reqs_per_min: 1, ...from } } } },
      { rate_limit: { global: { max_reqs_per_min: 1 }, per_role: { a: { max_reqs_per_min: 1, ...to } } } },
    ),
  })
  return {
    ...limit('depth_limit'),
    ...limit('node_limit'),
    ...limit('batch_limit'),
    ...limit('time_limit'),
    ...rate('max_reqs_per_min', {}, { max_reqs_per_min: 2 }),
    ...rate('unique_by_ip', {}, { unique_by_ip: true }),
    ...rate('unique_params', { unique_params: ['x-a'] }, { unique_params: ['x-a', 'x-b'] }),
    disabled: changing(nothing, { depth_limit: { global: 1 } }, { depth_limit: { global: 1 }, disabled: true }),
  }
}

function metricsConfigVariants(): Makers {
  return {
    analyze_query_variables: changing(
      nothing,
      { analyze_response_body: true },
      { analyze_response_body: true, analyze_query_variables: true },
    ),
    analyze_response_body: changing(
      nothing,
      { analyze_query_variables: true },
      { analyze_response_body: true, analyze_query_variables: true },
    ),
  }
}

function introspectionOptionsVariants(): Makers {
  return {
    disabled_for_roles: changing(nothing, { disabled_for_roles: ['a'] }, { disabled_for_roles: ['b', 'a'] }),
  }
}

function openTelemetryVariants(): Makers {
  const base = (): Config => ({ data_types: ['traces'] })
  const exporter = inObject(base, 'exporter_otlp')
  const header = (attribute: string, from: Config, to: Config): Makers =>
    exporter(
      `headers.*.${attribute}`,
      { headers: [without({ name: 'x-key', value: 'a', ...from })] },
      { headers: [without({ name: 'x-key', value: 'a', ...to })] },
    )
  const resource = (attribute: string, to: Config): Makers =>
    exporter(
      `resource_attributes.*.${attribute}`,
      { resource_attributes: [{ name: 'a', value: '1' }] },
      { resource_attributes: [{ name: 'a', value: '1', ...to }] },
    )
  const url = 'http://localhost:1/a'
  return {
    ...inObject(base, 'batch_span_processor')(
      'max_export_batch_size',
      { max_export_batch_size: 1 },
      { max_export_batch_size: 2 },
    ),
    status: changing(base, {}, { status: '{{SVC_TEST_EMPTY}}' }),
    data_types: changing(base, {}, { data_types: ['metrics', 'traces'] }),
    ...exporter('otlp_traces_endpoint', { otlp_traces_endpoint: url }, { otlp_traces_endpoint: `${url}b` }),
    ...exporter('otlp_metrics_endpoint', { otlp_metrics_endpoint: url }, { otlp_metrics_endpoint: `${url}b` }),
    ...exporter('otlp_logs_endpoint', { otlp_logs_endpoint: url }, { otlp_logs_endpoint: `${url}b` }),
    ...exporter('protocol', { otlp_traces_endpoint: url }, { otlp_traces_endpoint: url, protocol: 'grpc' }),
    ...header('name', {}, { name: 'x-other' }),
    ...header('value', {}, { value: 'b' }),
    ...header('value_from_env', { value: null, value_from_env: 'A' }, { value: null, value_from_env: 'B' }),
    ...resource('name', { name: 'b' }),
    ...resource('value', { value: '2' }),
    ...exporter(
      'traces_propagators',
      { otlp_traces_endpoint: url },
      { otlp_traces_endpoint: url, traces_propagators: ['tracecontext'] },
    ),
  }
}

function tlsAllowlistEntryVariants(): Makers {
  const base = (slot: string): Config => ({ host: slot.replaceAll('_', '-'), suffix: '443' })
  return {
    host: (slot) => [base(slot), { ...base(slot), host: `${slot.replaceAll('_', '-')}-2` }],
    suffix: changing(base, {}, { suffix: '444' }),
    permissions: changing(base, {}, { permissions: ['self-signed'] }),
  }
}

const orderRelationship: Config = {
  name: 'target',
  type: 'object',
  remote_table: { name: 'target' },
  field_mapping: { id: 'id' },
}

const relationshipChanges: Readonly<Record<string, readonly [Config, Config]>> = {
  name: [{}, { name: 'renamed' }],
  type: [{}, { type: 'array' }],
  source: [{}, { source: 'second' }],
  'remote_table.schema': [{}, { remote_table: { schema: 'other', name: 'target' } }],
  'remote_table.name': [{}, { remote_table: { name: 'target_2' } }],
  field_mapping: [{}, { field_mapping: { other_id: 'id' } }],
}

const fieldChanges: Readonly<Record<string, readonly [Config, Config]>> = {
  name: [{}, { name: 'b' }],
  type: [{}, { type: 'String' }],
  description: [{ description: 'a' }, { description: 'b' }],
}

/** There is one of it: the variants' types lie beside each other in a configuration each of its own. */
function customTypesVariants(): Makers {
  const base = (): Config => ({})
  const input: Config = { name: 'Item', fields: [{ name: 'a', type: 'Int' }] }
  const order: Config = {
    name: 'Order',
    fields: [
      { name: 'id', type: 'Int!' },
      { name: 'other_id', type: 'Int!' },
    ],
    relationships: [orderRelationship],
  }
  const choice: Config = { name: 'Choice', values: [{ value: 'A' }] }
  const item = (list: string, of: Config, attribute: string, from: Config, to: Config): Makers => ({
    [`${list}.*.${attribute}`]: changing(base, { [list]: [{ ...of, ...from }] }, { [list]: [{ ...of, ...to }] }),
  })
  const head = (list: string, of: Config): Makers => ({
    ...item(list, of, 'name', {}, { name: 'Renamed' }),
    ...item(list, of, 'description', { description: 'a' }, { description: 'b' }),
  })
  const below = (
    list: string,
    of: Config,
    inner: string,
    own: Config,
    changes: Readonly<Record<string, readonly [Config, Config]>>,
  ): Makers =>
    Object.assign(
      {},
      ...Object.entries(changes).map(([attribute, [from, to]]) =>
        item(list, of, `${inner}.*.${attribute}`, { [inner]: [{ ...own, ...from }] }, { [inner]: [{ ...own, ...to }] }),
      ),
    )
  const plain: Config = { name: 'a', type: 'Int' }
  const alone = without({ ...order, relationships: null })
  return {
    ...head('input_objects', input),
    ...below('input_objects', input, 'fields', plain, fieldChanges),
    ...head('objects', alone),
    ...below('objects', alone, 'fields', plain, fieldChanges),
    ...below('objects', order, 'relationships', orderRelationship, relationshipChanges),
    ...head('scalars', { name: 'Money' }),
    ...head('enums', choice),
    ...below(
      'enums',
      choice,
      'values',
      { value: 'A' },
      {
        value: [{}, { value: 'B' }],
        description: [{ description: 'a' }, { description: 'b' }],
        is_deprecated: [{}, { is_deprecated: true }],
      },
    ),
  }
}

function customTypeVariants(): Makers {
  const base = (slot: string): Config => ({
    name: slot,
    fields: [
      { name: 'id', type: 'Int!' },
      { name: 'other_id', type: 'Int!' },
    ],
  })
  const shape = (attribute: string, from: Config, to: Config): Makers => ({
    [attribute]: changing(base, { fields: null, ...from }, { fields: null, ...to }),
  })
  const each = (
    list: string,
    own: Config,
    changes: Readonly<Record<string, readonly [Config, Config]>>,
    more: Config = { fields: null },
  ): Makers =>
    Object.assign(
      {},
      ...Object.entries(changes).map(([attribute, [from, to]]) => ({
        [`${list}.*.${attribute}`]: changing(
          base,
          { ...more, [list]: [{ ...own, ...from }] },
          { ...more, [list]: [{ ...own, ...to }] },
        ),
      })),
    )
  const plain: Config = { name: 'a', type: 'Int' }
  return {
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2` }],
    description: changing(base, { description: 'first' }, { description: 'second' }),
    ...each('input_fields', plain, fieldChanges),
    ...each('fields', plain, fieldChanges),
    ...each('relationships', orderRelationship, relationshipChanges, {}),
    ...each(
      'values',
      { value: 'A' },
      {
        value: [{}, { value: 'B' }],
        description: [{ description: 'a' }, { description: 'b' }],
        is_deprecated: [{}, { is_deprecated: true }],
      },
    ),
    ...shape('scalar', { values: [{ value: 'A' }] }, { scalar: true }),
  }
}

function actionVariants(): Makers {
  const base = (slot: string): Config => ({ name: slot, handler: 'http://localhost:1/a', output_type: 'String' })
  const argument = (attribute: string, from: Config, to: Config) => ({
    [`arguments.*.${attribute}`]: changing(
      base,
      { arguments: [{ name: 'a', type: 'String', ...from }] },
      { arguments: [{ name: 'a', type: 'String', ...to }] },
    ),
  })
  return {
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2` }],
    handler: changing(base, {}, { handler: 'http://localhost:1/b' }),
    type: changing(base, {}, { type: 'query' }),
    kind: changing(base, {}, { kind: 'asynchronous' }),
    ...argument('name', {}, { name: 'b' }),
    ...argument('type', {}, { type: 'Int' }),
    ...argument('description', { description: 'a' }, { description: 'b' }),
    output_type: changing(base, {}, { output_type: 'Int' }),
    ...headerVariants(base),
    forward_client_headers: changing(base, {}, { forward_client_headers: true }),
    ignored_client_headers: changing(base, {}, { ignored_client_headers: ['Cookie'] }),
    timeout: changing(base, {}, { timeout: 5 }),
    ...transformVariants(base),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

/** Each variant's action is there, and another with `_2`. */
function actionPermissionVariants(): Makers {
  const base = (slot: string): Config => ({ action: slot, role: 'reader' })
  return {
    action: (slot) => [base(slot), { ...base(slot), action: `${slot}_2` }],
    role: changing(base, {}, { role: 'writer' }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

/** So that no name is there twice, whatever other remote schemas of the same server there are. */
export const remoteNames = (slot: string): Config => ({
  root_fields_namespace: slot,
  type_names: { prefix: `${slot}_` },
})

function remoteSchemaVariants({ remoteUrl }: Surroundings): Makers {
  const base = (slot: string): Config => ({ name: slot, url: remoteUrl, customization: remoteNames(slot) })
  const customized =
    (of: (slot: string, second: boolean) => Config) =>
    (slot: string): Pair => {
      const one = (second: boolean) => ({ ...base(slot), customization: { ...remoteNames(slot), ...of(slot, second) } })
      return [one(false), one(true)]
    }
  const typeNames = (of: (slot: string, second: boolean) => Config) =>
    customized((slot, second) => ({ type_names: { prefix: `${slot}_`, ...of(slot, second) } }))
  const fieldNames = (of: (second: boolean) => Config) =>
    customized((_, second) => ({ field_names: [{ parent_type: 'User', prefix: 'a_', ...of(second) }] }))
  return {
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2` }],
    url: changing(base, {}, { url: `${remoteUrl}?b` }),
    url_from_env: changing(
      base,
      { url: null, url_from_env: 'SVC_TEST_REMOTE_A' },
      { url: null, url_from_env: 'SVC_TEST_REMOTE_B' },
    ),
    ...headerVariants(base),
    forward_client_headers: changing(base, {}, { forward_client_headers: true }),
    timeout_seconds: changing(base, { timeout_seconds: 5 }, { timeout_seconds: 6 }),
    'customization.root_fields_namespace': customized((slot, second) => ({
      root_fields_namespace: second ? `${slot}_2` : slot,
    })),
    'customization.type_names.prefix': typeNames((slot, second) => ({ prefix: second ? `${slot}_2_` : `${slot}_` })),
    'customization.type_names.suffix': typeNames((_, second) => ({ suffix: second ? 'B' : 'A' })),
    'customization.type_names.mapping': typeNames((slot, second) => ({
      mapping: { User: `${slot}_${second ? 'Q' : 'P'}` },
    })),
    'customization.field_names.*.parent_type': fieldNames((second) => ({ parent_type: second ? 'Employer' : 'User' })),
    'customization.field_names.*.prefix': fieldNames((second) => ({ prefix: second ? 'b_' : 'a_' })),
    'customization.field_names.*.suffix': fieldNames((second) => ({ suffix: second ? '_b' : '_a' })),
    'customization.field_names.*.mapping': fieldNames((second) => ({ mapping: { name: second ? 'called' : 'named' } })),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
    reload_when: changing(base, { reload_when: '1' }, { reload_when: '2' }),
  }
}

function remoteSchemaPermissionVariants(): Makers {
  const base = (slot: string): Config => ({
    remote_schema: slot,
    role: 'reader',
    schema: 'type Query { user(id: Int! @preset(value: 1)): User } type User { id: Int! }',
  })
  return {
    remote_schema: (slot) => [base(slot), { ...base(slot), remote_schema: `${slot}_2` }],
    role: changing(base, {}, { role: 'writer' }),
    schema: changing(base, {}, { schema: 'type Query { user(id: Int!): User } type User { name: String }' }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

const userField = (more: Config = {}): string => JSON.stringify({ user: { arguments: { id: '$id', ...more } } })

/** Columns of a table that points at those of all variants. */
const pointing = (column: string): Config => ({
  table: { name: 'pointing' },
  field_mapping: { id: `remoterelationship_source_${column}` },
})

/** What both kinds of remote relationship lead to. */
function remoteTargetVariants(base: Base): Makers {
  const toSource: Config = {
    relationship_type: 'array',
    source: 'second',
    table: { name: 'target' },
    field_mapping: { id: 'id' },
  }
  const toRemote: Config = { remote_schema: 'far', lhs_fields: ['id'], remote_field: userField() }
  const source = inObject(base, 'to_source', toSource)
  const remote = inObject(base, 'to_remote_schema', toRemote)
  return {
    ...source('relationship_type', {}, { relationship_type: 'object' }),
    ...source('source', {}, { source: 'default' }),
    ...source('table.schema', {}, { table: { schema: 'other', name: 'target' } }),
    ...source('table.name', {}, { table: { name: 'target_2' } }),
    ...source('field_mapping', pointing('id'), pointing('other_id')),
    ...remote('remote_schema', {}, { remote_schema: 'far_2' }),
    ...remote('lhs_fields', {}, { lhs_fields: [], remote_field: JSON.stringify({ users: { arguments: {} } }) }),
    ...remote('remote_field', {}, { remote_field: userField({ lang: 'de' }) }),
  }
}

function remoteRelationshipVariants(): Makers {
  const table = (slot: string): Config => ({ table: { name: slot }, name: 'far' })
  const base = (slot: string): Config => ({
    ...table(slot),
    to_remote_schema: { remote_schema: 'far', lhs_fields: ['id'], remote_field: userField() },
  })
  return {
    source: changing(base, {}, { source: 'second' }),
    'table.schema': (slot) => [base(slot), { ...base(slot), table: { schema: 'other', name: slot } }],
    'table.name': (slot) => [base(slot), { ...base(slot), table: { name: `${slot}_2` } }],
    name: changing(base, {}, { name: 'farther' }),
    ...remoteTargetVariants(table),
  }
}

function remoteTypeRelationshipVariants(): Makers {
  const type = (slot: string): Config => ({ remote_schema: 'far', type_name: 'User', name: slot })
  const base = (slot: string): Config => ({
    ...type(slot),
    to_remote_schema: { remote_schema: 'far', lhs_fields: ['id'], remote_field: userField() },
  })
  return {
    remote_schema: changing(base, {}, { remote_schema: 'far_2' }),
    type_name: changing(base, {}, { type_name: 'Employer' }),
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2` }],
    ...remoteTargetVariants(type),
  }
}

/** The paths of everything that can be written, objects taken apart: `table.schema`, `column_config.*.comment`. */
export function leavesOf(attributes: Attributes, before = ''): readonly string[] {
  return Object.entries(attributes).flatMap(([name, { type, presence }]) => {
    if (presence === 'computed') return []
    const path = `${before}${name}`
    if (type.kind === 'object') return leavesOf(type.attributes, `${path}.`)
    if ((type.kind === 'map' || type.kind === 'list') && type.of.kind === 'object')
      return leavesOf(type.of.attributes, `${path}.*.`)
    return [path]
  })
}

export const kinds = catalogue
