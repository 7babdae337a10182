/**
 * The two questions to the catalogue: which tables are there, with a fingerprint each; and all about some of them.
 * Both are correlated look-ups by index for each table in `scope`, so that one table costs the same beside any number
 * of others (2,000 tables: 45 ms for all fingerprints, 0.3 ms for one table). Privileges hide none of these rows.
 */
import { bind, type Sql, sql } from '../../sql.ts'

/** Which rows of pg_class (`c`, in the namespace `n`) are looked at. */
export type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'oids'; readonly oids: readonly string[] }
  | { readonly kind: 'names'; readonly schemas: readonly string[]; readonly names: readonly string[] }

/** Rows of [oid, schema, name, fingerprint]. */
export const listTables = (scope: Scope): Sql<ListSlot> => sql`
SELECT c.oid::text, n.nspname, c.relname, ${fingerprint}
FROM ${relations(scope)}
ORDER BY n.nspname, c.relname`

/** Rows of [oid, schema, name, fingerprint, relkind, comment, updatable, columns, indexes, foreign keys, inserts alone, writes alone]. */
export const readTables = (scope: Scope): Sql<ListSlot> => sql`
SELECT c.oid::text, n.nspname, c.relname, ${fingerprint}, c.relkind::text,
  pg_catalog.obj_description(c.oid, 'pg_class'), ${updatable}::text, ${columns}::text, ${indexes}::text, ${foreignKeys}::text,
  ${insertsAlone}::text, ${writesAlone}::text
FROM ${relations(scope)}
ORDER BY n.nspname, c.relname`

/** An array parameter. */
export type ListSlot = readonly string[]

function relations(scope: Scope): Sql<ListSlot> {
  const from = sql`pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`
  switch (scope.kind) {
    case 'all':
      return sql`${from} WHERE ${trackable}`
    case 'oids':
      return sql`${from} WHERE c.oid = ANY(${bind(scope.oids)}::oid[]) AND ${trackable}`
    case 'names':
      return sql`unnest(${bind(scope.schemas)}::text[], ${bind(scope.names)}::text[]) AS wanted (schema, name)
JOIN pg_catalog.pg_namespace n ON n.nspname = wanted.schema::name
JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name::name
WHERE ${trackable}`
  }
}

/** Names that begin with pg_ are reserved: pg_catalog, pg_toast and the temporary schemas. */
export const ownNamespace: Sql = sql`n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'svc_catalog')`
export const trackableKinds: Sql = sql`'r', 'v', 'm', 'f', 'p'`
const trackable: Sql = sql`c.relkind IN (${trackableKinds}) AND ${ownNamespace}`

const isCall: Sql = sql`p.refclassid IN ('pg_catalog.pg_proc'::regclass, 'pg_catalog.pg_operator'::regclass)`

/**
 * Bits as pg_relation_is_updatable has them: 4 update, 8 insert, 16 delete. Only views can lack some
 * (reference/graphql-schema#root-fields).
 */
const updatable: Sql = sql`(CASE c.relkind WHEN 'v' THEN pg_catalog.pg_relation_is_updatable(c.oid, true)
  WHEN 'm' THEN 0 ELSE 28 END)`

/**
 * Inserting a row runs nothing that could look at tables. Foreign keys are checked once a statement has ended. What depends
 * on a function or an operator of pg_catalog has no row in pg_depend.
 */
const insertsAlone: Sql = sql`(c.relkind = 'r' AND NOT c.relispartition AND NOT c.relhasrules AND NOT c.relrowsecurity
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal)
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND t.typelem > 0
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid >= 12000
      AND COALESCE(e.typtype, t.typtype) NOT IN ('b', 'e'))
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_index i JOIN pg_catalog.pg_depend p
    ON p.classid = 'pg_catalog.pg_class'::regclass AND p.objid = i.indexrelid AND ${isCall}
    WHERE i.indrelid = c.oid AND (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL))
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_attrdef d JOIN pg_catalog.pg_depend p
    ON p.classid = 'pg_catalog.pg_attrdef'::regclass AND p.objid = d.oid AND ${isCall} WHERE d.adrelid = c.oid)
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_depend p
    ON p.classid = 'pg_catalog.pg_constraint'::regclass AND p.objid = k.oid AND ${isCall}
    WHERE k.conrelid = c.oid AND k.contype = 'c'))`

/**
 * Nor does changing or deleting one: no foreign key of another table passes it on, and no table inherits, which may have
 * triggers of its own.
 */
const writesAlone: Sql = sql`(${insertsAlone} AND NOT c.relhassubclass AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger g
  JOIN pg_catalog.pg_proc p ON p.oid = g.tgfoid
  WHERE g.tgrelid = c.oid AND p.proname ~ '^RI_FKey_(cascade|setnull|setdefault)_'))`

/**
 * Types below are those of pg_catalog: no user changes them, and none is a domain. From 12000 on initdb makes the
 * domains of information_schema, which end at their base type like a user's.
 */
const firstDomainOid: Sql = sql`12000`

/** [schema, name, typtype, is array], as the engine means types: domains replaced by what they are made of, arrays by their element. */
export const resolvedType = (type: Sql): Sql => sql`(CASE WHEN ${type} < ${firstDomainOid} THEN ${builtInType(type)}
  ELSE ${userType(type)} END)`

const builtInType = (type: Sql): Sql => sql`(
  SELECT pg_catalog.json_build_array('pg_catalog', COALESCE(e.typname, t.typname), COALESCE(e.typtype, t.typtype), e.oid IS NOT NULL)
  FROM pg_catalog.pg_type t LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND e.typarray = t.oid
  WHERE t.oid = ${type})`

/** The same of a type as it is written: domains are left as they are. */
export const writtenType = (type: Sql): Sql => sql`(
  SELECT pg_catalog.json_build_array(tn.nspname, COALESCE(e.typname, t.typname), COALESCE(e.typtype, t.typtype), e.oid IS NOT NULL)
  FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace tn ON tn.oid = t.typnamespace
  LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND e.typarray = t.oid
  WHERE t.oid = ${type})`

/** A domain over an array of domains over … is followed to its end. 60 µs, so not for every column. */
const userType = (type: Sql): Sql => sql`(
  WITH RECURSIVE step (oid, is_array) AS (
    SELECT ${type}, false
    UNION ALL
    SELECT CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.typelem END, s.is_array OR t.typtype <> 'd'
    FROM step s JOIN pg_catalog.pg_type t ON t.oid = s.oid
    LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem
    WHERE t.typtype = 'd' OR e.typarray = t.oid
  )
  SELECT pg_catalog.json_build_array(tn.nspname, t.typname, t.typtype, s.is_array)
  FROM step s JOIN pg_catalog.pg_type t ON t.oid = s.oid JOIN pg_catalog.pg_namespace tn ON tn.oid = t.typnamespace
  LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem
  WHERE t.typtype <> 'd' AND e.typarray IS DISTINCT FROM t.oid)`

/** Of each column: [position, name, not null, has default, identity, generated, type, comment]. */
const columns: Sql = sql`(
  SELECT pg_catalog.json_agg(pg_catalog.json_build_array(a.attnum, a.attname, a.attnotnull, a.atthasdef, a.attidentity,
    a.attgenerated, ${resolvedType(sql`a.atttypid`)}, d.description) ORDER BY a.attnum)
  FROM pg_catalog.pg_attribute a
  LEFT JOIN pg_catalog.pg_description d
    ON d.objoid = c.oid AND d.classoid = 'pg_catalog.pg_class'::regclass AND d.objsubid = a.attnum
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)`

/** Unique indexes, the primary key's among them: [name, primary, partial, columns, whether it is a constraint's]. */
const indexes: Sql = sql`(
  SELECT pg_catalog.json_agg(pg_catalog.json_build_array(ic.relname, i.indisprimary,
    i.indpred IS NOT NULL OR i.indexprs IS NOT NULL,
    (SELECT pg_catalog.json_agg(a.attname ORDER BY k.place)
     FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, place)
     JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
     WHERE k.place <= i.indnkeyatts),
    EXISTS (SELECT FROM pg_catalog.pg_constraint u WHERE u.conindid = i.indexrelid AND u.contype IN ('p', 'u'))
    ) ORDER BY ic.relname)
  FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class ic ON ic.oid = i.indexrelid
  WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid)`

/**
 * [name, oid, target schema, target name, columns, target columns]. A key to a partitioned table has a row of its own
 * for each of its partitions, below the row that the user made: those are left out.
 */
const foreignKeys: Sql = sql`(
  SELECT pg_catalog.json_agg(pg_catalog.json_build_array(f.conname, f.oid::text, tn.nspname, tc.relname,
    ${columnNames(sql`f.conrelid`, sql`f.conkey`)}, ${columnNames(sql`f.confrelid`, sql`f.confkey`)}) ORDER BY f.conname)
  FROM pg_catalog.pg_constraint f
  JOIN pg_catalog.pg_class tc ON tc.oid = f.confrelid JOIN pg_catalog.pg_namespace tn ON tn.oid = tc.relnamespace
  WHERE f.conrelid = c.oid AND f.contype = 'f' AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_constraint parent WHERE parent.oid = f.conparentid AND parent.conrelid = f.conrelid))`

function columnNames(relation: Sql, positions: Sql): Sql {
  return sql`(SELECT pg_catalog.json_agg(a.attname ORDER BY k.place)
     FROM unnest(${positions}) WITH ORDINALITY AS k (attnum, place)
     JOIN pg_catalog.pg_attribute a ON a.attrelid = ${relation} AND a.attnum = k.attnum)`
}

/**
 * Changes whenever anything that `readTables` shows of the table may have changed: names and types as they are now (a
 * renamed target or type changes none of this table's own rows), else the transactions that last wrote the rows.
 */
const fingerprint: Sql = sql`pg_catalog.md5(pg_catalog.concat_ws('|', c.oid, n.nspname, c.relname, c.relkind, ${updatable}, ${insertsAlone}, ${writesAlone},
  (SELECT pg_catalog.string_agg(pg_catalog.concat_ws(':', a.attnum, a.xmin,
      CASE WHEN a.atttypid >= ${firstDomainOid} THEN ${resolvedType(sql`a.atttypid`)} END), ',' ORDER BY a.attnum)
    FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
  (SELECT pg_catalog.string_agg(d.xmin::text, ',' ORDER BY d.adnum)
    FROM pg_catalog.pg_attrdef d WHERE d.adrelid = c.oid),
  (SELECT pg_catalog.string_agg(pg_catalog.concat_ws(':', i.xmin, ic.relname), ',' ORDER BY i.indexrelid)
    FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class ic ON ic.oid = i.indexrelid
    WHERE i.indrelid = c.oid AND i.indisunique),
  (SELECT pg_catalog.string_agg(pg_catalog.concat_ws(':', f.oid, f.xmin, tn.nspname, tc.relname,
      (SELECT pg_catalog.string_agg(ta.attname, ',' ORDER BY ta.attnum) FROM pg_catalog.pg_attribute ta
       WHERE ta.attrelid = f.confrelid AND ta.attnum = ANY(f.confkey))), ',' ORDER BY f.oid)
    FROM pg_catalog.pg_constraint f
    JOIN pg_catalog.pg_class tc ON tc.oid = f.confrelid JOIN pg_catalog.pg_namespace tn ON tn.oid = tc.relnamespace
    WHERE f.conrelid = c.oid AND f.contype = 'f'),
  (SELECT pg_catalog.string_agg(pg_catalog.concat_ws(':', d.objsubid, d.xmin), ',' ORDER BY d.objsubid)
    FROM pg_catalog.pg_description d
    WHERE d.objoid = c.oid AND d.classoid = 'pg_catalog.pg_class'::regclass)))`
