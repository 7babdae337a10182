import type { Client } from '../engine/client.ts'
import { type Metadata, type Relationship, type Source, shownTable, type Table } from '../engine/metadata.ts'
import { addressOf } from '../navigate/location.ts'
import { tableViews } from '../navigate/views.ts'
import { JsonText } from '../show/json.tsx'
import { OwnedBy } from '../show/owned-by.tsx'
import { TitledTable } from '../show/titled-table.tsx'
import { WithCatalogue } from '../show/with-catalogue.tsx'
import { changeOf } from './change-of.ts'
import { PermissionMatrix } from './permission-matrix.tsx'
import { Rows } from './rows.tsx'

interface Props {
  readonly client: Client
  readonly metadata: Metadata
  readonly source: Source
  readonly table: Table
  readonly view: string
}

/** A table: who may do what with it, its rows, and how it is declared. */
export function TablePage({ client, metadata, source, table, view }: Props) {
  const name = shownTable(table.table)
  const object = { type: 'table', key: { source: source.name, table: table.table } }
  return (
    <article>
      <h1>{name}</h1>
      {table.configuration?.comment && <p>{table.configuration.comment}</p>}
      <OwnedBy client={client} object={object} />
      <nav class="bar" aria-label={`Changes of ${name}`}>
        <a href={changeOf('Table', source, table)}>Change the table</a>
        <a href={changeOf('ObjectRelationship', source, table)}>Relate it to one</a>
        <a href={changeOf('ArrayRelationship', source, table)}>Relate it to many</a>
        <a href={changeOf('SelectPermission', source, table)}>Add a permission</a>
        <a href={changeOf('EventTrigger', source, table)}>Add an event trigger</a>
      </nav>
      <nav class="views" aria-label={`Views of ${name}`}>
        {tableViews.map((one) => (
          <a
            key={one}
            href={addressOf(['data', source.name, name], { view: one })}
            aria-current={one === view ? 'page' : undefined}
          >
            {one}
          </a>
        ))}
      </nav>
      {view === 'permissions' && <PermissionMatrix metadata={metadata} source={source} table={table} />}
      {view === 'rows' && <Rows client={client} metadata={metadata} source={source} table={table} />}
      {view === 'relationships' && <Relationships source={source} table={table} />}
      {view === 'dependencies' && (
        <WithCatalogue>
          {({ Related }) => <Related client={client} metadata={metadata} object={object} />}
        </WithCatalogue>
      )}
      {view === 'metadata' && <JsonText value={table} label={`Metadata of ${name}`} />}
    </article>
  )
}

function Relationships({ source, table }: { readonly source: Source; readonly table: Table }) {
  const all = [
    ...(table.object_relationships ?? []).map((one) => ['one', one] as const),
    ...(table.array_relationships ?? []).map((one) => ['many', one] as const),
  ]
  if (all.length === 0) return <p class="quiet">This table has no relationships.</p>
  return (
    <TitledTable titles={['Field', 'Leads to', 'By']}>
      {all.map(([count, one]) => (
        <tr key={one.name}>
          <th scope="row">
            <a
              href={changeOf(count === 'one' ? 'ObjectRelationship' : 'ArrayRelationship', source, table, {
                name: one.name,
              })}
            >
              {one.name}
            </a>
          </th>
          <td>
            {count} row{count === 'many' && 's'}
          </td>
          <td>
            <code>{using(one)}</code>
          </td>
        </tr>
      ))}
    </TitledTable>
  )
}

function using({ using }: Relationship): string {
  const { foreign_key_constraint_on: key, manual_configuration: manual } = using as {
    foreign_key_constraint_on?: unknown
    manual_configuration?: unknown
  }
  return typeof key === 'string' ? key : JSON.stringify(key ?? manual)
}
