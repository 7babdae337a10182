import { isRecord } from '@svc/schema'
import type { HttpClient } from '../../http-client/index.ts'
import type { Observer } from '../../observe/index.ts'
import { keySetExpiry } from './key-set-expiry.ts'
import { keyOfSet, type VerificationKey } from './verification-key.ts'

export interface KeySetOptions {
  readonly url: string
  readonly http: HttpClient
  readonly report: Observer['report']
  /** Milliseconds: of a request, before a second attempt, between checks of a set that is out of date at once. */
  readonly times?: Partial<KeySetTimes>
}

interface KeySetTimes {
  readonly timeout: number
  readonly firstRetry: number
  readonly longestRetry: number
  /**
   * Milliseconds between fetches of a set that must not be cached, or of one without an end that lacks the key of a
   * token.
   */
  readonly check: number
}

const usualTimes: KeySetTimes = { timeout: 10_000, firstRetry: 200, longestRetry: 60_000, check: 60_000 }

const startAttempts = 6
/** A timer cannot wait for longer. */
const longestTimer = 2_147_483_647

/**
 * The keys at a `jwk_url`, fetched again when the response's headers say that they are out of date
 * (reference/authentication#jwt). A fetch that fails is repeated after a growing pause, and the old keys remain in use.
 */
export class KeySet {
  readonly #options: KeySetOptions
  readonly #times: KeySetTimes
  #keys: readonly VerificationKey[] = []
  #timer: NodeJS.Timeout | undefined
  #fetched = Number.NEGATIVE_INFINITY
  #fetching = false
  #failures = 0
  readonly #ended = new AbortController()

  private constructor(options: KeySetOptions) {
    this.#options = options
    this.#times = { ...usualTimes, ...options.times }
  }

  /** Fetches the keys. Rejects with the reason after six attempts. */
  static async open(options: KeySetOptions): Promise<KeySet> {
    const set = new KeySet(options)
    for (let attempt = 1; ; attempt++) {
      const fault = await set.#fetch()
      if (fault === null) return set
      if (attempt === startAttempts) {
        set.close()
        throw new Error(`the keys of jwk_url cannot be fetched: ${fault}`)
      }
      await new Promise((resolve) => setTimeout(resolve, set.#times.firstRetry * 2 ** (attempt - 1)))
    }
  }

  /** Those that may have signed a token which names this key. An unknown name has the set fetched soon. */
  keys(id: string | null): readonly VerificationKey[] {
    if (id === null) return this.#keys
    const fitting = this.#keys.filter((key) => key.id === null || key.id === id)
    const isOld = performance.now() - this.#fetched > this.#times.check / 6
    if (fitting.length === 0 && isOld && !this.#fetching) this.#refreshAfter(0)
    return fitting
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#ended.abort()
  }

  #refreshAfter(milliseconds: number): void {
    clearTimeout(this.#timer)
    if (this.#ended.signal.aborted) return
    this.#timer = setTimeout(() => void this.#refresh(), Math.min(milliseconds, longestTimer)).unref()
  }

  async #refresh(): Promise<void> {
    if ((await this.#fetch()) === null) return
    this.#failures += 1
    this.#refreshAfter(Math.min(this.#times.firstRetry * 2 ** this.#failures, this.#times.longestRetry))
  }

  /** Null, or what went wrong; the next fetch is planned where the answer says when. */
  async #fetch(): Promise<string | null> {
    const { url, http, report } = this.#options
    this.#fetching = true
    const result = await http.send({
      method: 'GET',
      url,
      shownUrl: url,
      purpose: 'key set',
      headers: [['Accept', 'application/json']],
      body: null,
      timeout: this.#times.timeout,
      signal: this.#ended.signal,
    })
    this.#fetching = false
    this.#fetched = performance.now()
    if (this.#ended.signal.aborted) return null
    const keys = result.kind === 'response' && result.status === 200 ? this.#keysIn(result.body) : null
    if (result.kind === 'response' && keys !== null && keys.length > 0) {
      this.#keys = keys
      this.#failures = 0
      report({ kind: 'key-set-fetched', url: withoutQuery(url), keys: keys.length })
      const expiry = keySetExpiry(result.headers, Date.now())
      if (expiry !== null) {
        const left = expiry - Date.now()
        this.#refreshAfter(left > 0 ? Math.max(left, 1000) : this.#times.check)
      }
      return null
    }
    const fault =
      result.kind === 'failure'
        ? result.message
        : result.status !== 200
          ? `answered with status ${result.status}`
          : 'the response holds no key that verifies tokens'
    report({
      kind: 'key-set-failed',
      url: withoutQuery(url),
      status: result.kind === 'response' ? result.status : null,
      message: fault,
    })
    return fault
  }

  /** Returns the keys of a set that can verify tokens, and reports the rest. Null where the body is no key set. */
  #keysIn(body: Buffer): readonly VerificationKey[] | null {
    const jwks = jwksIn(body)
    return jwks === null ? null : jwks.flatMap((jwk) => this.#keyOf(jwk) ?? [])
  }

  #keyOf(jwk: unknown): VerificationKey | null {
    if (!isRecord(jwk)) return null
    try {
      return keyOfSet(jwk)
    } catch (cause) {
      const { url, report } = this.#options
      const id = typeof jwk.kid === 'string' ? jwk.kid : null
      report({
        kind: 'key-left-out',
        url: withoutQuery(url),
        id,
        message: cause instanceof Error ? cause.message : 'unreadable',
      })
      return null
    }
  }
}

function jwksIn(body: Buffer): readonly unknown[] | null {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'))
    return isRecord(json) && Array.isArray(json.keys) ? json.keys : null
  } catch {
    return null
  }
}

const withoutQuery = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
