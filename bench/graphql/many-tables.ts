/** A database of many tables of ten columns, each with a foreign key to another, and their metadata for some roles. */
import { createTestDatabase } from '../../test/postgres.ts'
import { run } from './store.ts'

export async function createTables(count: number): Promise<{ readonly data: string; readonly metadata: string }> {
  const data = await createTestDatabase()
  const columns = Array.from({ length: 7 }, (_, i) => `c${i} ${['text', 'int', 'numeric', 'timestamptz'][i % 4]}`)
  // few statements: a thousand tables in one of them would need more locks than the server has
  for (let from = 0; from < count; from += 250)
    await run(
      data.url,
      `DO $$ BEGIN FOR i IN ${from}..${Math.min(from + 250, count) - 1} LOOP
        EXECUTE format('CREATE TABLE t%s (id int PRIMARY KEY, store_id int, parent_id int ${from === 0 ? '' : 'REFERENCES t0'}, ${columns.join(', ')})', i);
        EXECUTE format('CREATE INDEX ON t%s (parent_id)', i);
      END LOOP; END $$`,
    )
  await run(data.url, 'INSERT INTO t0 (id, store_id, parent_id) SELECT i, 1, 1 FROM generate_series(1, 10) i')
  return { data: data.url, metadata: (await createTestDatabase()).url }
}

/** Each table has a `parent`, the table before it, and `children`, the table after it. */
export function tablesMetadata(count: number, roles: readonly string[]): readonly object[] {
  const name = (i: number) => `t${(i + count) % count}`
  const toParent = (table: string) => ({
    manual_configuration: { remote_table: { schema: 'public', name: table }, column_mapping: { parent_id: 'id' } },
  })
  const toChildren = (table: string) => ({
    manual_configuration: { remote_table: { schema: 'public', name: table }, column_mapping: { id: 'parent_id' } },
  })
  return Array.from({ length: count }, (_, i) => ({
    table: { schema: 'public', name: name(i) },
    object_relationships: [{ name: 'parent', using: toParent(name(i - 1)) }],
    array_relationships: [{ name: 'children', using: toChildren(name(i + 1)) }],
    select_permissions: roles.map((role) => ({
      role,
      permission: { columns: '*', filter: { store_id: { _eq: 'X-Svc-Store-Id' } }, allow_aggregations: true },
    })),
  }))
}
