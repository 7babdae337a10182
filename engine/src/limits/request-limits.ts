import type { ApiLimits } from '@svc/schema'
import { ApiError, type ErrorCode, Path } from '../errors.ts'
import type { GraphqlRequest } from '../execute/index.ts'
import { type GraphqlSettings, parseDocument } from '../graphql/index.ts'
import type { Session } from '../session.ts'
import { limitsOfRole, type RoleLimits, unlimited } from './limits-of-role.ts'
import { measureQuery, type QuerySize } from './measure-query.ts'
import { RequestRate } from './request-rate.ts'

export interface RequestLimitsOptions {
  /** `api_limits` of the served metadata; the same reference while it is not changed. */
  readonly limits: () => ApiLimits | null
  readonly settings: GraphqlSettings
  /** Where several processes serve as one: counts a request among those of all. */
  readonly admit?: (key: string, perMinute: number) => Promise<boolean>
}

/** Queries whose size is remembered. */
const mostKnown = 2000

/** Refuses what `api_limits` do not allow (reference/http#limits-and-federation): each method throws ApiError. */
export class RequestLimits {
  readonly #options: RequestLimitsOptions
  readonly #rate = new RequestRate()
  readonly #sizes = new Map<string, QuerySize | null>()
  #read: ApiLimits | null = null
  #byRole = new Map<string, RoleLimits>()

  constructor(options: RequestLimitsOptions) {
    this.#options = options
  }

  /**
   * One request of a client; `address` is whom it came from. Throws or, where other processes count as well, rejects with
   * rate-limit-exceeded 429; null: there is nothing to wait for.
   */
  countRequest({ role, variables }: Session, address: string): Promise<void> | null {
    const { rate } = this.#of(role)
    if (!rate) return null
    const who =
      rate.by === 'role' ? [] : rate.by === 'address' ? [address] : rate.by.map((name) => variables.get(name) ?? null)
    const key = JSON.stringify([role, ...who])
    const refuse = (): never => {
      throw exceeded('rate-limit-exceeded', 'rate', `${rate.perMinute} requests a minute are allowed`, role)
    }
    const { admit } = this.#options
    if (admit) return admit(key, rate.perMinute).then((admitted) => (admitted ? undefined : refuse()))
    return this.#rate.admit(key, rate.perMinute, performance.now()) ? null : refuse()
  }

  /** Throws batch-limit-exceeded. */
  checkBatch(role: string, operations: number): void {
    const { batch } = this.#of(role)
    if (batch === null || operations <= batch) return
    throw exceeded('batch-limit-exceeded', 'batch', `${operations} operations, and ${batch} are allowed`, role)
  }

  /** Throws depth-limit-exceeded, node-limit-exceeded. What cannot be parsed is for validation to refuse. */
  checkOperation(role: string, request: GraphqlRequest): void {
    const { depth, nodes } = this.#of(role)
    if (depth === null && nodes === null) return
    const size = this.#sizeOf(request)
    if (!size) return
    if (depth !== null && size.depth > depth)
      throw exceeded('depth-limit-exceeded', 'depth', `${size.depth} levels, and ${depth} are allowed`, role)
    if (nodes !== null && size.nodes > nodes)
      throw exceeded('node-limit-exceeded', 'node', `${size.nodes} fields, and ${nodes} are allowed`, role)
  }

  /**
   * Aborts what runs longer than the role may take: rejects with time-limit-exceeded where `run` rejects with the reason of
   * its signal. What can no longer be taken back is for `run` to finish.
   */
  withinTime<T>(role: string, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { time } = this.#of(role)
    return time === null ? run(signal) : this.#endAfter(time, role, signal, run)
  }

  async #endAfter<T>(
    time: number,
    role: string,
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const late = new AbortController()
    const timer = setTimeout(
      () => late.abort(exceeded('time-limit-exceeded', 'time', `${time} seconds are allowed`, role)),
      time * 1000,
    )
    try {
      return await run(AbortSignal.any([signal, late.signal]))
    } finally {
      clearTimeout(timer)
    }
  }

  #of(role: string): RoleLimits {
    const limits = this.#options.limits()
    if (!limits) return unlimited
    if (limits !== this.#read) {
      this.#read = limits
      this.#byRole = new Map()
    }
    const known = this.#byRole.get(role)
    if (known) return known
    const found = limitsOfRole(limits, role)
    this.#byRole.set(role, found)
    return found
  }

  #sizeOf({ query, operationName }: GraphqlRequest): QuerySize | null {
    const key = `${operationName === null ? '-' : `${operationName.length}:${operationName}`}${query}`
    const known = this.#sizes.get(key)
    if (known !== undefined) return known
    const size = this.#measure(query, operationName)
    if (this.#sizes.size >= mostKnown) this.#sizes.delete(this.#sizes.keys().next().value ?? '')
    // what is cached must not be larger than what is saved
    if (query.length < 10_000) this.#sizes.set(key, size)
    return size
  }

  #measure(query: string, operationName: string | null): QuerySize | null {
    try {
      return measureQuery(parseDocument(query, this.#options.settings), operationName)
    } catch (error) {
      if (error instanceof ApiError) return null
      throw error
    }
  }
}

const exceeded = (code: ErrorCode, what: string, why: string, role: string) =>
  new ApiError(code, Path.root, `${what} limit exceeded: ${why} for the role ${role}`)
