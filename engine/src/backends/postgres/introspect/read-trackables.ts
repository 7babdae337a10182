import type { QualifiedName } from '../../../ir/index.ts'
import type { Trackables } from '../../backend.ts'
import { type Sql, sql } from '../../sql.ts'
import type { Ask } from './ask.ts'
import { ownNamespace } from './catalogue.ts'

/** Names of the functions that are not an extension's, by schema and name, and of tables that are an extension's or partitions. */
export async function readTrackables(ask: Ask): Promise<Trackables> {
  const rows = await ask(listed, 'svc_read_trackables')
  const named = (wanted: string): readonly QualifiedName[] =>
    rows.flatMap(([what, schema, name]) => (what === wanted ? [{ schema: schema ?? '', name: name ?? '' }] : []))
  return { functions: named('routine'), subordinate: named('relation') }
}

/** Rows of [routine or relation, schema, name]. */
const listed: Sql = sql`
SELECT DISTINCT 'routine', n.nspname::text, p.proname::text
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
WHERE p.prokind = 'f' AND ${ownNamespace} AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
  WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
UNION ALL
SELECT 'relation', n.nspname::text, c.relname::text
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE ${ownNamespace} AND (c.relispartition OR EXISTS (SELECT FROM pg_catalog.pg_depend d
  WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'))
ORDER BY 1, 2, 3`
