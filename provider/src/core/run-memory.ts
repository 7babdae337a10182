import { addressText, type MetadataObject, type ObjectAddress } from '@svc/schema'
import { addressesBelow } from './held-objects.ts'

/**
 * What the resources of one run have made, taken over or moved. A tool may let the former owner of an identity delete it
 * after a new one has made it: whoever deletes asks here first.
 */
export class RunMemory {
  readonly #made = new Set<string>()
  readonly #moved = new Set<string>()

  /** A resource of this run is now the owner of this object. */
  own(address: ObjectAddress): void {
    this.#made.add(addressText(address))
  }

  /** An object that has come to its place together with what it lies in. */
  move(address: ObjectAddress, object: MetadataObject): void {
    for (const one of [address, ...addressesBelow(object, address)]) this.#moved.add(addressText(one))
  }

  /** It is gone. */
  forget(address: ObjectAddress): void {
    this.#made.delete(addressText(address))
    this.#moved.delete(addressText(address))
  }

  /** Whether a resource of this run has made it or taken it over. */
  isOwned(address: ObjectAddress): boolean {
    return this.#made.has(addressText(address))
  }

  /** Whether it was moved here by this run: its resource has yet to say so. */
  isMoved(address: ObjectAddress): boolean {
    return this.#moved.has(addressText(address))
  }
}
