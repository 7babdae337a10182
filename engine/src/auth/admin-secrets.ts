import { hash, timingSafeEqual } from 'node:crypto'

/** Bytes: longer secrets are compared by their hashes, which takes ten times as long. */
const SIZE = 256
const LENGTH = 4

export type SecretMatcher = (given: string) => boolean

/**
 * Whether a text is one of the secrets. All of them are read, in constant time, and as texts of equal length: how long
 * a secret is shows no more than what it is (reference/authentication#modes).
 */
export function secretMatcher(secrets: readonly string[]): SecretMatcher {
  const padded = secrets.map((secret) => padInto(Buffer.alloc(SIZE), secret))
  const bytes = Buffer.alloc(SIZE)
  return (given) => {
    padInto(bytes, given)
    return padded.reduce((found, secret) => timingSafeEqual(secret, bytes) || found, false)
  }
}

/** Length, text and zeros; a text that does not fit leaves its hash. */
function padInto(bytes: Buffer, text: string): Buffer {
  const short = 3 * text.length <= SIZE - LENGTH || Buffer.byteLength(text) <= SIZE - LENGTH
  const length = short ? bytes.write(text, LENGTH) : hash('sha256', text, 'buffer').copy(bytes, LENGTH)
  bytes.fill(0, LENGTH + length)
  bytes.writeInt32BE(short ? length : -1, 0)
  return bytes
}
