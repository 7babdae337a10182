import type { Json } from '@svc/schema'
import { changedFor, compareSchemas, type ModelPair, modelPair, type SchemaChange } from '../graphql/index.ts'
import type { LongWork } from '../long-work.ts'
import type { Model } from '../model/index.ts'
import { adminRole } from '../session.ts'
import { comparePermissions } from './compare-permissions.ts'
import type { RowChange } from './row-change.ts'
import { brokenOperations } from './stored-operations.ts'

/** Changes of a schema that are listed for one role; the breaking ones come first. */
const mostChanges = 1000

/**
 * What a change means for those who use the API (docs/preview.md): for each role what its schema gains, loses or changes
 * and which rows it may read and write otherwise, and the stored operations that break.
 */
export function* describePreview(before: Model, after: Model): LongWork<Record<string, Json>> {
  const pair = modelPair(before, after)
  const compared: RolePreview[] = []
  for (const role of rolesOf(before, after)) {
    yield 1
    const found = yield* compareRole(pair, role)
    if (found) compared.push(found)
  }
  const breaking = compared.map(({ role, schema }) => ({ role, changes: schema }))
  const operations = yield* brokenOperations(before, after, breaking)
  return {
    roles: compared.map(describe),
    operations: operations.map((operation) => ({ ...operation })),
  }
}

interface RolePreview {
  readonly role: string
  readonly schema: readonly SchemaChange[]
  /** What changes next to it for requests with the privileges of a backend. */
  readonly backend: readonly SchemaChange[]
  readonly rows: readonly RowChange[]
}

const rolesOf = (before: Model, after: Model): readonly string[] => [
  adminRole,
  ...[...new Set([...before.roles, ...after.roles])].filter((role) => role !== adminRole).sort(),
]

/** Null: nothing changes for the role. */
function* compareRole(pair: ModelPair, role: string): LongWork<RolePreview | null> {
  const { before, after } = pair
  const rows: RowChange[] = []
  let isForBackends = false
  if (role !== adminRole)
    for (const id of changedFor(pair, role)) {
      yield 1
      rows.push(...comparePermissions(before, after, role, id))
      isForBackends ||= [before, after].some((model) => hasBackendOnly(model, id))
    }
  const schema = yield* compareSchemas(pair, role)
  const known = new Set(schema.map(({ description }) => description))
  const ofBackends = isForBackends ? yield* compareSchemas(pair, role, true) : []
  const backend = ofBackends.filter(({ description }) => !known.has(description))
  return schema.length + backend.length + rows.length === 0 ? null : { role, schema, backend, rows }
}

function hasBackendOnly({ tables }: Model, id: string): boolean {
  const table = tables.get(id)
  if (!table) return false
  const maps = [table.insertPermissions, table.updatePermissions, table.deletePermissions]
  return maps.some((permissions) => [...permissions.values()].some(({ backendOnly }) => backendOnly))
}

const describe = ({ role, schema, backend, rows }: RolePreview): Json => ({
  role,
  schema: described(schema),
  ...(backend.length > 0 && { backend: described(backend) }),
  rows: rows.map(({ table, ...change }) => ({ ...change, table: { ...table } }) as unknown as Json),
})

function described(changes: readonly SchemaChange[]): Json {
  const of = (severity: SchemaChange['severity']) => changes.filter((change) => change.severity === severity)
  const [breaking, dangerous, safe] = [of('breaking'), of('dangerous'), of('safe')]
  const listed = [...breaking, ...dangerous, ...safe].slice(0, mostChanges)
  return {
    breaking: breaking.length,
    dangerous: dangerous.length,
    safe: safe.length,
    changes: listed.map((change) => ({ ...change })),
    ...(listed.length < changes.length && { not_listed: changes.length - listed.length }),
  }
}
