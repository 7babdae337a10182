import { ApiError, Path } from '../errors.ts'

interface Bounds {
  /** Open sockets in all. */
  readonly most: number
  readonly mostOfAddress: number
}

/** Counts open sockets, in all and by address. */
export class SocketBounds {
  readonly #bounds: Bounds
  readonly #byAddress = new Map<string, number>()
  #all = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Whether one more may be opened. Throws ApiError: busy, 503 where there are too many, 429 where of that address. */
  check(address: string): void {
    const { most, mostOfAddress } = this.#bounds
    if (this.#all >= most) throw busy('too many websockets are open (--websocket-max-connections)', 503)
    if ((this.#byAddress.get(address) ?? 0) >= mostOfAddress)
      throw busy('too many websockets of this address are open (--websocket-max-connections-per-address)', 429)
  }

  /** Counts one that is open; the result is called once it is closed. */
  count(address: string): () => void {
    this.#all += 1
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1)
    return () => {
      this.#all -= 1
      const left = (this.#byAddress.get(address) ?? 0) - 1
      if (left > 0) this.#byAddress.set(address, left)
      else this.#byAddress.delete(address)
    }
  }
}

const busy = (message: string, status: number) => new ApiError('busy', Path.root, message, { status })
