import type { QualifiedName } from '../../../ir/index.ts'
import type { DatabaseArgument, DatabaseFunction } from '../../backend.ts'
import { bind, type Sql, sql } from '../../sql.ts'
import type { Ask } from './ask.ts'
import { type ListSlot, resolvedType, writtenType } from './catalogue.ts'
import { type TypeRow, typeOfRow } from './table-row.ts'

/**
 * Returns the functions of these names, in the order of the names: one index lookup for each
 * (reference/database-objects#tracked-functions, reference/database-objects#computed-fields).
 */
export async function readFunctions(
  ask: Ask,
  names: readonly QualifiedName[],
): Promise<readonly (readonly DatabaseFunction[])[]> {
  if (names.length === 0) return []
  const found = names.map((): DatabaseFunction[] => [])
  const rows = await ask(functionsNamed(names), 'svc_read_functions')
  for (const row of rows) found[Number(row[0]) - 1]?.push(functionOfRow(row))
  return found
}

/** Rows of [place, oid, schema, name, volatility, variadic, set, defaults, comment, returned type, arguments]. */
const functionsNamed = (names: readonly QualifiedName[]): Sql<ListSlot> => sql`
SELECT wanted.place::text, p.oid::text, n.nspname, p.proname, p.provolatile::text, (p.provariadic <> 0)::text,
  p.proretset::text, p.pronargdefaults::text, pg_catalog.obj_description(p.oid, 'pg_proc'),
  ${writtenType(sql`p.prorettype`)}::text, ${givenArguments}::text
FROM unnest((SELECT ${bind(names.map(({ schema }) => schema))}::text[]), (SELECT ${bind(names.map(({ name }) => name))}::text[]))
  WITH ORDINALITY AS wanted (schema, name, place)
JOIN pg_catalog.pg_namespace n ON n.nspname = wanted.schema::name
JOIN pg_catalog.pg_proc p ON p.pronamespace = n.oid AND p.proname = wanted.name::name AND p.prokind = 'f'
ORDER BY wanted.place, p.oid`

/** [name, type] of each argument that a call passes: those that are only returned (modes o and t) are left out. */
const givenArguments: Sql = sql`(
  SELECT pg_catalog.json_agg(pg_catalog.json_build_array(a.name, ${resolvedType(sql`a.type`)}) ORDER BY a.place)
  FROM unnest(COALESCE(p.proallargtypes, p.proargtypes::oid[]), p.proargnames, p.proargmodes)
    WITH ORDINALITY AS a (type, name, mode, place)
  WHERE COALESCE(a.mode, 'i') IN ('i', 'b', 'v'))`

type ArgumentRow = readonly [name: string | null, type: TypeRow]

function functionOfRow(row: readonly (string | null)[]): DatabaseFunction {
  const [, oid, schema, name, volatility, variadic, set, defaults, description, returns, given] = row
  const args: readonly ArgumentRow[] = given === null || given === undefined ? [] : JSON.parse(given)
  const firstDefault = args.length - Number(defaults)
  return {
    function: { schema: schema ?? '', name: name ?? '' },
    description: description ?? null,
    volatility: volatilities[volatility ?? ''] ?? 'volatile',
    variadic: variadic === 'true',
    arguments: args.map(
      ([argument, type], i): DatabaseArgument => ({
        name: argument === '' ? null : argument,
        type: typeOfRow(type),
        hasDefault: i >= firstDefault,
      }),
    ),
    returns: { type: typeOfRow(JSON.parse(returns ?? '[]')), set: set === 'true' },
    oid: oid ?? '',
  }
}

const volatilities: Readonly<Record<string, DatabaseFunction['volatility']>> = {
  i: 'immutable',
  s: 'stable',
  v: 'volatile',
}
