import { useMemo, useState } from 'preact/hooks'
import type { Client } from '../engine/client.ts'
import {
  type Metadata,
  operations,
  permissionsOf,
  type Source,
  shownTable,
  type Table,
  type TableName,
} from '../engine/metadata.ts'
import { useLoaded } from '../engine/use-loaded.ts'
import { addressOf, type Location } from '../navigate/location.ts'
import { Once } from '../show/failure.tsx'
import { VirtualList } from '../show/virtual-list.tsx'
import { TablePage, tableViews } from './table-page.tsx'

interface Props {
  readonly client: Client
  readonly metadata: Metadata
  readonly location: Location
}

interface Entry {
  readonly source: Source
  readonly table: Table
  readonly name: string
  /** What a search looks through, in lower case. */
  readonly text: string
}

/** All tables, and the one that is chosen. */
export function DataPage({ client, metadata, location: { parts, query } }: Props) {
  const [, sourceName, tableName] = parts
  const [wanted, search] = useState('')
  const entries = useMemo(() => (metadata.sources ?? []).flatMap(entriesOf), [metadata])
  const found = useMemo(() => {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
    return entries.filter(({ text }) => words.every((word) => text.includes(word)))
  }, [entries, wanted])
  const chosen = entries.find(({ source, name }) => source.name === sourceName && name === tableName)
  const several = (metadata.sources?.length ?? 0) > 1
  const view = tableViews.find((one) => one === query.get('view')) ?? 'permissions'
  return (
    <div class="beside">
      <aside>
        <label>
          Find a table, column, role
          <input type="search" value={wanted} onInput={({ currentTarget }) => search(currentTarget.value)} />
        </label>
        <p class="quiet" role="status">
          {found.length} of {entries.length} tables
        </p>
        <VirtualList
          label="Tables"
          items={found}
          height={30}
          keyOf={({ source, name }) => `${source.name}/${name}`}
          row={({ source, name }) => (
            <a
              href={addressOf(['data', source.name, name], { view: query.get('view') ?? '' })}
              aria-current={chosen?.name === name && chosen.source === source ? 'page' : undefined}
            >
              {name}
              {several && <span class="quiet"> {source.name}</span>}
            </a>
          )}
        />
      </aside>
      <main>
        {chosen ? (
          <TablePage key={chosen.name} client={client} metadata={metadata} {...chosen} view={view} />
        ) : tableName ? (
          <h1>There is no tracked table {tableName}.</h1>
        ) : (
          <Sources client={client} metadata={metadata} />
        )}
      </main>
    </div>
  )
}

function entriesOf(source: Source): readonly Entry[] {
  return (source.tables ?? []).map((table) => {
    const name = shownTable(table.table)
    const roles = operations.flatMap((operation) =>
      permissionsOf(table, operation).flatMap(({ role, permission: { columns } }) => [role, ...(columns ?? [])]),
    )
    const fields = [...(table.object_relationships ?? []), ...(table.array_relationships ?? [])].map(({ name }) => name)
    return { source, table, name, text: [name, ...new Set(roles), ...fields].join('\n').toLowerCase() }
  })
}

const prefixes: Readonly<Record<string, string>> = { postgres: 'pg', pg: 'pg', mssql: 'mssql', bigquery: 'bigquery' }

/** Each source, and the tables in it that nothing declares. */
function Sources({ client, metadata }: Omit<Props, 'location'>) {
  return (
    <>
      <h1>Sources</h1>
      {(metadata.sources ?? []).map((source) => (
        <article key={source.name}>
          <h2>{source.name}</h2>
          <p>
            {source.kind}, {source.tables?.length ?? 0} tables tracked
          </p>
          <Untracked client={client} source={source} />
        </article>
      ))}
      {(metadata.sources ?? []).length === 0 && <p>No source is declared yet.</p>}
    </>
  )
}

function Untracked({ client, source }: { readonly client: Client; readonly source: Source }) {
  const prefix = prefixes[source.kind] ?? source.kind
  const [loaded, again] = useLoaded(
    () => client.read<readonly TableName[]>(`${prefix}_get_source_tables`, { source: source.name }),
    [client, source],
  )
  const tracked = new Set(source.tables?.map(({ table }) => shownTable(table)))
  return (
    <Once loaded={loaded} again={again}>
      {(tables) => {
        const others = tables.filter((name) => !tracked.has(shownTable(name)))
        if (others.length === 0) return <p class="quiet">Every table of the database is tracked.</p>
        return (
          <details>
            <summary>{others.length} tables of the database are not tracked</summary>
            <p>
              <a href={addressOf(['change'], { track: source.name })}>Track all of them</a>
            </p>
            <ul>
              {others.map((name) => (
                <li key={shownTable(name)}>
                  <a
                    href={addressOf(['change'], {
                      add: 'Table',
                      values: JSON.stringify({
                        source: source.name,
                        table: typeof name === 'string' ? { name } : name,
                      }),
                    })}
                  >
                    {shownTable(name)}
                  </a>
                </li>
              ))}
            </ul>
          </details>
        )
      }}
    </Once>
  )
}
