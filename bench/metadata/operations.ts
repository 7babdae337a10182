import { type ProjectSize, role } from './project.ts'

/** Operations and the arguments of each time; what one creates another removes. */
export function operationsOn(size: ProjectSize): readonly (readonly [string, (i: number) => unknown])[] {
  const using = { foreign_key_constraint_on: 'parent_id' }
  const filter = { parent: { id: { _eq: 'X-Svc-User-Id' } } }
  const permission = { columns: ['id', 'name'], filter }
  const name = (i: number) => `t${(i * 37 + 60) % size.tables}`
  return [
    ['pg_create_select_permission', (i) => ({ table: name(i), role: 'bench', permission })],
    ['pg_drop_select_permission', (i) => ({ table: name(i), role: 'bench' })],
    ['pg_create_object_relationship', (i) => ({ table: name(i), name: 'bench', using })],
    ['pg_drop_relationship', (i) => ({ table: name(i), relationship: 'bench' })],
    ['pg_track_table', (i) => ({ table: `u${i % 100}` })],
    ['pg_set_table_customization', (i) => ({ table: `u${i % 100}`, configuration: { custom_name: `custom_${i}` } })],
    ['pg_untrack_table', (i) => ({ table: `u${i % 100}` })],
    ['pg_untrack_function', (i) => ({ function: `f${i % 50}` })],
    ['pg_track_function', (i) => ({ function: `f${i % 50}` })],
    ['pg_untrack_native_query', (i) => ({ root_field_name: `native_${i % 50}` })],
    [
      'pg_track_native_query',
      (i) => ({
        root_field_name: `native_${i % 50}`,
        code: `SELECT id, name FROM t${i % 50} WHERE id > {{least}}`,
        arguments: { least: { type: 'integer', nullable: false } },
        returns: 'thing',
      }),
    ],
    ['pg_delete_event_trigger', (i) => ({ name: `trigger_${i % 50}` })],
    [
      'pg_create_event_trigger',
      (i) => ({
        name: `trigger_${i % 50}`,
        table: `t${i % 50}`,
        insert: { columns: '*' },
        webhook: 'http://127.0.0.1:9/',
      }),
    ],
    [
      'add_query_to_collection',
      (i) => ({ collection_name: 'stored', query_name: `more${i}`, query: `query more${i} { t${i} { id } }` }),
    ],
    ['drop_query_from_collection', (i) => ({ collection_name: 'stored', query_name: `more${i}` })],
    ['add_inherited_role', (i) => ({ role_name: `both_${i}`, role_set: [role(0), role(1)] })],
    ['drop_inherited_role', (i) => ({ role_name: `both_${i}` })],
    [
      'create_rest_endpoint',
      (i) => ({
        name: `rest_${i}`,
        url: `rest/${i}`,
        methods: ['GET'],
        definition: { query: { collection_name: 'stored', query_name: `q${i}` } },
      }),
    ],
    ['drop_rest_endpoint', (i) => ({ name: `rest_${i}` })],
    [
      'create_cron_trigger',
      (i) => ({ name: `cron_${i}`, webhook: 'http://127.0.0.1:9/', schedule: '0 0 1 1 *', include_in_metadata: true }),
    ],
    ['delete_cron_trigger', (i) => ({ name: `cron_${i}` })],
  ]
}
