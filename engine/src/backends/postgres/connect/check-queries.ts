import pg from 'pg'
import type { DatabaseType } from '../../../ir/index.ts'
import type { QueryDefinition, QueryVerdict } from '../../backend.ts'
import { print, sql } from '../../sql.ts'
import { compileQueryText } from '../compile/query-text.ts'
import type { Ask } from '../introspect/ask.ts'
import { typesOfOids } from '../introspect/read-types.ts'
import { isConnectionError } from './from-sql-state.ts'
import { type DescribedColumn, DescribeStatements } from './statements.ts'
import type { SourceClient } from './wire.ts'

/** A savepoint, so that a refused statement does not abort the transaction. */
type Guarded = <T extends { readonly status: string }>(check: () => Promise<T>) => Promise<T>

/**
 * Has each query parsed and described by the database, as it will be sent; nothing runs
 * (reference/database-objects#native-queries). Rejects when the connection is lost.
 */
export async function checkQueries(
  client: SourceClient,
  ask: Ask,
  queries: readonly QueryDefinition[],
  typeOf: (name: string) => DatabaseType | null,
  guarded: Guarded,
): Promise<readonly QueryVerdict[]> {
  const together = queries.length > 1 ? await guarded(() => checkTogether(client, ask, queries, typeOf)) : null
  if (together?.status === 'ok') return together.verdicts
  const verdicts: QueryVerdict[] = []
  for (const query of queries) verdicts.push(await guarded(() => checkQuery(client, ask, query, typeOf)))
  return verdicts
}

type Together = { readonly status: 'ok'; readonly verdicts: readonly QueryVerdict[] } | { readonly status: 'refused' }

/** All at once, unless the database refuses one: then each is sent by itself, to find which are refused. */
async function checkTogether(
  client: SourceClient,
  ask: Ask,
  queries: readonly QueryDefinition[],
  typeOf: (name: string) => DatabaseType | null,
): Promise<Together> {
  try {
    const described = await describe(client, queries, typeOf)
    const types = await typesOfOids(
      ask,
      described.flatMap((columns) => (columns ?? []).map(({ oid }) => oid)),
    )
    let next = 0
    const verdicts = described.map((columns): QueryVerdict => {
      if (!columns) return { status: 'unchecked' }
      const own = types.slice(next, next + columns.length)
      next += columns.length
      return verdictOf(columns, own)
    })
    return { status: 'ok', verdicts }
  } catch (error) {
    if (isConnectionError(error) || !(error instanceof pg.DatabaseError)) throw error
    return { status: 'refused' }
  }
}

/** The columns that each query would return; null where a type that it is declared with does not exist. */
async function describe(
  client: SourceClient,
  queries: readonly QueryDefinition[],
  typeOf: (name: string) => DatabaseType | null,
): Promise<readonly (readonly DescribedColumn[] | null)[]> {
  const texts = queries.map((query) => textOf(query, typeOf))
  const sent = texts.filter((text) => text !== null)
  if (sent.length === 0) return texts.map(() => null)
  const described = await new Promise<readonly (readonly DescribedColumn[])[]>((resolve, reject) =>
    client.run(new DescribeStatements(sent, { resolve, reject }, client.values.pooled?.settings)),
  )
  let next = 0
  return texts.map((text) => (text === null ? null : (described[next++] ?? [])))
}

/** As it will be sent; null where a type that it is declared with is none. */
function textOf(
  { parts, arguments: declared }: QueryDefinition,
  typeOf: (name: string) => DatabaseType | null,
): string | null {
  const filled = parts.map((part) => {
    if (part.kind === 'sql') return part.text
    const type = typeOf(declared[part.name] ?? '')
    return type && ({ kind: 'constant', text: null, type: { type, list: false } } as const)
  })
  const known = filled.filter((part) => part !== null)
  if (known.length < filled.length) return null
  return print(sql`SELECT * FROM ${compileQueryText({ parts: known })} AS "q"`).text
}

const verdictOf = (
  columns: readonly DescribedColumn[],
  types: readonly (DatabaseType | undefined)[],
): QueryVerdict => ({
  status: 'ok',
  columns: columns.flatMap(({ name }, i) => {
    const type = types[i]
    return type ? [{ name, type }] : []
  }),
})

async function checkQuery(
  client: SourceClient,
  ask: Ask,
  query: QueryDefinition,
  typeOf: (name: string) => DatabaseType | null,
): Promise<QueryVerdict> {
  try {
    const [columns] = await describe(client, [query], typeOf)
    if (!columns) return { status: 'unchecked' }
    const types = await typesOfOids(
      ask,
      columns.map(({ oid }) => oid),
    )
    return verdictOf(columns, types)
  } catch (error) {
    if (isConnectionError(error) || !(error instanceof pg.DatabaseError)) throw error
    return { status: 'refused', reason: error.message }
  }
}
