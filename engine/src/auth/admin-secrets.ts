import { hash, timingSafeEqual } from 'node:crypto'

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

/** Whether a text is one of the secrets. Hashes of equal length, all of them, in constant time (spec 04 §2.1). */
export function secretMatcher(secrets: readonly string[]): (given: string) => boolean {
  const digests = secrets.map(digest)
  return (given) => {
    const hashed = digest(given)
    return digests.reduce((found, secret) => timingSafeEqual(secret, hashed) || found, false)
  }
}
