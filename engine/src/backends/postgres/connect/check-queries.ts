import pg from 'pg'
import type { DatabaseType } from '../../../ir/index.ts'
import type { QueryDefinition, QueryVerdict } from '../../backend.ts'
import { print, sql } from '../../sql.ts'
import { compileQueryText } from '../compile/query-text.ts'
import type { Ask } from '../introspect/introspect.ts'
import { typesOfOids } from '../introspect/read-types.ts'
import { isConnectionError } from './from-sql-state.ts'
import { type DescribedColumn, DescribeStatement } from './statements.ts'
import type { SourceClient } from './wire.ts'

/** Keeps what is refused inside from spoiling what is around it. */
type Guarded = <T extends { readonly status: string }>(check: () => Promise<T>) => Promise<T>

/**
 * Has each query parsed by the database, as it will be sent, and asks what it would give; nothing runs
 * (reference/database-objects#native-queries). Rejects when the connection is lost.
 */
export async function checkQueries(
  client: SourceClient,
  ask: Ask,
  queries: readonly QueryDefinition[],
  typeOf: (name: string) => DatabaseType | null,
  guarded: Guarded,
): Promise<readonly QueryVerdict[]> {
  const verdicts: QueryVerdict[] = []
  for (const query of queries) verdicts.push(await guarded(() => checkQuery(client, ask, query, typeOf)))
  return verdicts
}

async function checkQuery(
  client: SourceClient,
  ask: Ask,
  { parts, arguments: declared }: QueryDefinition,
  typeOf: (name: string) => DatabaseType | null,
): Promise<QueryVerdict> {
  const filled = parts.map((part) => {
    if (part.kind === 'sql') return part.text
    const type = typeOf(declared[part.name] ?? '')
    return type && ({ kind: 'constant', text: null, type: { type, list: false } } as const)
  })
  const known = filled.filter((part) => part !== null)
  if (known.length < filled.length) return { status: 'unchecked' }
  const { text } = print(sql`SELECT * FROM ${compileQueryText({ parts: known })} AS "q"`)
  try {
    const columns = await new Promise<readonly DescribedColumn[]>((resolve, reject) =>
      client.run(new DescribeStatement(text, { resolve, reject }, client.values.pooled?.settings)),
    )
    const types = await typesOfOids(
      ask,
      columns.map(({ oid }) => oid),
    )
    return {
      status: 'ok',
      columns: columns.flatMap(({ name }, i) => {
        const type = types[i]
        return type ? [{ name, type }] : []
      }),
    }
  } catch (error) {
    if (isConnectionError(error) || !(error instanceof pg.DatabaseError)) throw error
    return { status: 'refused', reason: error.message }
  }
}
