import {
  constants,
  createHmac,
  createPublicKey,
  createSecretKey,
  type JsonWebKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import type { CompactToken } from './compact-token.ts'

/**
 * A key and what its kind can verify; which of these a token uses is the token's choice (reference/authentication#jwt).
 */
export interface VerificationKey {
  /** `kid` of a key set; a token that names another is not tried. */
  readonly id: string | null
  readonly key: KeyObject
  readonly algorithms: readonly Algorithm[]
}

export const jwtTypes = [
  'HS256',
  'HS384',
  'HS512',
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
] as const
export type JwtType = (typeof jwtTypes)[number]

/** As `alg` of a token names them. */
const rsa = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const
const hmac = ['HS256', 'HS384', 'HS512'] as const
const curves = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' } as const
export type Algorithm =
  | (typeof rsa)[number]
  | (typeof hmac)[number]
  | (typeof curves)[keyof typeof curves]
  | 'EdDSA'
  | 'Ed25519'

const leastRsaBits = 2048

/** The `key` of a setting. Throws Error with the reason, which never holds the key. */
export function keyOfSetting(type: JwtType, text: string): VerificationKey {
  if (type === 'HS256' || type === 'HS384' || type === 'HS512') {
    const least = Number(type.slice(2)) / 8
    if ([...text].length < least) throw new Error(`Key size too small; should be atleast ${least} characters`)
    return { id: null, key: createSecretKey(Buffer.from(text)), algorithms: hmac }
  }
  const found = publicKey(() => createPublicKey(text))
  const family = type === 'Ed25519' ? 'Ed25519' : type
  if (!found.algorithms.includes(family)) throw new Error(`the key does not fit the type ${type}`)
  return found
}

/** A key of a set (RFC 7517). Throws Error with the reason, which never holds the key, where it verifies no tokens. */
export function keyOfSet(jwk: Readonly<Record<string, unknown>>): VerificationKey {
  if (jwk.use !== undefined && jwk.use !== 'sig' && jwk.use !== 'enc') throw new Error('the key is of another use')
  const { key, algorithms } =
    jwk.kty === 'oct' ? secretKey(jwk.k) : publicKey(() => createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }))
  const own = jwk.alg === undefined ? algorithms : algorithms.filter((algorithm) => algorithm === jwk.alg)
  if (own.length === 0) throw new Error('the key does not fit its alg')
  return { id: typeof jwk.kid === 'string' ? jwk.kid : null, key, algorithms: own }
}

/** A shared secret verifies with the hashes that are no longer than it is (RFC 7518 §3.2). */
function secretKey(k: unknown): VerificationKey {
  if (typeof k !== 'string' || k === '') throw new Error('the key has no text (k)')
  const secret = Buffer.from(k, 'base64url')
  const algorithms = hmac.filter((algorithm) => secret.length >= Number(algorithm.slice(2)) / 8)
  if (algorithms.length === 0) throw new Error(`the key has ${secret.length} bytes, and needs 32 at least`)
  return { id: null, key: createSecretKey(secret), algorithms }
}

function publicKey(read: () => KeyObject): VerificationKey {
  const key = keyFrom(read)
  return { id: null, key, algorithms: algorithmsOf(key) }
}

/** OpenSSL's own words may quote what they read. */
function keyFrom(read: () => KeyObject): KeyObject {
  try {
    return read()
  } catch {
    throw new Error('the key is no public key or certificate in PEM (PKCS#1, PKCS#8/SPKI, X.509)')
  }
}

function algorithmsOf(key: KeyObject): readonly Algorithm[] {
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {}
  switch (key.asymmetricKeyType) {
    case 'rsa':
      if (modulusLength < leastRsaBits)
        throw new Error(`the RSA key has ${modulusLength} bits, and needs ${leastRsaBits} at least`)
      return rsa
    case 'ec': {
      const algorithm = Object.hasOwn(curves, namedCurve) ? curves[namedCurve as keyof typeof curves] : undefined
      if (algorithm === undefined) throw new Error(`keys of the curve ${namedCurve} verify no tokens`)
      return [algorithm]
    }
    case 'ed25519':
      return ['EdDSA', 'Ed25519']
    default:
      throw new Error(`keys of the kind ${key.asymmetricKeyType} verify no tokens`)
  }
}

/** Whether one of the keys has signed the token, by an algorithm that the key's own kind knows. */
export const isSignedByAny = (keys: readonly VerificationKey[], token: CompactToken): boolean =>
  keys.some(
    (key) => isAlgorithmOf(key, token.algorithm) && isSignedBy(key, token.algorithm, token.signed, token.signature),
  )

/** `.some` narrows no property of another object. */
const isAlgorithmOf = (key: VerificationKey, algorithm: string): algorithm is Algorithm =>
  (key.algorithms as readonly string[]).includes(algorithm)

/** Whether the signature is that of the key; HMACs are compared in constant time. */
function isSignedBy({ key }: VerificationKey, algorithm: Algorithm, data: string, signature: Buffer): boolean {
  const digest = `sha${algorithm.slice(2)}`
  switch (algorithm) {
    case 'HS256':
    case 'HS384':
    case 'HS512': {
      const own = createHmac(digest, key).update(data).digest()
      return own.length === signature.length && timingSafeEqual(own, signature)
    }
    case 'RS256':
    case 'RS384':
    case 'RS512':
      return verify(digest, Buffer.from(data), key, signature)
    case 'PS256':
    case 'PS384':
    case 'PS512': {
      const padding = constants.RSA_PKCS1_PSS_PADDING
      return verify(
        digest,
        Buffer.from(data),
        { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
        signature,
      )
    }
    case 'ES256':
    case 'ES384':
    case 'ES512':
      return verify(digest, Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }, signature)
    case 'EdDSA':
    case 'Ed25519':
      return verify(null, Buffer.from(data), key, signature)
  }
}
