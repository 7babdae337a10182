import { hash, timingSafeEqual } from 'node:crypto'

/** Bytes: longer secrets are compared by their hashes, which takes ten times as long. */
const ROOM = 256
const LENGTH = 4

export type SecretMatcher = (given: string) => boolean

/**
 * Whether a text is one of the secrets. All of them are looked at, in constant time, and as texts of equal length: how long
 * a secret is shows no more than what it is (spec 04 §2.1).
 */
export function secretMatcher(secrets: readonly string[]): SecretMatcher {
  const padded = secrets.map((secret) => padInto(Buffer.alloc(ROOM), secret))
  const room = Buffer.alloc(ROOM)
  return (given) => {
    padInto(room, given)
    return padded.reduce((found, secret) => timingSafeEqual(secret, room) || found, false)
  }
}

/** Length, text and zeros; a text that has no room leaves its hash. */
function padInto(room: Buffer, text: string): Buffer {
  const short = 3 * text.length <= ROOM - LENGTH || Buffer.byteLength(text) <= ROOM - LENGTH
  const length = short ? room.write(text, LENGTH) : hash('sha256', text, 'buffer').copy(room, LENGTH)
  room.fill(0, LENGTH + length)
  room.writeInt32BE(short ? length : -1, 0)
  return room
}
