import pg from 'pg'
import type { DatabaseType } from '../../../ir/index.ts'
import type { QueryDefinition, QueryVerdict } from '../../backend.ts'
import { compileQueryText, print, sql } from '../../sql.ts'
import { compileValue } from '../compile/values.ts'
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
  const check = (some: readonly QueryDefinition[]) => guarded(() => checkTogether(client, ask, some, typeOf))
  const together = queries.length > 1 ? await check(queries) : null
  if (together?.status === 'ok') return together.verdicts
  const verdicts: QueryVerdict[] = []
  for (const query of queries) {
    const checked = await check([query])
    verdicts.push(...(checked.status === 'ok' ? checked.verdicts : [checked]))
  }
  return verdicts
}

type Together =
  | { readonly status: 'ok'; readonly verdicts: readonly QueryVerdict[] }
  | { readonly status: 'refused'; readonly reason: string }

/** All at once, unless the database refuses one: then each is sent by itself, to find which are refused. */
async function checkTogether(
  client: SourceClient,
  ask: Ask,
  queries: readonly QueryDefinition[],
  typeOf: (name: string) => DatabaseType | null,
): Promise<Together> {
  try {
    const described = await describe(client, queries, typeOf)
    const oids = described.flatMap((columns) => (columns ?? []).map(({ oid }) => oid))
    const types = await typesOfOids(ask, oids)
    let next = 0
    const verdicts = described.map((columns): QueryVerdict => {
      if (!columns) return { status: 'unchecked' }
      const own = columns.flatMap(({ name }) => {
        const type = types[next++]
        return type ? [{ name, type }] : []
      })
      return { status: 'ok', columns: own }
    })
    return { status: 'ok', verdicts }
  } catch (error) {
    if (isConnectionError(error) || !(error instanceof pg.DatabaseError)) throw error
    return { status: 'refused', reason: error.message }
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
  return print(sql`SELECT * FROM ${compileQueryText({ parts: known }, compileValue)} AS "q"`).text
}
