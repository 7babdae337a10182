import { isRecord } from '@svc/schema'
import type { HttpClient, HttpHeader } from '../../http-client/index.ts'
import type { Observer } from '../../observe/index.ts'
import { RecentMap } from '../../recent-map.ts'
import { keySetExpiry } from '../jwt/key-set-expiry.ts'
import { keyOfSet, type VerificationKey } from '../jwt/verification-key.ts'

export interface IssuerKeysOptions {
  readonly http: HttpClient
  readonly report: Observer['report']
}

const minute = 60_000
/** Keys that came without a time, or with one outside of these. */
const usualAge = 10 * minute
const leastAge = minute
const longestAge = 30 * minute
/** How long keys count whose issuer cannot be reached. */
const longestUse = 60 * minute
/** Fetches of one issuer in a minute, whatever the tokens say. */
const mostFetches = 6
const mostIssuers = 100
const timeout = 5000
const mostBytes = 512 * 1024
const mostKeys = 100

interface Issuer {
  keys: readonly VerificationKey[]
  fetchedAt: number
  expiresAt: number
  /** When it was tried, in the last minute. */
  tries: readonly number[]
  fetching: Promise<void> | null
}

/**
 * The keys of OIDC issuers, found by discovery when a token of theirs comes, and fetched again when they are out of date or a
 * token names a key that is not among them. A caller that calls has made sure that there is a trust in the issuer.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions
  readonly #issuers = new RecentMap<string, Issuer>()
  readonly #ended = new AbortController()

  constructor(options: IssuerKeysOptions) {
    this.#options = options
  }

  /** Those that may have signed a token that names this key. */
  async keys(url: string, keyId: string | null): Promise<readonly VerificationKey[]> {
    const issuer = this.#issuer(url)
    if (Date.now() >= issuer.expiresAt) await this.#refresh(url, issuer)
    const fitting = () =>
      Date.now() >= issuer.fetchedAt + longestUse
        ? []
        : issuer.keys.filter(({ id }) => keyId === null || id === null || id === keyId)
    if (fitting().length === 0) await this.#refresh(url, issuer)
    return fitting()
  }

  close(): void {
    this.#ended.abort()
  }

  #issuer(url: string): Issuer {
    const known = this.#issuers.get(url)
    if (known) return known
    const issuer: Issuer = { keys: [], fetchedAt: 0, expiresAt: 0, tries: [], fetching: null }
    this.#issuers.set(url, issuer)
    const [oldest] = this.#issuers.keys()
    if (this.#issuers.size > mostIssuers && oldest !== undefined) this.#issuers.delete(oldest)
    return issuer
  }

  /** Tokens that come meanwhile wait for the same answer. */
  #refresh(url: string, issuer: Issuer): Promise<void> {
    if (issuer.fetching) return issuer.fetching
    const now = Date.now()
    issuer.tries = issuer.tries.filter((at) => at > now - minute)
    if (issuer.tries.length >= mostFetches) return Promise.resolve()
    issuer.tries = [...issuer.tries, now]
    issuer.fetching = this.#fetch(url, issuer).finally(() => {
      issuer.fetching = null
    })
    return issuer.fetching
  }

  async #fetch(url: string, issuer: Issuer): Promise<void> {
    try {
      const { body: found } = await this.#get(`${url.replace(/\/$/, '')}/.well-known/openid-configuration`)
      if (found.issuer !== url) throw new Error('its configuration is that of another issuer')
      const address = typeof found.jwks_uri === 'string' ? found.jwks_uri : ''
      if (URL.parse(address)?.protocol !== 'https:' && URL.parse(address)?.origin !== new URL(url).origin)
        throw new Error('its keys are at no address of https')
      const { body, headers } = await this.#get(address)
      const keys = verifying(Array.isArray(body.keys) ? body.keys : [])
      if (keys.length === 0) throw new Error('the response holds no key that verifies tokens')
      const now = Date.now()
      const age = (keySetExpiry(headers, now) ?? now + usualAge) - now
      issuer.keys = keys
      issuer.fetchedAt = now
      issuer.expiresAt = now + Math.min(Math.max(age, leastAge), longestAge)
      this.#options.report({ kind: 'key-set-fetched', url, keys: keys.length })
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : 'failed'
      this.#options.report({ kind: 'key-set-failed', url, status: null, message })
    }
  }

  async #get(
    url: string,
  ): Promise<{ readonly body: Readonly<Record<string, unknown>>; readonly headers: readonly HttpHeader[] }> {
    const result = await this.#options.http.send({
      method: 'GET',
      url,
      shownUrl: url,
      purpose: 'OIDC issuer',
      headers: [['Accept', 'application/json']],
      body: null,
      timeout,
      redirects: 0,
      maxResponseBytes: mostBytes,
      signal: this.#ended.signal,
    })
    if (result.kind === 'failure') throw new Error(result.message)
    if (result.status !== 200) throw new Error(`answered with status ${result.status}`)
    const body: unknown = jsonOf(result.body)
    if (!isRecord(body)) throw new Error('the response is no JSON object')
    return { body, headers: result.headers }
  }
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}

/** Public keys for signatures: a shared secret in a set that all can read proves nothing. */
const verifying = (jwks: readonly unknown[]): readonly VerificationKey[] =>
  jwks.slice(0, mostKeys).flatMap((jwk) => {
    if (!isRecord(jwk) || jwk.kty === 'oct' || (jwk.use !== undefined && jwk.use !== 'sig')) return []
    try {
      return [keyOfSet(jwk)]
    } catch {
      return []
    }
  })
