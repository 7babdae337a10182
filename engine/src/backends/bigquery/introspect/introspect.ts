import { ownKey } from '@svc/schema'
import type { QualifiedName } from '../../../ir/index.ts'
import type { Introspection } from '../../backend.ts'
import { RequestFailed } from '../connect/api-answer.ts'
import { getTable, inParallel, type Listing, listTables } from './rest-listing.ts'
import { type ReadTable, tableOf } from './table-of.ts'

const requestsAtOnce = 10

export interface IntrospectOptions extends Listing {
  readonly datasets: readonly string[]
  /** Called for tables that have columns of unknown types, when they are read first or have changed. */
  readonly leftOut: (table: QualifiedName, columns: ReadTable['leftOut']) => void
  /** Called with the location of the tables. */
  readonly located: (location: string) => void
}

/**
 * Reads datasets over the REST API, which is free. Tables that did not change keep their reference; with `only`, only
 * these are read. INFORMATION_SCHEMA is not used, since its queries are billed and it has no column that tables.get
 * lacks.
 */
export async function introspect(
  options: IntrospectOptions,
  previous: Introspection | null,
  only?: readonly QualifiedName[],
): Promise<Introspection> {
  const names = only ? only.filter(({ schema }) => options.datasets.includes(schema)) : await everyTable(options)
  const read = await inParallel(names, requestsAtOnce, (name) => readTable(options, name))
  const tables = new Map(only ? previous?.tables : [])
  for (const [index, name] of names.entries()) {
    const key = keyOf(name)
    const found = read[index]
    const known = previous?.tables.get(key)
    if (!found) tables.delete(key)
    else if (known?.fingerprint === found.table.fingerprint) tables.set(key, known)
    else {
      tables.set(key, found.table)
      if (found.leftOut.length > 0) options.leftOut(name, found.leftOut)
    }
  }
  return previous && isSame(previous.tables, tables) ? previous : { tables, serverVersion: 0 }
}

async function everyTable(options: IntrospectOptions): Promise<readonly QualifiedName[]> {
  const names = await inParallel(options.datasets, requestsAtOnce, (dataset) => listTables(options, dataset))
  return options.datasets.flatMap((schema, index) => (names[index] ?? []).map((name) => ({ schema, name })))
}

/** Null: it was dropped meanwhile. */
async function readTable(options: IntrospectOptions, { schema, name }: QualifiedName): Promise<ReadTable | null> {
  try {
    const answer = await getTable(options, schema, name)
    const { location } = (answer ?? {}) as { readonly location?: unknown }
    if (typeof location === 'string' && location !== '') options.located(location)
    return tableOf(schema, name, answer)
  } catch (error) {
    if (error instanceof RequestFailed && error.answer?.status === 404) return null
    throw error
  }
}

const keyOf = ({ schema, name }: QualifiedName): string => ownKey('table', { table: { schema, name } })

const isSame = (one: Introspection['tables'], other: Introspection['tables']) =>
  one.size === other.size && [...other].every(([key, table]) => one.get(key) === table)
