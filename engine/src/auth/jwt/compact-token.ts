import { isRecord } from '@svc/schema'

/** A token in its compact form (RFC 7515 §7.1), split into its parts and not verified. */
export interface CompactToken {
  readonly algorithm: string
  readonly keyId: string | null
  readonly claims: Readonly<Record<string, unknown>>
  /** What is signed. */
  readonly signed: string
  readonly signature: Buffer
}

/** The parts, or why there are none, in the words of reference/authentication#jwt. */
export function readCompactToken(text: string): CompactToken | string {
  const parts = text.split('.', 6)
  const [head = '', payload = '', signature = ''] = parts
  if (parts.length !== 3)
    return `JWSError (CompactDecodeError Invalid number of parts: Expected 3 parts; got ${parts.length})`
  const header = readPart(head)
  if (!header) return 'JWSError (CompactDecodeError (JSON decode error: the header is no JSON object))'
  if (typeof header.alg !== 'string')
    return 'JWSError (CompactDecodeError (JSON decode error: the header has no "alg"))'
  // extensions that must be understood: none is
  if (header.crit !== undefined) return 'JWSError (CompactDecodeError (the header has unsupported "crit" extensions))'
  if (!BASE64URL.test(signature)) return 'JWSError (CompactDecodeError (the signature is not base64url))'
  const claims = readPart(payload)
  if (!claims) return 'JWTClaimsSetDecodeError "the payload is no JSON object"'
  return {
    algorithm: header.alg,
    keyId: typeof header.kid === 'string' ? header.kid : null,
    claims,
    signed: `${head}.${payload}`,
    signature: Buffer.from(signature, 'base64url'),
  }
}

const BASE64URL = /^[A-Za-z0-9_-]*$/

function readPart(part: string): Readonly<Record<string, unknown>> | null {
  if (!BASE64URL.test(part)) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
