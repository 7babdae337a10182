import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { musicTables } from '../../../test/admin/random-operations.ts'
import { startService, type TestService } from '../../test/metadata-service.ts'
import { parseExactly } from '../exact-json/index.ts'

/** A request, and all that its refusal says but `internal`. */
interface Refusal {
  readonly of: string
  readonly ask: object
  readonly status?: number
  readonly code: string
  readonly path: string
  readonly error: string
  readonly endpoint?: '/v1/metadata' | '/v1/query' | '/v2/query'
  readonly role?: string
}

const op = (type: string, args?: unknown, more: object = {}) => ({ type, ...(args !== undefined && { args }), ...more })
const album = { schema: 'public', name: 'album' }
const toArtist = { foreign_key_constraint_on: 'artist_id' }
const inconsistent = 'Inconsistent object: '

/** Metadata at the start: artist and album tracked, artist.albums used by the permission of `user`. */
const setUp = [
  op('pg_track_tables', { tables: ['artist', 'album'] }),
  op('pg_create_object_relationship', { table: 'album', name: 'artist', using: toArtist }),
  op('pg_create_array_relationship', {
    table: 'artist',
    name: 'albums',
    using: { foreign_key_constraint_on: { table: 'album', column: 'artist_id' } },
  }),
  op('pg_create_select_permission', {
    table: 'artist',
    role: 'user',
    permission: { columns: ['id', 'name'], filter: { albums: { title: { _eq: 'x' } } } },
  }),
]

const permission = (more: object, table: unknown = 'album') =>
  op('pg_create_select_permission', { table, role: 'new', permission: { columns: ['id'], filter: {}, ...more } })

const refusals: readonly Refusal[] = [
  // envelope (§1.1, §1.2)
  {
    of: 'a body that is no object',
    ask: [],
    code: 'parse-failed',
    path: '$',
    error: 'expected object, encountered list',
  },
  { of: 'no type', ask: { args: {} }, code: 'parse-failed', path: '$', error: 'key "type" not found' },
  {
    of: 'no args where they are needed',
    ask: op('pg_track_table'),
    code: 'parse-failed',
    path: '$',
    error: 'key "args" not found',
  },
  {
    of: 'version 3',
    ask: op('export_metadata', {}, { version: 3 }),
    code: 'parse-failed',
    path: '$.version',
    error: 'expected 1 or 2, encountered 3',
  },
  {
    of: 'version 2 of what has one',
    ask: op('pg_track_table', { table: 'x' }, { version: 2 }),
    code: 'parse-failed',
    path: '$.version',
    error: '"pg_track_table" has no version 2',
  },
  {
    of: 'an unknown operation',
    ask: op('pg_do_something', {}),
    code: 'parse-failed',
    path: '$',
    error: 'unknown metadata command "pg_do_something" for backend postgres',
  },
  {
    of: 'an unknown member of a bulk',
    ask: op('bulk', [op('nothing', {})]),
    code: 'parse-failed',
    path: '$.args[0]',
    error: 'unknown metadata command "nothing"',
  },
  {
    of: 'a wrong type',
    ask: op('pg_drop_select_permission', { table: 'artist', role: 7 }),
    code: 'parse-failed',
    path: '$.args.role',
    error: 'expected string, encountered number',
  },
  {
    of: 'a missing key',
    ask: op('pg_drop_select_permission', { table: 'artist' }),
    code: 'parse-failed',
    path: '$.args',
    error: 'key "role" not found',
  },
  {
    of: 'a wrong type on /v1/query, which leaves args out',
    endpoint: '/v1/query',
    ask: op('drop_select_permission', { table: 'artist', role: 7 }),
    code: 'parse-failed',
    path: '$.role',
    error: 'expected string, encountered number',
  },
  {
    of: 'text that no catalogue holds',
    ask: op('pg_drop_select_permission', { table: 'artist', role: 'a\0b' }),
    code: 'parse-failed',
    path: '$.args.role',
    error: 'text with a NUL character cannot be stored',
  },
  {
    of: 'a number that no database holds',
    ask: permission({ filter: { id: { _eq: parseExactly('1e200000') } } }),
    code: 'parse-failed',
    path: '$.args.permission.filter.id._eq',
    error: 'the number 1e200000 is beyond what a database holds',
  },
  {
    of: 'a long number where a short one is wanted',
    ask: permission({ filter: {}, limit: parseExactly('9007199254740993') }),
    code: 'parse-failed',
    path: '$.args.permission.limit',
    error: 'expected number, encountered the number 9007199254740993',
  },
  {
    of: 'prefixes on /v1/query',
    endpoint: '/v1/query',
    ask: op('pg_track_table', { table: 'track' }),
    code: 'parse-failed',
    path: '$',
    error: 'unknown metadata command "pg_track_table"',
  },
  {
    of: 'metadata on /v2/query',
    endpoint: '/v2/query',
    ask: op('export_metadata', {}),
    code: 'parse-failed',
    path: '$',
    error: 'unknown metadata command "export_metadata"',
  },
  {
    of: 'a role that is not admin',
    role: 'user',
    ask: op('export_metadata', {}),
    code: 'access-denied',
    path: '$.args',
    error: 'restricted access : admin only',
  },
  {
    of: 'a bulk with one member for the admin',
    endpoint: '/v1/query',
    role: 'user',
    ask: op('bulk', [op('insert', { table: 'artist', objects: [{}] }), op('run_sql', { sql: '' })]),
    code: 'access-denied',
    path: '$.args',
    error: 'restricted access : admin only',
  },
  {
    of: 'an empty bulk of a role that is not admin',
    role: 'user',
    ask: op('bulk', []),
    code: 'access-denied',
    path: '$.args',
    error: 'restricted access : admin only',
  },
  {
    of: 'rows on /v2/query by a role that is not admin',
    endpoint: '/v2/query',
    role: 'user',
    ask: op('insert', { table: 'artist', objects: [{}] }),
    code: 'access-denied',
    path: '$.args',
    error: 'restricted access : admin only',
  },
  // versions (§1.3)
  {
    of: 'a stale version',
    ask: op('pg_track_table', { table: 'track' }, { resource_version: 1 }),
    status: 409,
    code: 'conflict',
    path: '$',
    error: 'metadata resource version referenced (1) did not match current version',
  },
  {
    of: 'a stale version though nothing would change',
    ask: op('pg_set_table_customization', { table: 'artist' }, { resource_version: 1 }),
    status: 409,
    code: 'conflict',
    path: '$',
    error: 'metadata resource version referenced (1) did not match current version',
  },
  {
    of: 'its own error before a stale version',
    ask: op('pg_track_table', { table: 'artist' }, { resource_version: 1 }),
    code: 'already-tracked',
    path: '$.args',
    error: 'view/table already tracked: "artist"',
  },
  // sources (§2.2)
  {
    of: 'a source twice',
    ask: op('pg_add_source', { name: 'default', configuration: { connection_info: { database_url: 'x' } } }),
    code: 'already-exists',
    path: '$.args',
    error: 'source with name "default" already exists',
  },
  {
    of: 'a source that cannot be reached',
    ask: op('pg_add_source', {
      name: 'far',
      configuration: { connection_info: { database_url: 'postgres://a@127.0.0.1:1/b' } },
    }),
    code: 'invalid-configuration',
    path: '$.args',
    error: `${inconsistent}connection error`,
  },
  {
    of: 'dropping no source',
    ask: op('pg_drop_source', { name: 'far' }),
    code: 'not-exists',
    path: '$.args',
    error: 'source with name "far" does not exist',
  },
  {
    of: 'updating no source',
    ask: op('pg_update_source', { name: 'far' }),
    code: 'not-exists',
    path: '$.args',
    error: 'source with name "far" does not exist',
  },
  // tables (§2.3)
  {
    of: 'a table twice',
    ask: op('pg_track_table', { table: 'artist' }),
    code: 'already-tracked',
    path: '$.args',
    error: 'view/table already tracked: "artist"',
  },
  {
    of: 'a table the database lacks',
    ask: op('pg_track_table', { table: { schema: 'sales', name: 'nothing' } }),
    code: 'invalid-configuration',
    path: '$.args',
    error: `${inconsistent}no such table/view exists in source: "sales.nothing"`,
  },
  {
    of: 'a table of no source',
    ask: op('pg_track_table', { table: 'track', source: 'far' }),
    code: 'not-exists',
    path: '$.args',
    error: 'source with name "far" does not exist',
  },
  {
    of: 'an untracked table',
    ask: op('pg_untrack_table', { table: 'track' }),
    code: 'already-untracked',
    path: '$.args',
    error: 'view/table already untracked: "track"',
  },
  {
    of: 'a table others depend on',
    ask: op('pg_untrack_table', { table: 'album' }),
    code: 'dependency-error',
    path: '$.args',
    error:
      'cannot drop due to the following dependent objects: permission artist.user.select in source "default", relationship artist.albums in source "default"',
  },
  {
    of: 'tables twice in a list',
    ask: op('pg_track_tables', { tables: ['track', 'track'] }),
    code: 'bad-request',
    path: '$.args.tables',
    error: 'The following tables occur more than once in the request: track',
  },
  {
    of: 'a list of which all fail',
    ask: op('pg_track_tables', { tables: ['nothing', 'artist'] }),
    code: 'invalid-configuration',
    path: '$.args',
    error: 'all tables failed to track',
  },
  {
    of: 'a list without warnings',
    ask: op('pg_track_tables', { tables: ['nothing', 'track'], allow_warnings: false }),
    code: 'metadata-warnings',
    path: '$.args',
    error: 'failed due to metadata warnings',
  },
  {
    of: 'a list of untracked ones',
    ask: op('pg_untrack_tables', { tables: ['track'] }),
    code: 'invalid-configuration',
    path: '$.args',
    error: 'all tables failed to untrack',
  },
  {
    of: 'customising an untracked table',
    ask: op('pg_set_table_customization', { table: 'track' }),
    code: 'not-exists',
    path: '$.args',
    error: 'table "track" does not exist in source: default',
  },
  {
    of: 'customising a column that is not there',
    ask: op('pg_set_table_customization', {
      table: 'artist',
      configuration: { column_config: { no: { custom_name: 'a' } } },
    }),
    code: 'not-exists',
    path: '$.args',
    error: 'configuration was given for the column "no", but no such column exists',
  },
  {
    of: 'two columns under one name',
    ask: op('pg_set_table_customization', { table: 'artist', configuration: { custom_column_names: { id: 'name' } } }),
    code: 'already-exists',
    path: '$.args',
    error: 'the columns "id" and "name" have the same field name "name"',
  },
  {
    of: 'a root field twice in one table',
    ask: op('pg_set_table_customization', {
      table: 'artist',
      configuration: { custom_root_fields: { select: 'a', select_by_pk: 'a' } },
    }),
    code: 'parse-failed',
    path: '$.args.configuration.custom_root_fields',
    error: 'the following custom root field names are duplicated: a',
  },
  {
    of: 'a column under the name of a relationship',
    ask: op('pg_set_table_customization', {
      table: 'artist',
      configuration: { custom_column_names: { born: 'albums' } },
    }),
    code: 'unexpected',
    path: '$.args',
    error: 'cannot continue due to new inconsistent metadata',
  },
  // relationships (§2.4)
  {
    of: 'a field twice',
    ask: op('pg_create_object_relationship', { table: 'album', name: 'artist', using: toArtist }),
    code: 'already-exists',
    path: '$.args',
    error: 'field with name "artist" already exists in table "album"',
  },
  {
    of: 'a relationship called like a column',
    ask: op('pg_create_object_relationship', { table: 'album', name: 'title', using: toArtist }),
    code: 'invalid-configuration',
    path: '$.args',
    error: `${inconsistent}field definition conflicts with postgres column`,
  },
  {
    of: 'no foreign key',
    ask: op('pg_create_object_relationship', {
      table: 'album',
      name: 'other',
      using: { foreign_key_constraint_on: 'year' },
    }),
    code: 'invalid-configuration',
    path: '$.args',
    error: `${inconsistent}in table "album": in relationship "other": no foreign constraint exists on the given column(s)`,
  },
  {
    of: 'neither way to relate',
    ask: op('pg_create_object_relationship', { table: 'album', name: 'other', using: {} }),
    code: 'parse-failed',
    path: '$.args.using',
    error: 'atleast one of foreign_key_constraint_on, manual_configuration should be present',
  },
  {
    of: 'dropping no relationship',
    ask: op('pg_drop_relationship', { table: 'album', relationship: 'other' }),
    code: 'not-exists',
    path: '$.args',
    error: 'relationship "other" does not exist in table "album"',
  },
  {
    of: 'dropping what a permission uses',
    ask: op('pg_drop_relationship', { table: 'artist', relationship: 'albums' }),
    code: 'dependency-error',
    path: '$.args',
    error: 'cannot drop due to the following dependent objects: permission artist.user.select in source "default"',
  },
  {
    of: 'renaming to a column',
    ask: op('pg_rename_relationship', { table: album, name: 'artist', new_name: 'title' }),
    code: 'already-exists',
    path: '$.args',
    error: 'field with name "title" already exists in table "album"',
  },
  {
    of: 'renaming nothing',
    ask: op('pg_rename_relationship', { table: album, name: 'other', new_name: 'more' }),
    code: 'not-exists',
    path: '$.args',
    error: 'relationship "other" does not exist in table "album"',
  },
  {
    of: 'a comment on nothing',
    ask: op('pg_set_relationship_comment', { table: album, relationship: 'other', comment: 'x' }),
    code: 'not-exists',
    path: '$.args',
    error: 'relationship "other" does not exist in table "album"',
  },
  // permissions (§2.7)
  {
    of: 'a permission twice',
    ask: op('pg_create_select_permission', { table: 'artist', role: 'user', permission: { columns: '*', filter: {} } }),
    code: 'already-exists',
    path: '$.args',
    error: 'select permission already defined on table "artist" with role "user"',
  },
  {
    of: 'a permission for the admin',
    ask: op('pg_create_select_permission', { table: 'album', role: 'admin', permission: { columns: '*', filter: {} } }),
    code: 'already-exists',
    path: '$.args',
    error: 'select permission already defined on table "album" with role "admin"',
  },
  {
    of: 'a permission on an untracked table',
    ask: permission({}, 'track'),
    code: 'not-exists',
    path: '$.args',
    error: 'table "track" does not exist in source: default',
  },
  {
    of: 'a column that is not there',
    ask: permission({ columns: ['no'] }),
    code: 'invalid-configuration',
    path: '$.args',
    error: `${inconsistent}in table "album": in permission for role "new": column "no" does not exist`,
  },
  {
    of: 'a negative limit',
    ask: permission({ limit: -1 }),
    code: 'not-supported',
    path: '$.args',
    error: 'unexpected negative value',
  },
  {
    of: 'aggregates that are not allowed',
    ask: permission({ query_root_fields: ['select_aggregate'] }),
    code: 'validation-failed',
    path: '$.args',
    error:
      'The "select_aggregate" root field can only be enabled in the query_root_fields if "allow_aggregations" is set to true',
  },
  {
    of: 'by_pk without the key',
    ask: permission({ columns: ['title'], query_root_fields: ['select_by_pk'] }),
    code: 'validation-failed',
    path: '$.args',
    error:
      'The "select_by_pk" field cannot be included in the query_root_fields because the role "new" does not have access to the primary key of the table "album"',
  },
  {
    of: 'dropping no permission',
    ask: op('pg_drop_select_permission', { table: 'album', role: 'user' }),
    code: 'permission-denied',
    path: '$.args',
    error: 'select permission on "album" for role "user" does not exist',
  },
  {
    of: 'a comment on no permission',
    ask: op('pg_set_permission_comment', { table: 'artist', role: 'user', type: 'delete' }),
    code: 'permission-denied',
    path: '$.args',
    error: 'delete permission on "artist" for role "user" does not exist',
  },
  // bulks (§1.7)
  {
    of: 'a member of a bulk',
    ask: op('bulk', [op('pg_track_table', { table: 'track' }), op('pg_track_table', { table: 'artist' })]),
    code: 'already-tracked',
    path: '$.args[1].args',
    error: 'view/table already tracked: "artist"',
  },
  {
    of: 'a member of a bulk in a bulk',
    ask: op('bulk', [op('bulk', [op('pg_track_table', { table: 'artist' })])]),
    code: 'already-tracked',
    path: '$.args[0].args[0].args',
    error: 'view/table already tracked: "artist"',
  },
  {
    of: 'the end of an atomic bulk',
    ask: op('bulk_atomic', [op('pg_drop_relationship', { table: 'artist', relationship: 'albums' })]),
    code: 'bad-request',
    path: '$.args',
    error: 'Schema inconsistency',
  },
  {
    of: 'a member of an atomic bulk',
    ask: op('bulk_atomic', [op('pg_track_table', { table: 'artist' })]),
    code: 'already-tracked',
    path: '$.args[0].args',
    error: 'view/table already tracked: "artist"',
  },
  {
    of: 'reading in an atomic bulk',
    ask: op('bulk_atomic', [op('export_metadata', {})]),
    code: 'not-supported',
    path: '$.args[0].args',
    error: '"export_metadata" changes no metadata that could be tried',
  },
  {
    of: 'SQL in an atomic bulk',
    ask: op('bulk_atomic', [op('run_sql', { sql: '' })]),
    code: 'not-supported',
    path: '$.args[0].args',
    error: '"run_sql" changes no metadata that could be tried',
  },
  // whole documents (§4)
  {
    of: 'metadata that is none',
    ask: op('replace_metadata', { version: 3, sources: 7 }),
    code: 'parse-failed',
    path: '$.args.sources',
    error: 'expected list',
  },
  {
    of: 'inconsistent metadata',
    ask: op('replace_metadata', {
      version: 3,
      sources: [
        {
          name: 'far',
          kind: 'postgres',
          tables: [],
          configuration: { connection_info: { database_url: { from_env: 'SVC_NOWHERE' } } },
        },
      ],
    }),
    code: 'unexpected',
    path: '$.args',
    error: 'cannot continue due to inconsistent metadata',
  },
  {
    of: 'reloading a source nobody knows',
    ask: op('reload_metadata', { reload_sources: ['far'] }),
    code: 'not-exists',
    path: '$.args',
    error: 'Source with name "far" not found in metadata',
  },
  {
    of: 'reloading a remote schema nobody knows',
    ask: op('reload_metadata', { reload_remote_schemas: ['far'] }),
    code: 'not-exists',
    path: '$.args',
    error: 'Remote schema with name "far" not found in metadata',
  },
  // rows and SQL (§2.16; reference/row-api)
  {
    of: 'SQL in no source',
    endpoint: '/v2/query',
    ask: op('run_sql', { sql: 'SELECT 1', source: 'far' }),
    code: 'not-exists',
    path: '$',
    error: 'source with name "far" does not exist',
  },
  {
    of: 'SQL that is none',
    endpoint: '/v2/query',
    ask: op('run_sql', { sql: 'SELEC 1' }),
    code: 'postgres-error',
    path: '$',
    error: 'query execution failed',
  },
  {
    of: 'SQL that is none, on /v1/query',
    endpoint: '/v1/query',
    ask: op('bulk', [op('run_sql', { sql: 'SELEC 1' })]),
    code: 'postgres-error',
    path: '$.args[0].args',
    error: 'query execution failed',
  },
  {
    of: 'SQL that is none, in a bulk of /v2/query',
    endpoint: '/v2/query',
    ask: op('bulk', [op('run_sql', { sql: 'SELEC 1' })]),
    code: 'postgres-error',
    path: '$[0]',
    error: 'query execution failed',
  },
  {
    of: 'SQL that drops a used column',
    endpoint: '/v2/query',
    ask: op('run_sql', { sql: 'ALTER TABLE album DROP COLUMN title' }),
    code: 'dependency-error',
    path: '$',
    error: 'cannot drop due to the following dependent objects: permission artist.user.select in source "default"',
  },
  {
    of: 'SQL that changes a type underneath a permission',
    endpoint: '/v2/query',
    ask: op('run_sql', {
      sql: 'ALTER TABLE album ALTER COLUMN title TYPE bytea USING NULL; ALTER TABLE album ADD COLUMN artist int',
    }),
    code: 'dependency-error',
    path: '$',
    error:
      'cannot change type of column "title" in table "album" because of the following dependencies: permission artist.user.select in source "default"',
  },
  {
    of: 'rows of an untracked table',
    endpoint: '/v1/query',
    ask: op('insert', { table: 'track', objects: [{}] }),
    code: 'not-exists',
    path: '$.args.table',
    error: 'table "track" does not exist',
  },
  {
    of: 'rows of a role without a permission',
    endpoint: '/v1/query',
    role: 'user',
    ask: op('insert', { table: 'artist', objects: [{}] }),
    code: 'permission-denied',
    path: '$.args',
    error: 'insert on "artist" for role "user" is not allowed. ',
  },
  {
    of: 'rows compared with a column behind a relationship',
    endpoint: '/v1/query',
    ask: op('select', { table: 'artist', columns: ['id'], where: { id: { _ceq: ['albums', 'id'] } } }),
    code: 'not-supported',
    path: '$.args.where.id._ceq',
    error: 'relationships are not supported in column comparisons',
  },
  {
    of: 'an update of rows that conflict with nothing',
    endpoint: '/v1/query',
    ask: op('insert', { table: 'artist', objects: [{}], on_conflict: { action: 'update', constraint_on: [] } }),
    code: 'unexpected-payload',
    path: '$.args.on_conflict',
    error: 'expecting "constraint" or "constraint_on" when the "action" is "update"',
  },
  {
    of: 'SQL that the protocol would cut',
    endpoint: '/v2/query',
    ask: op('run_sql', { sql: 'SELECT 1\0' }),
    code: 'parse-failed',
    path: '$.args.sql',
    error: 'text with a NUL character cannot be stored',
  },
  {
    of: 'no rows',
    endpoint: '/v1/query',
    ask: op('insert', { table: 'artist', objects: [] }),
    code: 'parse-failed',
    path: '$.objects',
    error: 'expected a non-empty list, encountered an empty one',
  },
  {
    of: 'root fields of a function with one name',
    ask: op('pg_track_function', {
      function: 'f',
      configuration: { custom_root_fields: { function: 'x', function_aggregate: 'x' } },
    }),
    code: 'parse-failed',
    path: '$.args.configuration.custom_root_fields',
    error: 'the following custom root field names are duplicated: x',
  },
  {
    of: 'a remote schema without an address',
    ask: op('add_remote_schema', { name: 'r', definition: {} }),
    code: 'invalid-params',
    path: '$.args',
    error: "both `url` and `url_from_env` can't be empty",
  },
  {
    of: 'a remote schema with two addresses',
    ask: op('add_remote_schema', { name: 'r', definition: { url: 'http://127.0.0.1:9', url_from_env: 'URL' } }),
    code: 'invalid-params',
    path: '$.args',
    error: "both `url` and `url_from_env` can't be present",
  },
  // dry runs (docs/dry-run.md)
  {
    of: 'a dry run of what changes nothing',
    ask: op('export_metadata', {}, { dry_run: true }),
    code: 'not-supported',
    path: '$.dry_run',
    error: '"export_metadata" changes no metadata that could be tried',
  },
  {
    of: 'a dry run of SQL',
    ask: op('bulk', [op('run_sql', { sql: '' })], { dry_run: true }),
    code: 'not-supported',
    path: '$.dry_run',
    error: '"run_sql" changes no metadata that could be tried',
  },
  {
    of: 'a dry run for a stale version',
    ask: op('pg_track_table', { table: 'track' }, { dry_run: true, resource_version: 1 }),
    status: 409,
    code: 'conflict',
    path: '$',
    error: 'metadata resource version referenced (1) did not match current version',
  },
  {
    of: 'a plan without an id',
    ask: op('pg_track_table', { table: 'track' }, { dry_run: { plan: 'mine' } }),
    code: 'parse-failed',
    path: '$.dry_run.plan',
    error: 'expected a UUID',
  },
]

describe('a refused request names its code, path and reason, and changes nothing', () => {
  let service: TestService
  let exported: string
  const exportNow = async () => JSON.stringify((await service.metadata('export_metadata', {}, { version: 2 })).body)
  const cleanUps: (() => Promise<void>)[] = []
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp()
  })
  before(async () => {
    service = await startService({ after: (cleanUp) => void cleanUps.unshift(cleanUp) }, musicTables)
    const { status, body } = await service.metadata('bulk', setUp)
    assert.equal(status, 200, JSON.stringify(body))
    exported = await exportNow()
  })

  for (const { of, ask, status = 400, code, path, error, endpoint = '/v1/metadata', role } of refusals)
    test(`${code}: ${of}`, async () => {
      const answer = await service.ask(endpoint, ask, role)
      const { internal: _, ...body } = answer.body
      assert.deepEqual({ status: answer.status, ...body }, { status, error, path, code })
      assert.equal(await exportNow(), exported)
    })
})
