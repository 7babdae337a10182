import { type ApiLimits, isRecord } from '@svc/schema'
import { adminRole } from '../session.ts'

/** The limits of one role; null: none. */
export interface RoleLimits {
  readonly depth: number | null
  readonly nodes: number | null
  /** Operations of a batch. */
  readonly batch: number | null
  /** Seconds of an operation. */
  readonly time: number | null
  readonly rate: RateLimit | null
}

interface RateLimit {
  readonly perMinute: number
  /** Whose requests are counted together: of a role, of an address, of the same values of session variables. */
  readonly by: 'role' | 'address' | readonly string[]
}

export const unlimited: RoleLimits = { depth: null, nodes: null, batch: null, time: null, rate: null }

/** The limits of a role: its own where it has one, else those for all. The admin has only those that name it. */
export function limitsOfRole(limits: ApiLimits, role: string): RoleLimits {
  if (limits.disabled) return unlimited
  const rate = own(limits.rate_limit, role)
  return {
    depth: own(limits.depth_limit, role) ?? null,
    nodes: own(limits.node_limit, role) ?? null,
    batch: own(limits.batch_limit, role) ?? null,
    time: own(limits.time_limit, role) ?? null,
    rate: rate ? { perMinute: rate.max_reqs_per_min, by: uniqueBy(rate.unique_params) } : null,
  }
}

interface Limit<T> {
  readonly global: T
  readonly per_role?: Readonly<Record<string, T>>
}

function own<T>(limit: Limit<T> | undefined, role: string): T | undefined {
  if (!limit) return undefined
  const { global, per_role: perRole } = limit
  if (isRecord(perRole) && Object.hasOwn(perRole, role)) return perRole[role]
  return role === adminRole ? undefined : global
}

function uniqueBy(parameters: unknown): RateLimit['by'] {
  if (parameters === 'IP') return 'address'
  if (!Array.isArray(parameters) || parameters.length === 0) return 'role'
  return parameters.map((name: unknown) => String(name).toLowerCase())
}
