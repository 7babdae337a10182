import { isRecord, type Json, type JsonObject } from '@svc/schema'
import type { UsageLog, UsedOperation } from '../metadata/index.ts'

/** Days that are read. */
const days = 7

/** Operations that are listed for one change. */
const mostOperations = 10

/** A change that was described, and what of its role's schema it breaks. A name of null: all of the type. */
interface BreakingPart {
  readonly change: Json
  readonly role: string
  readonly kind: 'member'
  readonly of: string
  readonly name: string | null
}

/**
 * A preview that says of each breaking change which operations used what it breaks, in the last days (docs/usage.md). The same
 * where nothing was counted.
 */
export async function withUsage(
  preview: Record<string, Json>,
  log: Pick<UsageLog, 'since' | 'users'>,
): Promise<Record<string, Json>> {
  const since = await log.since(days)
  if (since === null) return preview
  const roles = records(preview.roles)
  const parts = roles.flatMap((role) =>
    [role.schema, role.backend].flatMap((schema) => partsOf(String(role.role), schema)),
  )
  const found = await log.users(
    days,
    parts.map(({ role, kind, of, name }) => ({ role, kind, of, name })),
  )
  const users = new Map(parts.map(({ change }, place) => [change, found.get(place) ?? []]))
  const described = (schema: Json): Json => {
    if (!isRecord(schema)) return schema
    const changes = records(schema.changes)
    const used = changes.filter((change) => (users.get(change) ?? []).length > 0).length
    return { ...schema, breaking_used: used, changes: changes.map((change) => usedChange(change, users.get(change))) }
  }
  return {
    ...preview,
    usage: { days, since },
    roles: roles.map(({ schema, backend, ...role }) => ({
      ...role,
      schema: described(schema ?? null),
      ...(backend !== undefined && { backend: described(backend) }),
    })),
  }
}

const records = (json: Json | undefined): readonly JsonObject[] =>
  Array.isArray(json) ? (json as readonly Json[]).filter(isRecord) : []

function partsOf(role: string, schema: Json | undefined): readonly BreakingPart[] {
  if (!isRecord(schema)) return []
  return records(schema.changes)
    .filter(({ severity }) => severity === 'breaking')
    .map((change) => {
      const [of = '', ...rest] = String(change.at).split('.')
      return { change, role, kind: 'member', of, name: memberOf(String(change.change), rest.join('.')) } as const
    })
}

/** The member of a type that is used by the operations that a change breaks; null: any. */
function memberOf(change: string, member: string): string | null {
  switch (change) {
    case 'REQUIRED_ARG_ADDED':
      return member.replace(/\(.*/, '')
    // what lacks the new field names others, or none
    case 'REQUIRED_INPUT_FIELD_ADDED':
    case 'TYPE_REMOVED':
    case 'TYPE_CHANGED_KIND':
    case 'TYPE_REMOVED_FROM_UNION':
    case 'IMPLEMENTED_INTERFACE_REMOVED':
      return null
    default:
      return member
  }
}

type User = UsedOperation & { readonly part: string }

function usedChange(change: JsonObject, users: readonly User[] | undefined): JsonObject {
  if (!users || users.length === 0) return change
  // an operation that requests several members of a type comes with each
  const operations = new Map<string, { readonly user: User; readonly isCertain: boolean }>()
  for (const user of users)
    operations.set(user.id, { user, isCertain: user.part !== '*' || operations.get(user.id)?.isCertain === true })
  const listed = [...operations.values()].slice(0, mostOperations)
  return {
    ...change,
    used: listed.map(({ user: { hash, name, type, count, last }, isCertain }) => ({
      operation: name || null,
      hash: hash || null,
      type: type || null,
      count,
      last,
      certain: isCertain,
    })),
    ...(operations.size > listed.length && { used_not_listed: operations.size - listed.length }),
  }
}
