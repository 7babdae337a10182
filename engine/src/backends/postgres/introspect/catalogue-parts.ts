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

/** All rows of a catalogue, known by their oids, unless said otherwise. */
const part = (
  name: string,
  from: Sql,
  row: Sql,
  relation: Sql,
  others: Partial<CataloguePart> = {},
): CataloguePart => ({
  name,
  from,
  where: sql`true`,
  key: hash(sql`${row}.oid`),
  version: sql`${row}.xmin`,
  relation,
  ...others,
})

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
  part('column', sql`pg_catalog.pg_attribute a`, sql`a`, sql`a.attrelid`, { key: null }),
  part('default', sql`pg_catalog.pg_attrdef d`, sql`d`, sql`d.adrelid`, { key: null }),
  part('index', sql`pg_catalog.pg_index i`, sql`i`, sql`i.indrelid`, {
    most: sql`i.indexrelid`,
    key: hash(sql`i.indexrelid`),
  }),
  part('constraint', sql`pg_catalog.pg_constraint k`, sql`k`, sql`k.conrelid`, {
    where: sql`k.conrelid <> 0 AND k.contype <> 'n'`,
    most: sql`k.oid`,
  }),
  part('comment', sql`pg_catalog.pg_description d`, sql`d`, sql`d.objoid`, {
    where: sql`d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass`,
    key: sql`pg_catalog.hashint8(d.objoid::int8 * 4096 + d.objsubid)`,
  }),
  part('trigger', sql`pg_catalog.pg_trigger g`, sql`g`, sql`g.tgrelid`, {
    where: sql`NOT g.tgisinternal`,
    most: sql`g.oid`,
  }),
  part('rule', sql`pg_catalog.pg_rewrite r`, sql`r`, sql`r.ev_class`),
  part('type', sql`pg_catalog.pg_type t`, sql`t`, relationOfType, { most: sql`t.oid` }),
  part('routine', sql`pg_catalog.pg_proc f`, sql`f`, sql`0`, { most: sql`f.oid` }),
  part('operator', sql`pg_catalog.pg_operator o`, sql`o`, sql`0`, { most: sql`o.oid` }),
  part(
    'foreign',
    sql`(SELECT s.oid, s.xmin FROM pg_catalog.pg_foreign_server s
      UNION ALL SELECT w.ftrelid, w.xmin FROM pg_catalog.pg_foreign_table w) AS f`,
    sql`f`,
    sql`0`,
  ),
]

/** Of which new rows have greater oids than all before. */
export const onlyCounted = new Set(parts.flatMap(({ name, most }) => (most ? [name] : [])))
