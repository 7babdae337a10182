import type { Client } from '../engine/client.ts'
import { useLoaded } from '../engine/use-loaded.ts'
import { Once } from '../show/failure.tsx'
import { JsonText } from '../show/json.tsx'

interface Inconsistencies {
  readonly is_consistent: boolean
  readonly inconsistent_objects: readonly {
    readonly name: string
    readonly type: string
    readonly reason: string
    readonly definition: unknown
  }[]
}

/** Objects that are declared and cannot be served, with the reason of each. */
export function InconsistenciesPage({ client, version }: { readonly client: Client; readonly version: number }) {
  const [loaded, again] = useLoaded(
    () => client.read<Inconsistencies>('get_inconsistent_metadata', {}, 2),
    [client, version],
  )
  return (
    <main>
      <h1>Inconsistent objects</h1>
      <Once loaded={loaded} again={again}>
        {({ inconsistent_objects: objects }) =>
          objects.length === 0 ? (
            <p>All that is declared is served.</p>
          ) : (
            <>
              <p>
                They are left out of the schema until they are mended where they are declared; everything else is
                served.
              </p>
              {objects.map(({ name, reason, definition }, index) => (
                <details key={index}>
                  <summary>{name}</summary>
                  <p>{reason}</p>
                  <JsonText value={definition} label={`Definition of ${name}`} />
                </details>
              ))}
            </>
          )
        }
      </Once>
    </main>
  )
}
