/** An OIDC provider on this machine: its configuration, its keys, and tokens that it signs. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JWTPayload, SignJWT } from 'jose'

export interface IssuerKey {
  readonly id: string
  readonly algorithm: string
  readonly private: KeyObject
  readonly public: KeyObject
}

export interface Issuer {
  readonly url: string
  /** Paths that were asked for. */
  readonly requests: string[]
  /** What it publishes; a test may take some away. */
  keys: readonly IssuerKey[]
  /** Of its configuration, in addition to what it would say. */
  configuration: object
  /** A token that holds for five minutes, unless the claims say something else. */
  token(claims?: JWTPayload, key?: IssuerKey): Promise<string>
}

export function newKey(id: string, algorithm = 'RS256'): IssuerKey {
  const pair = algorithm.startsWith('ES')
    ? generateKeyPairSync('ec', { namedCurve: algorithm === 'ES256' ? 'P-256' : 'P-384' })
    : algorithm === 'EdDSA'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { id, algorithm, private: pair.privateKey, public: pair.publicKey }
}

export const seconds = (): number => Math.floor(Date.now() / 1000)

export async function startIssuer(t: { after(end: () => Promise<void>): void }): Promise<Issuer> {
  const server = createServer((request, response) => {
    issuer.requests.push(request.url ?? '')
    response.setHeader('content-type', 'application/json')
    if (request.url === '/.well-known/openid-configuration')
      response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys`, ...issuer.configuration }))
    else if (request.url === '/keys')
      response.end(
        JSON.stringify({
          keys: issuer.keys.map((key) => ({
            ...key.public.export({ format: 'jwk' }),
            kid: key.id,
            use: 'sig',
            alg: key.algorithm,
          })),
        }),
      )
    else response.writeHead(404).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  const issuer: Issuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    keys: [newKey('one')],
    configuration: {},
    token(claims = {}, key = issuer.keys[0] as IssuerKey) {
      const all = { iss: issuer.url, iat: seconds(), exp: seconds() + 300, ...claims }
      return new SignJWT(all).setProtectedHeader({ alg: key.algorithm, kid: key.id }).sign(key.private)
    },
  }
  return issuer
}
