/** One valid call of each operation of SQL Server, in an order in which each has what it needs. */
export interface ValidCall {
  /** Without the prefix. */
  readonly name: string
  readonly args: object
  /** What it answers; absent: 200. */
  readonly refusal?: string
}

const source = 'op'
const author = 'op_author'
const book = 'op_book'
const role = 'clerk'
const named = { source, name: 'written' }
const cleanups = { event_triggers: { sources: '*' } }
const permission = (kind: string, of: object): readonly ValidCall[] => [
  { name: `create_${kind}_permission`, args: { source, table: book, role, permission: of } },
  ...(kind === 'select'
    ? [{ name: 'set_permission_comment', args: { source, table: book, role, type: kind, comment: 'all of them' } }]
    : []),
  { name: `drop_${kind}_permission`, args: { source, table: book, role } },
]
const toAuthor = {
  to_source: { source, table: author, relationship_type: 'object', field_mapping: { author_id: 'id' } },
}
const found = {
  source,
  name: 'op_found',
  fields: [{ name: 'id', type: { scalar: 'int' } }],
}

const runSql = (sql: string): ValidCall => ({ name: 'run_sql', args: { source, sql } })

/** Up to a first event, whose id the later ones need. */
export const callsUntilEvent = (connection_string: string, webhook: string): readonly ValidCall[] => {
  const configuration = { connection_info: { connection_string } }
  return [
    { name: 'add_source', args: { name: source, configuration } },
    { name: 'update_source', args: { name: source, customization: { root_fields: { prefix: 'op_' } } } },
    runSql('DROP TABLE IF EXISTS op_book; DROP TABLE IF EXISTS op_author; DROP PROCEDURE IF EXISTS op_first'),
    runSql(`CREATE TABLE op_author (id int PRIMARY KEY); CREATE TABLE op_book (id int PRIMARY KEY, title nvarchar(20) NULL,
      author_id int NULL REFERENCES op_author(id))`),
    runSql('CREATE PROCEDURE op_first @n int AS SELECT TOP (@n) id FROM op_book'),
    { name: 'get_source_tables', args: { source } },
    { name: 'track_table', args: { source, table: author } },
    { name: 'track_tables', args: { tables: [{ source, table: book }] } },
    { name: 'get_table_info', args: { source, table: book }, refusal: 'get_table_info not yet supported in MSSQL!' },
    { name: 'set_table_customization', args: { source, table: book, configuration: { custom_name: 'volume' } } },
    { name: 'set_apollo_federation_config', args: { source, table: book, apollo_federation_config: { enable: 'v1' } } },
    { name: 'suggest_relationships', args: { source } },
    {
      name: 'create_object_relationship',
      args: { source, table: book, name: 'author', using: { foreign_key_constraint_on: 'author_id' } },
    },
    {
      name: 'create_array_relationship',
      args: {
        source,
        table: author,
        name: 'books',
        using: { foreign_key_constraint_on: { table: book, column: 'author_id' } },
      },
    },
    { name: 'set_relationship_comment', args: { source, table: author, name: 'books', comment: 'by them' } },
    { name: 'rename_relationship', args: { source, table: author, name: 'books', new_name: 'works' } },
    { name: 'drop_relationship', args: { source, table: author, relationship: 'works' } },
    { name: 'create_remote_relationship', args: { source, table: book, name: 'writer', definition: toAuthor } },
    { name: 'update_remote_relationship', args: { source, table: book, name: 'writer', definition: toAuthor } },
    { name: 'delete_remote_relationship', args: { source, table: book, name: 'writer' } },
    ...permission('select', { columns: '*', filter: { author_id: { _eq: 'X-Svc-User-Id' } } }),
    ...permission('insert', { columns: '*', check: {} }),
    ...permission('update', { columns: ['title'], filter: {} }),
    ...permission('delete', { filter: {} }),
    { name: 'track_logical_model', args: found },
    {
      name: 'create_logical_model_select_permission',
      args: { source, name: 'op_found', role, permission: { columns: '*', filter: {} } },
    },
    { name: 'get_logical_model', args: { source } },
    {
      name: 'track_native_query',
      args: { source, root_field_name: 'op_all', code: 'SELECT id FROM op_book', returns: 'op_found' },
    },
    { name: 'get_native_query', args: { source } },
    {
      name: 'track_stored_procedure',
      args: {
        source,
        stored_procedure: 'op_first',
        configuration: { exposed_as: 'query' },
        returns: 'op_found',
        arguments: { n: { type: 'int' } },
      },
    },
    { name: 'get_stored_procedure', args: { source } },
    { name: 'untrack_stored_procedure', args: { source, stored_procedure: 'op_first' } },
    { name: 'untrack_native_query', args: { source, root_field_name: 'op_all' } },
    { name: 'drop_logical_model_select_permission', args: { source, name: 'op_found', role } },
    { name: 'untrack_logical_model', args: { source, name: 'op_found' } },
    {
      name: 'create_event_trigger',
      args: {
        ...named,
        table: book,
        webhook,
        insert: { columns: '*' },
        enable_manual: true,
        cleanup_config: { schedule: '0 0 * * *', clear_older_than: 1 },
      },
    },
    { name: 'invoke_event_trigger', args: { ...named, payload: { id: 1 } } },
    { name: 'get_event_logs', args: named },
    { name: 'get_event_invocation_logs', args: named },
  ]
}

export const callsAfterEvent = (event_id: string): readonly ValidCall[] => [
  { name: 'get_event_by_id', args: { source, event_id } },
  { name: 'redeliver_event', args: { source, event_id } },
  { name: 'pause_event_trigger_cleanups', args: cleanups },
  { name: 'resume_event_trigger_cleanups', args: cleanups },
  { name: 'cleanup_event_trigger_logs', args: { source, event_trigger_name: 'written', clear_older_than: 1 } },
  { name: 'delete_event_trigger', args: named },
  { name: 'untrack_table', args: { source, table: author, cascade: true } },
  { name: 'untrack_tables', args: { tables: [{ source, table: book }] } },
  runSql('DROP TABLE op_book; DROP TABLE op_author; DROP PROCEDURE op_first'),
  { name: 'drop_source', args: { name: source } },
]
