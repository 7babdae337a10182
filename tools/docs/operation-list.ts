/** Every operation of the admin API with the JSON Schema of its arguments, from the declarations. */
import {
  bulkArgs,
  countRowsArgs,
  deleteRowsArgs,
  insertRowsArgs,
  type JsonObject,
  jsonSchemaOf,
  namedDraftArgs,
  namedRemoteSchemaArgs,
  reloadMetadataArgs,
  restoreMetadataArgs,
  runSqlArgs,
  type Schema,
  selectRowsArgs,
  updateRowsArgs,
} from '@svc/schema'
import { postgres } from '../../engine/src/backends/index.ts'
import { draftOperations } from '../../engine/src/drafts/index.ts'
import { eventOperations } from '../../engine/src/events/index.ts'
import { type AdminEndpoint, requestTable } from '../../engine/src/requests/index.ts'
import { scheduleOperations } from '../../engine/src/schedules/index.ts'
import { getUsage } from '../../engine/src/usage/index.ts'

export interface ListedOperation {
  /** With the prefix of PostgreSQL where it has one: pg_track_table. */
  readonly type: string
  readonly endpoints: readonly AdminEndpoint[]
  /** Its name and arguments on /v1/query: without prefix, and in its older form. */
  readonly older: OlderOperation | null
  readonly args: Schema<unknown>
  readonly jsonSchema: JsonObject
}

interface OlderOperation {
  readonly type: string
  readonly version: 1 | 2
  readonly jsonSchema: JsonObject
}

const endpoints: readonly AdminEndpoint[] = ['/v1/metadata', '/v2/query', '/v1/query']

/** By name. Of operations that go by several names (postgres_, none) the one with `pg_`. */
export function listOperations(): readonly ListedOperation[] {
  // nothing is queried
  const drafts = draftOperations({ modelOf: () => Promise.reject(new Error('no draft')) })
  const table = requestTable(postgres.kinds, {
    inSources: eventOperations(() => {}),
    others: [...scheduleOperations, ...drafts, getUsage(null)],
  })
  const own = new Map<string, Schema<unknown>>([
    ['reload_metadata', reloadMetadataArgs],
    ['reload_remote_schema', namedRemoteSchemaArgs],
    ['apply_draft', namedDraftArgs],
    ['restore_metadata', restoreMetadataArgs],
    ['select', selectRowsArgs],
    ['count', countRowsArgs],
    ['insert', insertRowsArgs],
    ['update', updateRowsArgs],
    ['delete', deleteRowsArgs],
    ...['bulk', 'bulk_keep_going', 'bulk_atomic', 'concurrent_bulk'].map((type) => [type, bulkArgs] as const),
    ['run_sql', runSqlArgs],
    ['pg_run_sql', runSqlArgs],
  ])
  const rows = ['select', 'count', 'insert', 'update', 'delete']
  const accepts = (endpoint: AdminEndpoint, type: string): boolean => {
    const { operation, read, bulks, runSql, rows: hasRows, reloads, stored } = table.endpoints[endpoint]
    if (operation(type, 1) ?? read(type, 1)) return true
    if (bulks.has(type) || runSql.has(type) || stored.has(type)) return true
    if (rows.includes(type)) return hasRows
    return reloads && type.startsWith('reload_')
  }
  const older = (type: string): OlderOperation | null => {
    const { operation, read } = table.endpoints['/v1/query']
    for (const name of [type.replace(/^pg_/, ''), type])
      for (const version of [1, 2] as const) {
        const isOwn = version === 1 && accepts('/v1/query', name)
        const found = operation(name, version) ?? read(name, version)
        const args = found?.args ?? (isOwn ? own.get(name) : undefined)
        if (args) return { type: name, version, jsonSchema: jsonSchemaOf(args) }
      }
    return null
  }
  const listed = [...table.types].sort().flatMap((type): readonly ListedOperation[] => {
    const { operation, read } = table.endpoints['/v1/metadata']
    const found = operation(type, 1) ?? read(type, 1)
    // another name of the same
    if (found && found.type !== type) return []
    const args = found?.args ?? own.get(type)
    if (!args) return []
    const unprefixed = type.replace(/^pg_/, '')
    const at = endpoints.filter((endpoint) => accepts(endpoint, type) || accepts(endpoint, unprefixed))
    return [{ type, endpoints: at, args, jsonSchema: jsonSchemaOf(args), older: older(type) }]
  })
  return listed
}
