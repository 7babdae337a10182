import { runOnDatabase } from '../admin/run-on-database.ts'

/** The catalogue's tables with their columns, indexes and constraints, and its functions: what an engine finds. */
export const catalogueShape = (url: string) =>
  runOnDatabase(
    url,
    `SELECT t.relname AS "table", jsonb_build_object(
       'columns', (SELECT jsonb_agg(jsonb_build_array(a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
           a.attcollation, pg_get_expr(d.adbin, d.adrelid)) ORDER BY a.attname)
         FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
         WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped),
       'indexes', (SELECT jsonb_agg(pg_get_indexdef(i.indexrelid) ORDER BY i.indexrelid::regclass::text)
         FROM pg_index i WHERE i.indrelid = t.oid),
       'constraints', (SELECT jsonb_agg(jsonb_build_array(c.conname, pg_get_constraintdef(c.oid)) ORDER BY c.conname)
         FROM pg_constraint c WHERE c.conrelid = t.oid)) AS shape
     FROM pg_class t WHERE t.relnamespace = 'svc_catalog'::regnamespace AND t.relkind = 'r'
     UNION ALL
     SELECT p.oid::regprocedure::text, to_jsonb(pg_get_functiondef(p.oid))
     FROM pg_proc p WHERE p.pronamespace = 'svc_catalog'::regnamespace
     ORDER BY 1`,
  )

/**
 * Every row of the tables with these names, as a text that has its table in front; without the version
 * of the catalogue, when it was migrated, and the columns that later versions have added.
 */
export async function catalogueRows(url: string, tables: readonly string[]): Promise<readonly string[]> {
  const selects = tables.map(
    (table) =>
      `SELECT '${table} ' || (to_jsonb(t) - '{version,upgraded_on,eventing_identity,owner}'::text[])::text AS row FROM svc_catalog.${table} t`,
  )
  const rows = await runOnDatabase(url, `${selects.join(' UNION ALL ')} ORDER BY 1`)
  return rows.map(({ row }) => String(row))
}

/** The version that a catalogue says it has. */
export const versionOfCatalogue = async (url: string): Promise<number> =>
  Number((await runOnDatabase(url, 'SELECT version FROM svc_catalog.svc_version'))[0]?.version)
