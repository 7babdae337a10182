/** The parts of the catalogue that tables, functions and native queries are described by. */
import { type Sql, sql } from '../../sql.ts'
import { trackableKinds } from './catalogue.ts'

export interface CataloguePart {
  readonly name: string
  readonly from: Sql
  /** Which of its rows are read. */
  readonly where: Sql
  /** The same of those that were written, which may be of another kind now. */
  readonly written?: Sql
  /** The oid of a row, where new ones have greater ones than those before: it need not be compared by its key then. */
  readonly most?: Sql
  /** What rows go by: the sum of its hashes shows that some are gone. Null: none goes without a trace. */
  readonly key: Sql | null
  /** Which of its rows are counted so; without it all. */
  readonly counted?: Sql
  /** Of its rows. */
  readonly version: Sql
  readonly relation: Sql
}

const hash = (key: Sql): Sql => sql`pg_catalog.hashoid(${key})`

/**
 * The relation of whose rows the type `t`, or what it is an array of, is; 0 where it is no table's: a composite type has a
 * relation of its own, and columns are of it.
 */
export const relationOfType: Sql = sql`COALESCE((SELECT c.oid FROM pg_catalog.pg_class c
  WHERE c.relkind <> 'c' AND c.oid = COALESCE((SELECT e.typrelid FROM pg_catalog.pg_type e
    WHERE e.oid = t.typelem AND e.typarray = t.oid), t.typrelid)), 0::oid)`

export const parts: readonly CataloguePart[] = [
  // an index may have another name
  {
    name: 'relation',
    from: sql`pg_catalog.pg_class c`,
    where: sql`(c.relkind IN ('i', 'I')
      OR c.relkind IN (${trackableKinds}) AND c.relnamespace IN (SELECT oid FROM own))`,
    written: sql`c.relkind IN ('i', 'I', ${trackableKinds}) AND c.relpersistence <> 't'`,
    most: sql`c.oid`,
    key: hash(sql`c.oid`),
    counted: sql`c.relkind NOT IN ('i', 'I')`,
    version: sql`c.xmin`,
    relation: sql`CASE WHEN c.relkind IN ('i', 'I')
      THEN (SELECT i.indrelid FROM pg_catalog.pg_index i WHERE i.indexrelid = c.oid) ELSE c.oid END`,
  },
  // one that goes is marked as dropped, and so is a column whose default goes
  {
    name: 'column',
    from: sql`pg_catalog.pg_attribute a`,
    where: sql`true`,
    key: null,
    version: sql`a.xmin`,
    relation: sql`a.attrelid`,
  },
  {
    name: 'default',
    from: sql`pg_catalog.pg_attrdef d`,
    where: sql`true`,
    key: null,
    version: sql`d.xmin`,
    relation: sql`d.adrelid`,
  },
  {
    name: 'index',
    from: sql`pg_catalog.pg_index i`,
    where: sql`true`,
    most: sql`i.indexrelid`,
    key: hash(sql`i.indexrelid`),
    version: sql`i.xmin`,
    relation: sql`i.indrelid`,
  },
  {
    name: 'constraint',
    from: sql`pg_catalog.pg_constraint k`,
    where: sql`k.conrelid <> 0 AND k.contype <> 'n'`,
    most: sql`k.oid`,
    key: hash(sql`k.oid`),
    version: sql`k.xmin`,
    relation: sql`k.conrelid`,
  },
  {
    name: 'comment',
    from: sql`pg_catalog.pg_description d`,
    where: sql`d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass`,
    key: sql`pg_catalog.hashint8(d.objoid::int8 * 4096 + d.objsubid)`,
    version: sql`d.xmin`,
    relation: sql`d.objoid`,
  },
  {
    name: 'trigger',
    from: sql`pg_catalog.pg_trigger g`,
    where: sql`NOT g.tgisinternal`,
    most: sql`g.oid`,
    key: hash(sql`g.oid`),
    version: sql`g.xmin`,
    relation: sql`g.tgrelid`,
  },
  {
    name: 'rule',
    from: sql`pg_catalog.pg_rewrite r`,
    where: sql`true`,
    key: hash(sql`r.oid`),
    version: sql`r.xmin`,
    relation: sql`r.ev_class`,
  },
  {
    name: 'type',
    from: sql`pg_catalog.pg_type t`,
    where: sql`true`,
    most: sql`t.oid`,
    key: hash(sql`t.oid`),
    version: sql`t.xmin`,
    relation: relationOfType,
  },
  {
    name: 'routine',
    from: sql`pg_catalog.pg_proc f`,
    where: sql`true`,
    most: sql`f.oid`,
    key: hash(sql`f.oid`),
    version: sql`f.xmin`,
    relation: sql`0`,
  },
  {
    name: 'operator',
    from: sql`pg_catalog.pg_operator o`,
    where: sql`true`,
    most: sql`o.oid`,
    key: hash(sql`o.oid`),
    version: sql`o.xmin`,
    relation: sql`0`,
  },
  {
    name: 'foreign',
    from: sql`(SELECT s.oid, s.xmin FROM pg_catalog.pg_foreign_server s
      UNION ALL SELECT w.ftrelid, w.xmin FROM pg_catalog.pg_foreign_table w) AS f`,
    where: sql`true`,
    key: hash(sql`f.oid`),
    version: sql`f.xmin`,
    relation: sql`0`,
  },
]

/** Of which new rows have greater oids than all before. */
export const onlyCounted = new Set(parts.flatMap(({ name, most }) => (most ? [name] : [])))
