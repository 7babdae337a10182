/** Which stack or directory declares each object (docs/ownership.md): columns of the catalogue, cached in memory. */
import { addressText, type MetadataObject } from '@svc/schema'
import { type CatalogueConnection, notifyText, once } from './connection.ts'
import type { Commit } from './metadata-store.ts'
import type { OwnerOfObject } from './owner-columns.ts'

/** Whose an object is once a change is stored, and of a deleted one whose it was. */
export type OwnersAfter = (address: string, now: MetadataObject | null) => string | null

/** $1: addresses; $2: the owner, or NULL; $3: the notification. */
const setStatement = once('svc_set_owners')`
    WITH bumped AS (
      UPDATE svc_catalog.metadata SET resource_version = resource_version + 1 WHERE id = 1 RETURNING resource_version
    ), given AS (
      UPDATE svc_catalog.metadata_object o SET owner = $2::text, changed = b.resource_version
      FROM bumped b WHERE o.address = ANY($1::text[])
    )
    SELECT resource_version::text, ${notifyText('$3')} FROM bumped`

/** Replaced as the document is: by what is read of the catalogue, and by what is stored. */
export class ObjectOwners {
  #owners: Map<string, string> = new Map()
  /** Whose the objects were that the newest version has deleted: it may be taken back. */
  #released: ReadonlyMap<string, string> = new Map()

  get all(): ReadonlyMap<string, string> {
    return this.#owners
  }

  load(rows: readonly OwnerOfObject[]): void {
    this.#owners = new Map()
    this.read(rows)
  }

  /** What is null has no owner, or is no more. */
  read(rows: readonly OwnerOfObject[]): void {
    for (const [address, owner] of rows)
      if (owner === null) this.#owners.delete(address)
      else this.#owners.set(address, owner)
  }

  /** Before a version of which only the log is left is taken back. */
  wereReleased(rows: readonly OwnerOfObject[]): void {
    this.#released = new Map(rows.flatMap(([address, owner]) => (owner === null ? [] : [[address, owner]])))
  }

  /**
   * An owner remains the owner when another client changes the object; an object without owner becomes the author's.
   */
  after({ changes, author, takesBack }: Commit): OwnersAfter {
    const owners = this.#owners
    if (takesBack) return (address) => owners.get(address) ?? this.#released.get(address) ?? null
    if (owners.size === 0) return () => author.owner
    // an object that was renamed with its parent
    const moved = new Map<unknown, string>()
    for (const { change, address, old } of changes) {
      const owner = change === 'delete' ? owners.get(addressText(address)) : undefined
      if (owner !== undefined && old) moved.set(old.value, owner)
    }
    return (address, now) => owners.get(address) ?? (now && moved.get(now.value)) ?? (now ? author.owner : null)
  }

  /** `owners`: what `after` has returned for it. */
  stored({ changes, author, takesBack }: Commit, owners: OwnersAfter): void {
    if (this.#owners.size === 0 && author.owner === null && !takesBack) return
    const rows = changes.map(({ address, new: now }): OwnerOfObject => {
      const at = addressText(address)
      return [at, owners(at, now)]
    })
    this.wereReleased(rows.filter((_, i) => changes[i]?.change === 'delete'))
    this.read(rows.map(([address, owner], i) => [address, changes[i]?.change === 'delete' ? null : owner]))
  }
}

/** Returns the version with which they are assigned. */
export async function setOwners(
  { run }: Pick<CatalogueConnection, 'run'>,
  addresses: readonly string[],
  owner: string | null,
  instance: string,
): Promise<number> {
  const [row] = await run(setStatement, [addresses, owner, JSON.stringify({ instance, kind: 'version' })])
  return Number(row?.[0])
}
