import type { DatabaseType } from '../../../ir/index.ts'
import { bind, type Sql, sql } from '../../sql.ts'
import { typeOfScalar } from '../types/known-types.ts'
import type { Ask } from './ask.ts'
import { type ListSlot, resolvedType } from './catalogue.ts'
import { typeOfRow } from './table-row.ts'

/**
 * Returns the types of these names as SQL or GraphQL writes them, in the order of the names; null where there is none.
 */
export async function readTypes(ask: Ask, names: readonly string[]): Promise<readonly (DatabaseType | null)[]> {
  const known = names.map(knownType)
  const asked = names.flatMap((name, i) => (known[i] === null && isTypeName(name) ? [{ name, i }] : []))
  if (asked.length === 0) return known
  const rows = await ask(typesNamed(asked.map(({ name }) => name)), 'svc_read_types')
  const found = new Map(asked.map(({ i }, place) => [i, rows[place]?.[0] ?? null]))
  return known.map((type, i) => {
    const row = found.get(i)
    return row ? typeOfRow(JSON.parse(row)) : type
  })
}

/** Returns the types of these identities, in their order. */
export async function typesOfOids(ask: Ask, oids: readonly number[]): Promise<readonly DatabaseType[]> {
  if (oids.length === 0) return []
  const rows = await ask(typesOf(oids.map(String)), 'svc_types_of_oids')
  return rows.map(([row]) => typeOfRow(JSON.parse(row ?? '[]')))
}

/** An array's brackets are ours to read: `text[]`, `_text`. */
function knownType(name: string): DatabaseType | null {
  const element = /^(.*\S)\s*\[\]$/.exec(name)?.[1]
  if (element === undefined) return typeOfScalar(name)
  const type = typeOfScalar(element)
  return type && !type.array ? { ...type, array: true } : null
}

/** Older versions of PostgreSQL fail for what could be no name of a type. */
const isTypeName = (name: string): boolean =>
  /^("[^"]+"|[a-z_][\w$]*)(\.("[^"]+"|[a-z_][\w$]*))?(\(\d+(,\d+)?\))?(\[\])*$/i.test(name) ||
  /^(double precision|character varying|bit varying|(time|timestamp)(\(\d\))? with(out)? time zone)(\(\d+\))?(\[\])*$/i.test(
    name,
  )

const typesNamed = (names: ListSlot): Sql<ListSlot> => sql`
SELECT CASE WHEN wanted.type IS NOT NULL THEN ${resolvedType(sql`wanted.type`)} END::text
FROM (SELECT to_regtype(name)::oid AS type, place FROM unnest(${bind(names)}::text[])
  WITH ORDINALITY AS asked (name, place)) AS wanted ORDER BY wanted.place`

const typesOf = (oids: ListSlot): Sql<ListSlot> => sql`
SELECT ${resolvedType(sql`wanted.type`)}::text
FROM unnest(${bind(oids)}::oid[]) WITH ORDINALITY AS wanted (type, place) ORDER BY wanted.place`
