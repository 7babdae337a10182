/** A socket that is sent answers. */
export interface Sender {
  disconnect(): void
}

/**
 * The bytes that wait for the clients of all sockets. Where they are more than the bound, the client for which most waits is
 * disconnected; a single one is not, since the size of an answer has a limit of its own.
 */
export class UnsentBytes {
  readonly #most: number
  readonly #waiting = new Map<Sender, number>()
  #total = 0

  constructor(most: number) {
    this.#most = most
  }

  /** What waits for a client now. */
  update(sender: Sender, bytes: number): void {
    this.#total += bytes - (this.#waiting.get(sender) ?? 0)
    if (bytes === 0) this.#waiting.delete(sender)
    else this.#waiting.set(sender, bytes)
    while (this.#total > this.#most && this.#waiting.size > 1) this.#disconnectOne()
  }

  #disconnectOne(): void {
    let [most, length]: [Sender | null, number] = [null, 0]
    for (const [sender, bytes] of this.#waiting) if (bytes > length) [most, length] = [sender, bytes]
    if (!most) return
    this.update(most, 0)
    most.disconnect()
  }
}
