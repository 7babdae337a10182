import { addressText, type JsonObject, type MetadataObject, type ObjectAddress } from '@svc/schema'
import { addressesBelow } from './contained-objects.ts'

/** The address of an object, and how operations name its parents. */
interface Standing {
  readonly address: ObjectAddress
  readonly place: JsonObject
}

/**
 * What the resources of one run have made, taken over or moved. A tool may let the former owner of an identity delete it
 * after a new one has made it: a delete reads this first.
 */
export class RunMemory {
  readonly #made = new Set<string>()
  readonly #moved = new Set<string>()
  /** What was moved to another identity, by the one that it had: its new address, and how objects inside it name it. */
  readonly #sent = new Map<string, { readonly to: ObjectAddress; readonly within: JsonObject }>()
  /** Where something is on its way to: all that is found below comes along with it. */
  readonly #arriving = new Set<string>()
  /** By whom an object is about to be made or taken over. */
  readonly #claims = new Map<string, object>()

  /** A write is about to make an object its resource's: what goes out together with it leaves that to it. */
  claim(address: ObjectAddress, writer: object): void {
    this.#claims.set(addressText(address), writer)
  }

  /** A write computes again, or has failed. */
  release(address: ObjectAddress, writer: object): void {
    if (this.#claims.get(addressText(address)) !== writer) return
    this.#claims.delete(addressText(address))
    this.#arriving.delete(addressText(address))
  }

  /** Whether an object is another resource's, or about to be. */
  isOthers(address: ObjectAddress, writer: object): boolean {
    const claimant = this.#claims.get(addressText(address))
    return this.isOwned(address) || (claimant !== undefined && claimant !== writer)
  }

  /** A resource of this run is now the owner of this object. */
  own(address: ObjectAddress): void {
    this.#made.add(addressText(address))
  }

  /** An object that has moved to its place together with its parent. */
  move(address: ObjectAddress, object: MetadataObject): void {
    this.#arriving.delete(addressText(address))
    for (const one of [address, ...addressesBelow(object, address)]) this.#moved.add(addressText(one))
  }

  /**
   * An object is about to get another identity. Said before it has it: what goes out together with that is computed from
   * what will be there.
   */
  send(from: ObjectAddress, to: ObjectAddress, within: JsonObject): void {
    this.#sent.set(addressText(from), { to, within })
    this.#arriving.add(addressText(to))
  }

  /** Returns the new address of an object when one of its parents moves. Null: none of them was moved. */
  carried({ address, place }: Standing): Standing | null {
    const { parent } = address
    if (!parent) return null
    const sent = this.#sent.get(addressText(parent))
    if (sent) return { address: { ...address, parent: sent.to }, place: { ...place, ...sent.within } }
    const above = this.carried({ address: parent, place })
    return above && { address: { ...address, parent: above.address }, place: above.place }
  }

  /** It is gone. */
  forget(address: ObjectAddress): void {
    this.#made.delete(addressText(address))
    this.#claims.delete(addressText(address))
    this.#moved.delete(addressText(address))
  }

  /** Whether a resource of this run has made it or taken it over. */
  isOwned(address: ObjectAddress): boolean {
    return this.#made.has(addressText(address))
  }

  /** Whether it was moved here by this run: its resource has yet to say so. */
  isMoved(address: ObjectAddress): boolean {
    return this.#moved.has(addressText(address)) || this.#arrives(address)
  }

  #arrives({ parent }: ObjectAddress): boolean {
    return parent !== null && (this.#arriving.has(addressText(parent)) || this.#arrives(parent))
  }
}
