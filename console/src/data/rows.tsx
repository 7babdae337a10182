import { useState } from 'preact/hooks'
import { CallerChoice, useCaller } from '../api/caller.tsx'
import { type Caller, type Client, EngineError, type Json } from '../engine/client.ts'
import type { Metadata, Source, Table } from '../engine/metadata.ts'
import { useLoaded } from '../engine/use-loaded.ts'
import { Once } from '../show/failure.tsx'
import { Pages } from '../show/pages.tsx'
import { Scrolling } from '../show/scrolling.tsx'
import { columnsOf, rowIntrospection, rowQuery } from './row-query.ts'

const PAGE = 50

interface Props {
  readonly client: Client
  readonly metadata: Metadata
  readonly source: Source
  readonly table: Table
}

/** Rows of a table as a role sees them: through the same API as every client's. */
export function Rows({ client, metadata, source, table }: Props) {
  const [caller, choose] = useCaller()
  const [order, sort] = useState('')
  const [page, turn] = useState(0)
  const [loaded, again] = useLoaded(
    () => readRows(client, caller, source, table, { page, order }),
    [client, source, table, caller, page, order],
  )
  return (
    <section aria-label="Rows">
      <CallerChoice metadata={metadata} headerPrefix={client.headerPrefix} caller={caller} choose={choose} />
      <Once loaded={loaded} again={again}>
        {({ columns, rows }) => (
          <>
            <Scrolling label="Rows of the table">
              <table>
                <thead>
                  <tr>
                    {columns.map((column) => (
                      <th key={column} scope="col" aria-sort={sortedBy(order, column)}>
                        <button
                          type="button"
                          class="plain"
                          onClick={() => sort(order === column ? `-${column}` : column)}
                        >
                          {column}
                          {order === column ? ' ↑' : order === `-${column}` ? ' ↓' : ''}
                        </button>
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row, index) => (
                    <tr key={index}>
                      {columns.map((column) => (
                        <td key={column}>{cell(row[column])}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scrolling>
            <Pages page={page} size={PAGE} found={rows.length} what="rows" turn={turn} />
          </>
        )}
      </Once>
    </section>
  )
}

const sortedBy = (order: string, column: string) =>
  order === column ? 'ascending' : order === `-${column}` ? 'descending' : 'none'

const cell = (value: Json | undefined) =>
  value === null ? <span class="quiet">null</span> : typeof value === 'object' ? JSON.stringify(value) : String(value)

type Row = Readonly<Record<string, Json>>

async function readRows(
  client: Client,
  caller: Caller | null,
  source: Source,
  table: Table,
  { page, order }: { readonly page: number; readonly order: string },
): Promise<{ readonly columns: readonly string[]; readonly rows: readonly Row[] }> {
  const ask = async (query: string) => {
    const answer = (await client.graphql({ query, variables: {}, operationName: null }, caller)) as {
      readonly data?: { readonly rows?: readonly Row[]; readonly in?: { readonly rows: readonly Row[] } }
      readonly errors?: readonly { readonly message: string }[]
    }
    const [error] = answer.errors ?? []
    if (error) throw new EngineError(error.message, 'refused', '')
    return answer
  }
  const found = columnsOf(await ask(rowIntrospection), source, table)
  if (!found)
    throw new EngineError('This role has no select field of this table.', 'absent', 'Choose another role above.')
  const namespace = source.customization?.root_fields?.namespace
  const { data } = await ask(rowQuery({ ...found, namespace, limit: PAGE, offset: page * PAGE, order }))
  return { columns: found.columns, rows: data?.rows ?? data?.in?.rows ?? [] }
}
