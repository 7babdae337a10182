import { type Metadata, rolesOf, shownTable, type TableName } from '../engine/metadata.ts'
import { addressOf } from '../navigate/location.ts'
import type { ViewProps } from '../navigate/views.ts'
import { JsonText } from '../show/json.tsx'
import { WithCatalogue } from '../show/with-catalogue.tsx'

interface ObjectOf {
  readonly name: string
  readonly value: unknown
  /** The key of the list that it stands in, in the metadata or in a source. */
  readonly list: string
  readonly source: string | null
}

/** Everything in addition to the tables, by kind, as it is declared. */
export function ObjectsPage({ client, metadata, location: { parts } }: ViewProps) {
  const [, kindName, objectName] = parts
  const kinds = [...kindsOf(metadata)]
  const kind = kinds.find(([name]) => name === kindName) ?? kinds[0]
  const chosen = kind?.[1].find(({ name }) => name === objectName)
  return (
    <div class="beside">
      <aside>
        <nav aria-label="Objects">
          {kinds.map(([name, objects]) => (
            <details key={name} open={name === kind?.[0]}>
              <summary>
                {name} <span class="quiet">{objects.length}</span>
              </summary>
              <ul>
                {objects.map((one) => (
                  <li key={one.name}>
                    <a href={addressOf(['objects', name, one.name])} aria-current={one === chosen ? 'page' : undefined}>
                      {one.name}
                    </a>
                  </li>
                ))}
              </ul>
            </details>
          ))}
          {kinds.length === 0 && <p class="quiet">Nothing is declared but tables.</p>}
        </nav>
      </aside>
      <main>
        <h1>{chosen?.name ?? 'Objects'}</h1>
        {kindName === 'roles' && objectName !== undefined ? (
          <WithCatalogue>{({ RolePage }) => <RolePage metadata={metadata} role={objectName} />}</WithCatalogue>
        ) : chosen ? (
          <>
            <WithCatalogue>
              {({ Related }) => <Related client={client} metadata={metadata} object={chosen} />}
            </WithCatalogue>
            <h2>As it is declared</h2>
            <JsonText value={chosen.value} label={`Metadata of ${chosen.name}`} />
          </>
        ) : objectName !== undefined ? (
          <p class="quiet">There is no such object.</p>
        ) : (
          <p class="quiet">Choose an object to see what it depends on, who may use it and how it is declared.</p>
        )}
      </main>
    </div>
  )
}

/** Kinds in words, with their objects; those of sources named by source. */
function* kindsOf(metadata: Metadata): Generator<readonly [string, readonly ObjectOf[]]> {
  const { version: _, sources = [], inherited_roles: __, ...lists } = metadata
  const roles = rolesOf(metadata)
  if (roles.length > 0)
    yield ['roles', roles.map((name) => ({ name, value: name, list: 'inherited_roles', source: null }))]
  for (const [list, value] of Object.entries(lists)) {
    const objects = objectsOf(value, list, null)
    if (objects.length > 0) yield [worded(list), objects]
  }
  const ofSources = sources.flatMap(({ tables: _, name: source, kind: __, ...rest }) =>
    Object.entries(rest).flatMap(([list, value]) => (Array.isArray(value) ? objectsOf(value, list, source) : [])),
  )
  for (const [list, objects] of Map.groupBy(ofSources, ({ list }) => list)) yield [worded(list), objects]
}

const objectsOf = (value: unknown, list: string, source: string | null): readonly ObjectOf[] =>
  Array.isArray(value)
    ? value.map((one: unknown, index) => {
        const name = nameOf(one) ?? `${index + 1}`
        return { name: source === null ? name : `${source}: ${name}`, value: one, list, source }
      })
    : [{ name: worded(list), value, list, source }]

function nameOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return null
  const parts = value as Readonly<Record<string, unknown>>
  const names = ['name', 'role_name', 'role', 'root_field_name', 'collection', 'host'].map((key) => parts[key])
  const name = names.find((one) => typeof one === 'string')
  const qualified = (parts.function ?? parts.stored_procedure ?? null) as TableName | null
  return name ?? (qualified === null ? null : shownTable(qualified))
}

const worded = (key: string) => key.replaceAll('_', ' ')
