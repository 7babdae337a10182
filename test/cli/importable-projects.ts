/**
 * Projects of Hasura v2 in the shapes that its versions have, each small: `files` by path, and what `import-from` is called
 * with. The tables `artist` and `album` are there; a project with others brings migrations.
 */
import type { JsonObject } from '@svc/schema'

export interface ImportableProject {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  /** Below the project's folder; the folder itself where absent. */
  readonly from?: string
  /** Lines that the import says of what it translates or leaves out: all of them, without what stands for a path. */
  readonly says?: readonly RegExp[]
  /** It has sources that nothing here can reach: they are stored as they are. */
  readonly isUnreachable?: true
  /** Exported afterwards, at this path. */
  readonly has?: readonly (readonly [path: string, value: unknown])[]
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
const config = (version: number, more = '') => `version: ${version}\n${more}`
const url = { from_env: 'HASURA_GRAPHQL_DATABASE_URL' }
const source = (tables: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  name: 'default',
  kind: 'postgres',
  configuration: { connection_info: { database_url: url, use_prepared_statements: true } },
  tables,
  ...more,
})
const table = (name: string, more: JsonObject = {}): JsonObject => ({ table: { schema: 'public', name }, ...more })
const own = { owner: { _eq: 'X-Hasura-User-Id' } }
const artistOfUser = table('artist', {
  select_permissions: [{ role: 'user', permission: { columns: ['id', 'name'], filter: own } }],
})
const albums = {
  array_relationships: [
    {
      name: 'albums',
      using: { foreign_key_constraint_on: { table: { schema: 'public', name: 'album' }, column: 'artist_id' } },
    },
  ],
}
const document = (
  more: JsonObject = {},
  tables: readonly JsonObject[] = [artistOfUser, table('album')],
): JsonObject => ({
  version: 3,
  sources: [source(tables)],
  ...more,
})
const older: JsonObject = {
  tables: [
    { ...artistOfUser, ...albums, is_enum: false },
    { table: 'album', object_relationships: [{ name: 'artist', using: { foreign_key_constraint_on: 'artist_id' } }] },
  ],
}
const directory = (files: Readonly<Record<string, string>>, folder = 'metadata') =>
  Object.fromEntries(Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text]))
const v3 = (
  files: Readonly<Record<string, string>>,
  tables: readonly JsonObject[] = [artistOfUser, table('album')],
) => ({
  'config.yaml': config(3, 'metadata_directory: metadata\n'),
  ...directory({
    'version.yaml': 'version: 3\n',
    'databases/databases.yaml': json([source(tables)]),
    ...files,
  }),
})
const collection = {
  name: 'allowed-queries',
  definition: { queries: [{ name: 'artists', query: 'query artists { artist { id name } }' }] },
}
/** `remote`: the address of a GraphQL server whose query `hello(name: String): String` exists. */
export const importableProjects = (remote: string): readonly ImportableProject[] => [
  {
    name: 'v3 directory as the command line writes it: lists of includes, tags and texts',
    files: {
      'config.yaml': config(
        3,
        'endpoint: http://localhost:8080\nmetadata_directory: metadata\nactions:\n  kind: synchronous\n  handler_webhook_baseurl: http://localhost:3000\n',
      ),
      ...directory({
        'version.yaml': 'version: 3\n',
        'databases/databases.yaml': `- name: default\n  kind: postgres\n  configuration: ${JSON.stringify({ connection_info: { database_url: url } })}\n  tables: "!include default/tables/tables.yaml"\n`,
        'databases/default/tables/tables.yaml': '- "!include public_artist.yaml"\n- !include public_album.yaml\n',
        'databases/default/tables/public_artist.yaml': json({ ...artistOfUser, ...albums }),
        'databases/default/tables/public_album.yaml': json(table('album')),
        'databases/default/tables/public_forgotten.yaml': json(table('forgotten')),
      }),
    },
    says: [/public_forgotten\.yaml.*not/, /config\.yaml: endpoint/, /config\.yaml: actions/],
    has: [['sources.0.tables.1.select_permissions.0.permission.filter', { owner: { _eq: 'X-Svc-User-Id' } }]],
  },
  {
    name: 'v3 with migrations for two databases and seeds',
    files: {
      'config.yaml': config(3),
      ...directory({
        'version.yaml': 'version: 3\n',
        'databases/databases.yaml': json([
          source([table('band')]),
          {
            ...source([table('label')]),
            name: 'second',
            configuration: { connection_info: { database_url: { from_env: 'SECOND_URL' } } },
          },
        ]),
      }),
      'migrations/default/1700000000000_band/up.sql': 'CREATE TABLE band (id int PRIMARY KEY);',
      'migrations/default/1700000000000_band/down.sql': 'DROP TABLE band;',
      'migrations/second/1700000000001_label/up.sql': 'CREATE TABLE label (id int PRIMARY KEY);',
      'seeds/default/1700000000002_bands.sql': 'INSERT INTO band VALUES (1);',
    },
    says: [/seeds\/default\/1700000000002_bands\.sql is left out: rows are no part of metadata/],
    has: [['sources.1.tables.0.table.name', 'label']],
  },
  {
    name: 'v2 directory: tables.yaml of one database, migrations without its name',
    files: {
      'config.yaml': config(2, 'endpoint: http://localhost:8080\nadmin_secret: old\nmetadata_directory: metadata\n'),
      ...directory({
        'version.yaml': 'version: 2\n',
        'tables.yaml': json([artistOfUser, table('album'), table('studio')]),
        'functions.yaml': json([{ function: { schema: 'public', name: 'search_artists' } }]),
        'actions.graphql': 'type Query {\n  ping: Pong\n}\n\ntype Pong {\n  ok: Boolean!\n}\n',
        'actions.yaml':
          'actions:\n- name: ping\n  definition:\n    kind: synchronous\n    handler: "{{HASURA_GRAPHQL_HANDLERS}}"\ncustom_types:\n  objects:\n  - name: Pong\n',
        'allow_list.yaml': json([{ collection: 'allowed-queries' }]),
        'query_collections.yaml': json([collection]),
        'cron_triggers.yaml': '[]\n',
        'remote_schemas.yaml': '[]\n',
      }),
      'migrations/1600000000000_studio/up.sql': 'CREATE TABLE studio (id int PRIMARY KEY);',
      'migrations/1600000000000_studio/down.sql': 'DROP TABLE studio;',
    },
    says: [/config\.yaml: endpoint/, /config\.yaml: admin_secret/],
    has: [
      ['sources.0.functions.0.function.name', 'search_artists'],
      ['actions.0.name', 'ping'],
    ],
  },
  {
    name: 'v2 directory whose tables are files of their own',
    files: {
      'config.yaml': config(2),
      ...directory({
        'version.yaml': 'version: 2\n',
        'tables.yaml': '- !include tables/artist.yaml\n- "!include tables/album.yaml"\n',
        'tables/artist.yaml': json(artistOfUser),
        'tables/album.yaml': json(table('album')),
      }),
    },
    has: [['sources.0.tables.length', 2]],
  },
  {
    name: 'config v1: metadata.yaml among flat migrations, some of them requests',
    files: {
      'config.yaml': 'endpoint: http://localhost:8080\naccess_key: old\n',
      'migrations/metadata.yaml': json({
        ...older,
        functions: [{ schema: 'public', name: 'search_artists' }],
        remote_schemas: [],
      }),
      'migrations/1500000000000_venue.up.yaml':
        '- type: run_sql\n  args:\n    sql: CREATE TABLE venue (id int PRIMARY KEY)\n- type: track_table\n  args: {schema: public, name: venue}\n',
      'migrations/1500000000000_venue.down.yaml': '- type: run_sql\n  args:\n    sql: DROP TABLE venue\n',
      'migrations/1500000000001_more.up.sql': 'ALTER TABLE venue ADD city text;',
      'migrations/1500000000002_only.up.yaml':
        '- type: add_existing_table_or_view\n  args: {schema: public, name: venue}\n',
    },
    says: [
      /config\.yaml: endpoint/,
      /config\.yaml: access_key/,
      /1500000000000_venue\.up\.yaml: track_table is left out: it changed metadata/,
      /1500000000002_only\.up\.yaml: add_existing_table_or_view is left out/,
      /migration 1500000000002_only of default has no SQL/,
    ],
    has: [
      ['sources.0.tables.0.object_relationships.0.name', 'artist'],
      ['sources.0.functions.0.function.name', 'search_artists'],
    ],
  },
  {
    name: 'metadata_file in config.yaml',
    files: { 'config.yaml': config(3, 'metadata_file: hasura/all.yaml\n'), 'hasura/all.yaml': json(document()) },
    has: [['sources.0.tables.length', 2]],
  },
  {
    name: 'metadata_file of JSON',
    files: { 'config.yaml': config(3, 'metadata_file: metadata.json\n'), 'metadata.json': json(document()) },
    has: [['sources.0.tables.length', 2]],
  },
  {
    name: 'an export of the console',
    from: 'hasura_metadata_2023_01_02.json',
    files: { 'hasura_metadata_2023_01_02.json': json({ resource_version: 12, metadata: document() }) },
    has: [['sources.0.tables.length', 2]],
  },
  {
    name: 'a request replace_metadata of version 2',
    from: 'replace.json',
    files: {
      'replace.json': json({
        type: 'replace_metadata',
        version: 2,
        args: { allow_inconsistent_metadata: true, metadata: document() },
      }),
    },
    has: [['sources.0.tables.length', 2]],
  },
  {
    name: 'a bulk with a replace_metadata of version 1',
    from: 'requests.yaml',
    files: {
      'requests.yaml': json({
        type: 'bulk',
        args: [
          { type: 'clear_metadata', args: {} },
          { type: 'replace_metadata', args: document() },
          { type: 'reload_metadata', args: {} },
        ],
      }),
    },
    says: [/request clear_metadata is left out/, /request reload_metadata is left out/],
    has: [['sources.0.tables.length', 2]],
  },
  {
    name: 'a document of version 1 without a version',
    from: 'metadata.yaml',
    files: { 'metadata.yaml': json({ ...older, functions: ['search_artists'] }) },
    has: [['sources.0.tables.length', 2]],
  },
  {
    name: 'a document of version 2 in a folder without a config.yaml',
    files: {
      'metadata.json': json({
        version: 2,
        ...older,
        functions: [{ function: 'search_artists', configuration: {} }],
        inherited_roles: [],
      }),
    },
    has: [['sources.0.tables.length', 2]],
  },
  {
    name: 'a metadata directory alone, with inherited roles and introspection',
    from: 'metadata',
    files: v3(
      {
        'inherited_roles.yaml': json([{ role_name: 'staff', role_set: ['user', 'guest'] }]),
        'graphql_schema_introspection.yaml': json({ disabled_for_roles: ['guest'] }),
      },
      [
        table('album', { select_permissions: [{ role: 'guest', permission: { columns: '*', filter: {} } }] }),
        artistOfUser,
      ],
    ),
    has: [
      ['inherited_roles.0.role_set', ['user', 'guest']],
      ['graphql_schema_introspection.disabled_for_roles', ['guest']],
    ],
  },
  {
    name: 'remote schemas with permissions',
    files: v3({
      'remote_schemas.yaml': json([
        {
          name: 'hello',
          definition: {
            url: remote,
            timeout_seconds: 60,
            forward_client_headers: true,
            headers: [{ name: 'X-Hasura-Admin-Secret', value: 'x' }],
            customization: { root_fields_namespace: 'remote' },
          },
          comment: '',
          permissions: [
            {
              role: 'user',
              definition: {
                schema:
                  'schema { query: Query }\ntype Query { hello(name: String @preset(value: "x-hasura-user-id")): String }',
              },
            },
          ],
        },
      ]),
    }),
    says: [
      /header X-Hasura-Admin-Secret, which is sent to others/,
      /needed: SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS=true/,
    ],
    has: [['remote_schemas.0.permissions.0.role', 'user']],
  },
  {
    name: 'cron triggers and event triggers with transforms of their first form',
    files: v3(
      {
        'cron_triggers.yaml': json([
          {
            name: 'nightly',
            webhook: '{{HASURA_GRAPHQL_HANDLERS}}/nightly',
            schedule: '0 3 * * *',
            include_in_metadata: true,
            payload: {},
            retry_conf: { num_retries: 1, retry_interval_seconds: 10, timeout_seconds: 60, tolerance_seconds: 21600 },
            request_transform: {
              template_engine: 'Kriti',
              content_type: 'application/x-www-form-urlencoded',
              method: 'POST',
            },
          },
        ]),
      },
      [
        table('album'),
        {
          ...artistOfUser,
          event_triggers: [
            {
              name: 'artist_added',
              definition: { enable_manual: false, insert: { columns: '*' } },
              retry_conf: { interval_sec: 10, num_retries: 0, timeout_sec: 60 },
              webhook_from_env: 'HASURA_GRAPHQL_EVENT_HANDLER',
              request_transform: { content_type: 'application/json', body: '{{$body}}', template_engine: 'Kriti' },
            },
          ],
        },
      ],
    ),
    says: [
      /cron_triggers\.0\.request_transform\.content_type: .* is the header content-type/,
      /event_triggers\.0\.request_transform\.content_type: application\/json is what is sent anyway/,
    ],
    has: [
      [
        'cron_triggers.0.request_transform.request_headers.add_headers',
        { 'content-type': 'application/x-www-form-urlencoded' },
      ],
    ],
  },
  {
    name: 'actions with input types, permissions and headers',
    files: v3({
      'actions.graphql':
        'type Mutation {\n  "Asks."\n  ask(question: Question!, lines: Int = 3): Answer\n}\n\ninput Question {\n  text: String! = "?"\n}\n\ntype Answer {\n  text: String\n}\n\nscalar Mood\n',
      'actions.yaml':
        'actions:\n  - name: ask\n    definition:\n      kind: asynchronous\n      handler: "{{HASURA_GRAPHQL_HANDLERS}}/ask"\n      forward_client_headers: true\n      headers:\n        - {name: x-api, value_from_env: API_KEY}\n      timeout: 60\n    permissions:\n      - role: user\n    comment: Asks\ncustom_types:\n  enums: []\n  input_objects:\n    - name: Question\n  objects:\n    - name: Answer\n      relationships: []\n  scalars:\n    - name: Mood\n',
    }),
    says: [/default value of ask\.lines is left out/, /default value of Question\.text is left out/],
    has: [
      ['actions.0.permissions.0.role', 'user'],
      ['actions.0.definition.arguments.1', { name: 'lines', type: 'Int' }],
    ],
  },
  {
    name: 'query collections, allow list by roles, REST endpoints',
    files: v3({
      'query_collections.yaml': json([collection]),
      'allow_list.yaml': json([{ collection: 'allowed-queries', scope: { global: false, roles: ['user'] } }]),
      'rest_endpoints.yaml': json([
        {
          name: 'artists',
          url: 'artists',
          methods: ['GET'],
          definition: { query: { collection_name: 'allowed-queries', query_name: 'artists' } },
          comment: '',
        },
      ]),
    }),
    has: [
      ['rest_endpoints.0.url', 'artists'],
      ['allowlist.0.scope.roles', ['user']],
    ],
  },
  {
    name: 'settings of the server: limits, network, telemetry, metrics, backends',
    files: v3({
      'api_limits.yaml': json({
        disabled: false,
        depth_limit: { global: 10, per_role: { user: 5 } },
        rate_limit: { global: { unique_params: ['x-hasura-user-id'], max_reqs_per_min: 100 } },
      }),
      'network.yaml': json({ tls_allowlist: [{ host: 'self.signed', suffix: null, permissions: ['self-signed'] }] }),
      'opentelemetry.yaml': json({
        status: 'disabled',
        data_types: ['traces'],
        exporter_otlp: { otlp_traces_endpoint: 'http://localhost:4318/v1/traces' },
      }),
      'metrics_config.yaml': json({ analyze_query_variables: true, analyze_response_body: false }),
      'backend_configs.yaml': json({ dataconnector: { sqlite: { uri: 'http://localhost:8100' } } }),
      'graphql_schema_introspection.yaml': '{}\n',
    }),
    says: [/1 backend configs: kept, and not served/],
    has: [['api_limits.rate_limit.global.unique_params', ['x-svc-user-id']]],
  },
  {
    name: 'names of tables, columns and relationships, computed fields, native queries',
    files: {
      'config.yaml': config(3),
      ...directory({
        'version.yaml': 'version: 3\n',
        'databases/databases.yaml': json([
          source(
            [
              {
                ...artistOfUser,
                ...albums,
                configuration: {
                  custom_name: 'Artist',
                  custom_root_fields: { select: 'artists' },
                  column_config: { name: { custom_name: 'artistName' } },
                  custom_column_names: { name: 'artistName' },
                },
                computed_fields: [
                  { name: 'shout', definition: { function: { schema: 'public', name: 'shout' } }, comment: '' },
                ],
              },
              table('album', {
                object_relationships: [
                  {
                    name: 'singer',
                    using: {
                      manual_configuration: {
                        remote_table: { schema: 'public', name: 'artist' },
                        insertion_order: null,
                        column_mapping: { artist_id: 'id' },
                      },
                    },
                  },
                ],
              }),
            ],
            {
              customization: { naming_convention: 'hasura-default' },
              logical_models: [{ name: 'named', fields: [{ name: 'name', type: { scalar: 'text', nullable: true } }] }],
              native_queries: [
                { root_field_name: 'named_artists', arguments: {}, code: 'SELECT name FROM artist', returns: 'named' },
              ],
            },
          ),
        ]),
      }),
    },
    has: [
      ['sources.0.customization.naming_convention', 'svc-default'],
      ['sources.0.native_queries.0.root_field_name', 'named_artists'],
    ],
  },
  {
    name: 'keys of other versions, misspelt ones, and another kind of source',
    files: v3({
      'databases/databases.yaml': json([
        source(
          [
            table('album'),
            {
              ...artistOfUser,
              select_permissions: [
                {
                  role: 'user',
                  permission: { columns: ['id'], filter: {}, computed_feilds: [], allow_aggregations: true },
                },
              ],
            },
          ],
          { dashboards: [] },
        ),
      ]),
      'opentelemetry.yaml': '{}\n',
    }),
    says: [/sources\.0\.dashboards is left out/, /permission\.computed_feilds is left out/],
    has: [['sources.0.tables.1.select_permissions.0.permission.allow_aggregations', true]],
  },
  {
    name: 'sources of SQL Server and BigQuery next to PostgreSQL',
    isUnreachable: true,
    files: v3({
      'databases/databases.yaml': json([
        source([artistOfUser, table('album')]),
        {
          name: 'books',
          kind: 'mssql',
          configuration: {
            connection_info: {
              connection_string: { from_env: 'HASURA_GRAPHQL_BOOKS_URL' },
              pool_settings: { idle_timeout: 5, max_connections: 50 },
            },
          },
          tables: [
            {
              table: { schema: 'dbo', name: 'entry' },
              select_permissions: [
                { role: 'user', permission: { columns: ['id'], filter: { owner: { _eq: 'X-Hasura-User-Id' } } } },
              ],
            },
          ],
        },
        {
          name: 'warehouse',
          kind: 'bigquery',
          configuration: {
            datasets: ['sales'],
            global_select_limit: 100,
            project_id: 'shop',
            service_account: { from_env: 'HASURA_GRAPHQL_ACCOUNT' },
          },
          tables: [
            {
              table: { dataset: 'sales', name: 'day' },
              select_permissions: [{ role: 'user', permission: { columns: ['day', 'total'], filter: {} } }],
            },
          ],
        },
      ]),
    }),
    has: [
      ['sources.1.tables.0.table', { schema: 'dbo', name: 'entry' }],
      ['sources.1.tables.0.select_permissions.0.permission.filter', { owner: { _eq: 'X-Svc-User-Id' } }],
      ['sources.2.configuration.service_account', { from_env: 'SVC_GRAPHQL_ACCOUNT' }],
      ['sources.2.tables.0.select_permissions.0.permission.columns', ['day', 'total']],
    ],
  },
  {
    name: 'addresses of databases in parts, read replicas and pools',
    files: {
      'config.yaml': config(3),
      ...directory({
        'version.yaml': 'version: 3\n',
        'databases/databases.yaml': json([
          {
            name: 'default',
            kind: 'postgres',
            configuration: {
              connection_info: {
                database_url: {
                  connection_parameters: {
                    host: '{{host}}',
                    port: '{{port}}',
                    username: '{{user}}',
                    password: '{{password}}',
                    database: '{{database}}',
                  },
                },
                isolation_level: 'repeatable-read',
                pool_settings: {
                  max_connections: 5,
                  idle_timeout: 60,
                  retries: 2,
                  pool_timeout: 30,
                  connection_lifetime: 300,
                },
              },
              extensions_schema: 'public',
            },
            tables: [artistOfUser, table('album')],
          },
        ]),
      }),
    },
    has: [['sources.0.configuration.connection_info.isolation_level', 'repeatable-read']],
  },
]
