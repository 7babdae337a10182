import { useMemo, useState } from 'preact/hooks'
import type { Client } from '../engine/client.ts'
import { operations, permissionsOf, type Source, shownTable, type Table } from '../engine/metadata.ts'
import { useLoaded } from '../engine/use-loaded.ts'
import { addressOf } from '../navigate/location.ts'
import { tableViews, type ViewProps } from '../navigate/views.ts'
import { Once } from '../show/failure.tsx'
import { JsonText } from '../show/json.tsx'
import { OwnedBy } from '../show/owned-by.tsx'
import { VirtualList } from '../show/virtual-list.tsx'
import { WithCatalogue } from '../show/with-catalogue.tsx'
import { changeOf } from './change-of.ts'
import { TablePage } from './table-page.tsx'
import { readUntracked } from './untracked.ts'

interface Entry {
  readonly source: Source
  readonly table: Table
  readonly name: string
  /** The text that a search scans, in lower case. */
  readonly text: string
}

/** All tables, and the one that is chosen. */
export function DataPage({ client, metadata, location: { parts, query } }: ViewProps) {
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
          <Sources client={client} metadata={metadata} only={sourceName} />
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

/** Each source, or one, and the tables in it that nothing declares. */
function Sources({ client, metadata, only }: Omit<ViewProps, 'location'> & { readonly only: string | undefined }) {
  const { sources = [] } = metadata
  const shown = only === undefined ? sources : sources.filter(({ name }) => name === only)
  return (
    <>
      <h1>{only === undefined ? 'Sources' : `Source ${only}`}</h1>
      {shown.map((source) => {
        const object = { type: 'source', key: { name: source.name } }
        return (
          <article key={source.name}>
            {only === undefined && (
              <h2>
                <a href={addressOf(['data', source.name])}>{source.name}</a>
              </h2>
            )}
            <p>
              {source.kind}, {source.tables?.length ?? 0} tables tracked
            </p>
            <Untracked client={client} source={source} />
            {only !== undefined && (
              <WithCatalogue>
                {({ Related }) => (
                  <>
                    <OwnedBy client={client} object={object} />
                    <Related client={client} metadata={metadata} object={object} />
                    <h2>As it is declared</h2>
                    <JsonText value={withoutLists(source)} label={`Metadata of ${source.name}`} />
                  </>
                )}
              </WithCatalogue>
            )}
          </article>
        )
      })}
      {shown.length === 0 && <p>{only === undefined ? 'No source is declared yet.' : 'There is no such source.'}</p>}
    </>
  )
}

/** Objects in a source have views of their own. */
const withoutLists = (source: Source) =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => !Array.isArray(value)))

function Untracked({ client, source }: { readonly client: Client; readonly source: Source }) {
  const [loaded, again] = useLoaded(() => readUntracked(client, source), [client, source])
  return (
    <Once loaded={loaded} again={again}>
      {(tables) =>
        tables.length === 0 ? (
          <p class="quiet">Every table of the database is tracked.</p>
        ) : (
          <details>
            <summary>{tables.length} tables of the database are not tracked</summary>
            <p>
              <a href={addressOf(['change'], { track: source.name })}>Track all of them</a>
            </p>
            <ul>
              {tables.map((table) => (
                <li key={shownTable(table)}>
                  <a href={changeOf('Table', source, { table })}>{shownTable(table)}</a>
                </li>
              ))}
            </ul>
          </details>
        )
      }
    </Once>
  )
}
