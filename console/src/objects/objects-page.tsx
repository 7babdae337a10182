import type { Metadata } from '../engine/metadata.ts'
import { addressOf, type Location } from '../navigate/location.ts'
import { JsonText } from '../show/json.tsx'

interface ObjectOf {
  readonly name: string
  readonly value: unknown
}

/** Everything that stands beside the tables, by kind, as it is declared. */
export function ObjectsPage({
  metadata,
  location: { parts },
}: {
  readonly metadata: Metadata
  readonly location: Location
}) {
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
        {chosen ? (
          <JsonText value={chosen.value} label={`Metadata of ${chosen.name}`} />
        ) : (
          <p class="quiet">Choose an object to see how it is declared.</p>
        )}
      </main>
    </div>
  )
}

/** Kinds in words, with their objects; those of sources named by source. */
function* kindsOf(metadata: Metadata): Generator<readonly [string, readonly ObjectOf[]]> {
  for (const [key, value] of Object.entries(metadata)) {
    if (key === 'sources' || key === 'version') continue
    const objects = objectsOf(value, key)
    if (objects.length > 0) yield [worded(key), objects]
  }
  const ofSources = new Map<string, ObjectOf[]>()
  for (const { tables: _, name: source, kind: __, ...rest } of metadata.sources ?? [])
    for (const [key, value] of Object.entries(rest)) {
      const objects = Array.isArray(value) ? objectsOf(value, key) : [{ name: key, value }]
      const known = ofSources.get(key) ?? []
      ofSources.set(key, [...known, ...objects.map((one) => ({ ...one, name: `${source}: ${one.name}` }))])
    }
  for (const [key, objects] of ofSources) if (objects.length > 0) yield [worded(key), objects]
}

const objectsOf = (value: unknown, key: string): readonly ObjectOf[] =>
  Array.isArray(value)
    ? value.map((one: unknown, index) => ({ name: nameOf(one) ?? `${index + 1}`, value: one }))
    : [{ name: worded(key), value }]

function nameOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return null
  const { name, role_name, role, root_field_name, collection, function: fn, host } = value as Record<string, unknown>
  for (const one of [name, role_name, role, root_field_name, collection, host]) if (typeof one === 'string') return one
  return nameOf(fn)
}

const worded = (key: string) => key.replaceAll('_', ' ')
