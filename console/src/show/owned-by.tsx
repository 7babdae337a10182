import type { Client } from '../engine/client.ts'
import { ownedOf, readOwners } from '../engine/owners.ts'
import { useLoaded } from '../engine/use-loaded.ts'
import type { ObjectKey } from '../navigate/object-address.ts'

/** Shows the owner of an object, and those of the objects inside it; nothing where it has no owner. */
export function OwnedBy({ client, object }: { readonly client: Client; readonly object: ObjectKey }) {
  const [loaded] = useLoaded(() => readOwners(client), [client])
  const owned = loaded.state === 'loaded' ? ownedOf(loaded.value, object) : []
  const itself = owned.find((one) => one.object.type === object.type)
  const others = Map.groupBy(
    owned.filter((one) => one !== itself && one.owner !== itself?.owner),
    ({ owner }) => owner,
  )
  if (owned.length === 0) return null
  return (
    <p class="owned">
      {itself && (
        <>
          Owned by <strong>{itself.owner}</strong>
        </>
      )}
      {[...others].map(([owner, parts]) => (
        <span key={owner}>
          {itself && '; '}
          <strong>{owner}</strong> owns {parts.map(({ object: { name } }) => name.split(' in ')[0]).join(', ')}
        </span>
      ))}
    </p>
  )
}
