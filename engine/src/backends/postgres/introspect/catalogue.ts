/**
 * The two questions to the catalogue: which tables are there, with a fingerprint each; and all about some of them.
 * Both read each part of the catalogue once for all tables in `scope`, through its indexes where these are few: 5,000 tables
 * take 360 ms of the database's CPU, one table next to them 0.6 ms. Privileges hide none of these rows.
 */
import { bind, type Sql, sql } from '../../sql.ts'

/** Which rows of pg_class (`c`, in the namespace `n`) are read. No name may come twice. */
export type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'oids'; readonly oids: readonly string[] }
  | { readonly kind: 'names'; readonly schemas: readonly string[]; readonly names: readonly string[] }

/** Rows of [oid, schema, name, fingerprint]. */
export const listTables = (scope: Scope): Sql<ListSlot> => sql`
${described(scope)}
SELECT c.oid::text, c.nspname, c.relname, ${fingerprint} FROM described c ORDER BY c.nspname, c.relname`

/** Rows of [oid, schema, name, fingerprint, relkind, comment, updatable, columns, indexes, foreign keys, inserts alone, writes alone, reads alone]. */
export const readTables = (scope: Scope): Sql<ListSlot> => sql`
${described(scope)}
SELECT c.oid::text, c.nspname, c.relname, ${fingerprint}, c.relkind::text, c.comment, c.updatable::text, c.columns::text,
  c.indexes::text, c.keys::text, c.inserts_alone::text, (c.inserts_alone AND c.keeps_keys)::text, c.reads_alone::text
FROM described c ORDER BY c.nspname, c.relname`

/** An array parameter. */
export type ListSlot = readonly string[]

/**
 * A list is in a query of its own: else PostgreSQL estimates the plan for each list to be better than the generic one,
 * and all of it is planned for each call, which takes ten times as long as the answer. Many are looked up one by one
 * out of JSON, which the database takes for a hundred: of `unnest` it expects one table, of an array of oids ten, and
 * for 500 would go through each part of the catalogue 500 times (17 s, and 7).
 */
function relations(scope: Scope): Sql<ListSlot> {
  const columns = sql`SELECT c.oid, n.nspname, c.relname, c.relkind, c.relispartition, c.relhasrules, c.relrowsecurity,
    c.relhassubclass`
  const from = sql`pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`
  switch (scope.kind) {
    case 'all':
      return sql`${columns} FROM ${from} WHERE ${trackable}`
    case 'oids':
      if (!areMany(scope))
        return sql`${columns} FROM ${from} WHERE c.oid = ANY((SELECT ${bind(scope.oids)}::oid[])::oid[]) AND ${trackable}`
      return sql`SELECT c.*
  FROM (SELECT ${bind(scope.oids)}::text[] AS oids OFFSET 0) AS wanted,
    LATERAL pg_catalog.json_array_elements_text(pg_catalog.array_to_json(wanted.oids)) AS listed (oid),
    LATERAL (${columns} FROM ${from} WHERE c.oid = listed.oid::oid AND ${trackable} OFFSET 0) AS c`
    case 'names':
      if (!areMany(scope))
        return sql`${columns}
  FROM unnest((SELECT ${bind(scope.schemas)}::text[]), (SELECT ${bind(scope.names)}::text[])) AS wanted (schema, name)
  JOIN pg_catalog.pg_namespace n ON n.nspname = wanted.schema::name
  JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name::name
  WHERE ${trackable}`
      return sql`SELECT c.*
  FROM (SELECT ${bind(scope.schemas)}::text[] AS schemas, ${bind(scope.names)}::text[] AS names OFFSET 0) AS wanted,
    LATERAL pg_catalog.json_array_elements_text(pg_catalog.array_to_json(wanted.names)) WITH ORDINALITY AS named (name, place),
    LATERAL (${columns} FROM ${from}
      WHERE c.relname = named.name::name AND n.nspname = wanted.schemas[named.place]::name AND ${trackable} OFFSET 0) AS c`
  }
}

/** Tables for which the plan for one is good enough; that for many takes ten times as long for one. */
const FEW = 8

/** Whether the question is put in another way, for a plan of its own. */
export const areMany = (scope: Scope): boolean =>
  (scope.kind === 'names' && scope.names.length > FEW) || (scope.kind === 'oids' && scope.oids.length > FEW)

/** Names that begin with pg_ are reserved: pg_catalog, pg_toast and the temporary schemas. */
export const ownNamespace: Sql = sql`n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'svc_catalog')`
export const trackableKinds: Sql = sql`'r', 'v', 'm', 'f', 'p'`
const trackable: Sql = sql`c.relkind IN (${trackableKinds}) AND ${ownNamespace}`

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

const isCall: Sql = sql`p.refclassid IN ('pg_catalog.pg_proc'::regclass, 'pg_catalog.pg_operator'::regclass)`

/**
 * Whether an expression may read more than its row, such as a setting: it calls a function of pg_catalog that is not
 * immutable and none of those that are known to read nothing, or makes a value of a domain, whose checks may.
 */
const looksAround = (expression: Sql): Sql => sql`(${expression}::text LIKE '%COERCETODOMAIN %' OR EXISTS (
    SELECT FROM pg_catalog.regexp_matches(${expression}::text, ':funcid (\\d+)', 'g') AS called (ids)
    LEFT JOIN pg_catalog.pg_proc f ON f.oid = called.ids[1]::oid
    WHERE f.oid IS NULL OR f.provolatile <> 'i' AND f.proname NOT IN (${harmless})))`

const harmless: Sql = sql`'now', 'clock_timestamp', 'statement_timestamp', 'transaction_timestamp', 'nextval', 'random',
  'gen_random_uuid', 'uuidv4', 'uuidv7', 'timezone', 'date', 'date_trunc', 'date_part', 'extract', 'timestamp', 'timestamptz',
  'to_char', 'to_timestamp', 'age', 'concat', 'concat_ws', 'format'`

/**
 * The tables of a scope as `described`: what is shown of them, and `print`, which changes whenever anything of it may have: names
 * and types as they are now (a renamed target or type changes none of this table's own rows), else the transactions that last
 * wrote the rows.
 * - updatable: bits as pg_relation_is_updatable has them: 4 update, 8 insert, 16 delete. Only views can lack some
 *   (reference/graphql-schema#root-fields).
 * - inserts_alone: inserting a row runs nothing that could read tables or settings. Foreign keys are checked once a statement
 *   has ended. What depends on a function or an operator of pg_catalog has no row in pg_depend.
 * - keeps_keys: nor does changing or deleting one: no foreign key of another table passes it on, and no table inherits, which
 *   may have triggers of its own.
 * - reads_alone: reading it runs nothing of a user's, and shows the rows of no other table.
 */
const described = (scope: Scope): Sql<ListSlot> => sql`WITH tables AS MATERIALIZED (
  ${relations(scope)}
), attributes AS MATERIALIZED (
  SELECT a.attrelid, a.attnum, a.attname, a.attnotnull, a.atthasdef, a.attidentity, a.attgenerated, a.atttypid, a.xmin
  FROM tables c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid WHERE a.attnum > 0 AND NOT a.attisdropped
), types AS MATERIALIZED (
  SELECT u.type, ${resolvedType(sql`u.type`)} AS resolved, u.type >= ${firstDomainOid} AND EXISTS (
    SELECT FROM pg_catalog.pg_type t LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND t.typelem > 0
    WHERE t.oid = u.type AND COALESCE(e.typtype, t.typtype) NOT IN ('b', 'e')) AS may_call
  FROM (SELECT DISTINCT a.atttypid AS type FROM attributes a) AS u
), comments AS MATERIALIZED (
  SELECT d.objoid, d.objsubid, d.description, d.xmin FROM tables c JOIN pg_catalog.pg_description d
    ON d.objoid = c.oid AND d.classoid = 'pg_catalog.pg_class'::regclass
), described AS (
  SELECT c.oid, c.nspname, c.relname, c.relkind, o.comment, a.columns, i.indexes, f.keys,
    (CASE c.relkind WHEN 'v' THEN pg_catalog.pg_relation_is_updatable(c.oid, true) WHEN 'm' THEN 0 ELSE 28 END) AS updatable,
    (c.relkind = 'r' AND NOT c.relispartition AND NOT c.relhasrules AND NOT c.relrowsecurity AND g.runs IS NOT TRUE
      AND a.may_call IS NOT TRUE AND d.calls IS NOT TRUE AND k.conrelid IS NULL AND x.indrelid IS NULL) AS inserts_alone,
    (NOT c.relhassubclass AND g.passes_on IS NOT TRUE) AS keeps_keys,
    (c.relkind = 'r' AND NOT c.relrowsecurity AND NOT c.relhassubclass) AS reads_alone,
    pg_catalog.concat_ws('|', a.print, d.print, i.print, f.print, o.print) AS print
  FROM tables c
  LEFT JOIN (${columns}) AS a ON a.attrelid = c.oid
  LEFT JOIN (${defaults}) AS d ON d.adrelid = c.oid
  LEFT JOIN (${indexes}) AS i ON i.indrelid = c.oid
  LEFT JOIN (${foreignKeys}) AS f ON f.conrelid = c.oid
  LEFT JOIN (${comments}) AS o ON o.objoid = c.oid
  LEFT JOIN (${callingChecks}) AS k ON k.conrelid = c.oid
  LEFT JOIN (${callingIndexes}) AS x ON x.indrelid = c.oid
  LEFT JOIN (${triggers}) AS g ON g.tgrelid = c.oid
  OFFSET 0
)`

const fingerprint: Sql = sql`pg_catalog.md5(pg_catalog.concat_ws('|', c.oid, c.nspname, c.relname, c.relkind, c.updatable,
  c.inserts_alone, c.keeps_keys, c.reads_alone, c.print))`

/** Of each column: [position, name, not null, has default, identity, generated, type, comment]. */
const columns: Sql = sql`
  SELECT a.attrelid, pg_catalog.json_agg(pg_catalog.json_build_array(a.attnum, a.attname, a.attnotnull, a.atthasdef,
      a.attidentity, a.attgenerated, t.resolved, d.description) ORDER BY a.attnum) AS columns,
    pg_catalog.bool_or(t.may_call) AS may_call, pg_catalog.string_agg(pg_catalog.concat_ws(':', a.attnum, a.xmin,
      CASE WHEN a.atttypid >= ${firstDomainOid} THEN t.resolved END), ',' ORDER BY a.attnum) AS print
  FROM attributes a JOIN types t ON t.type = a.atttypid
  LEFT JOIN comments d ON d.objoid = a.attrelid AND d.objsubid = a.attnum
  GROUP BY a.attrelid`

const defaults: Sql = sql`
  SELECT d.adrelid, pg_catalog.string_agg(d.xmin::text, ',' ORDER BY d.adnum) AS print, pg_catalog.bool_or(EXISTS (
    SELECT FROM pg_catalog.pg_depend p
    WHERE p.classid = 'pg_catalog.pg_attrdef'::regclass AND p.objid = d.oid AND ${isCall})
    OR ${looksAround(sql`d.adbin`)}) AS calls
  FROM tables c JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid GROUP BY d.adrelid`

/**
 * Unique indexes, the primary key's among them: [name, primary, partial, columns, whether it is a constraint's]. Constraints
 * have an index by their table, none by their index.
 */
const indexes: Sql = sql`
  SELECT i.indrelid, pg_catalog.json_agg(pg_catalog.json_build_array(n.relname, i.indisprimary,
      i.indpred IS NOT NULL OR i.indexprs IS NOT NULL,
      (SELECT pg_catalog.json_agg(a.attname ORDER BY k.place)
        FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, place)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
        WHERE k.place <= i.indnkeyatts),
      EXISTS (SELECT FROM pg_catalog.pg_constraint u
        WHERE u.conrelid = i.indrelid AND u.conindid = i.indexrelid AND u.contype IN ('p', 'u'))
      ) ORDER BY n.relname) FILTER (WHERE i.indisvalid) AS indexes,
    pg_catalog.string_agg(pg_catalog.concat_ws(':', i.xmin, n.relname), ',' ORDER BY i.indexrelid) AS print
  FROM tables c JOIN pg_catalog.pg_index i ON i.indrelid = c.oid JOIN pg_catalog.pg_class n ON n.oid = i.indexrelid
  WHERE i.indisunique GROUP BY i.indrelid`

/**
 * [name, oid, target schema, target name, columns, target columns]. A key to a partitioned table has a row of its own
 * for each of its partitions, below the row that the user made: those are left out.
 */
const foreignKeys: Sql = sql`
  SELECT f.conrelid, pg_catalog.json_agg(pg_catalog.json_build_array(f.conname, f.oid::text, n.nspname, r.relname,
      ${columnNames(sql`f.conrelid`, sql`f.conkey`)}, t.names) ORDER BY f.conname) FILTER (WHERE NOT EXISTS (
      SELECT FROM pg_catalog.pg_constraint p WHERE p.oid = f.conparentid AND p.conrelid = f.conrelid)) AS keys,
    pg_catalog.string_agg(pg_catalog.concat_ws(':', f.oid, f.xmin, n.nspname, r.relname, t.names), ',' ORDER BY f.oid) AS print
  FROM tables c JOIN pg_catalog.pg_constraint f ON f.conrelid = c.oid
  JOIN pg_catalog.pg_class r ON r.oid = f.confrelid JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
  CROSS JOIN LATERAL ${columnNames(sql`f.confrelid`, sql`f.confkey`)} AS t (names)
  WHERE f.contype = 'f' GROUP BY f.conrelid`

function columnNames(relation: Sql, positions: Sql): Sql {
  return sql`(SELECT pg_catalog.json_agg(a.attname ORDER BY k.place)
     FROM unnest(${positions}) WITH ORDINALITY AS k (attnum, place)
     JOIN pg_catalog.pg_attribute a ON a.attrelid = ${relation} AND a.attnum = k.attnum)`
}

const comments: Sql = sql`
  SELECT d.objoid, pg_catalog.max(d.description) FILTER (WHERE d.objsubid = 0) AS comment,
    pg_catalog.string_agg(pg_catalog.concat_ws(':', d.objsubid, d.xmin), ',' ORDER BY d.objsubid) AS print
  FROM comments d GROUP BY d.objoid`

/** Tables with a check that calls a function of a user, or reads more than its row. */
const callingChecks: Sql = sql`
  SELECT DISTINCT k.conrelid FROM tables c JOIN pg_catalog.pg_constraint k ON k.conrelid = c.oid
  WHERE k.contype = 'c' AND (${looksAround(sql`k.conbin`)} OR EXISTS (SELECT FROM pg_catalog.pg_depend p
    WHERE p.classid = 'pg_catalog.pg_constraint'::regclass AND p.objid = k.oid AND ${isCall}))`

/** Tables with an index on an expression that calls a function. */
const callingIndexes: Sql = sql`
  SELECT DISTINCT i.indrelid FROM tables c JOIN pg_catalog.pg_index i ON i.indrelid = c.oid
  JOIN pg_catalog.pg_depend p ON p.classid = 'pg_catalog.pg_class'::regclass AND p.objid = i.indexrelid AND ${isCall}
  WHERE i.indexprs IS NOT NULL OR i.indpred IS NOT NULL`

const triggers: Sql = sql`
  SELECT g.tgrelid, pg_catalog.bool_or(NOT g.tgisinternal) AS runs,
    pg_catalog.bool_or(p.proname ~ '^RI_FKey_(cascade|setnull|setdefault)_') AS passes_on
  FROM tables c JOIN pg_catalog.pg_trigger g ON g.tgrelid = c.oid JOIN pg_catalog.pg_proc p ON p.oid = g.tgfoid
  GROUP BY g.tgrelid`
