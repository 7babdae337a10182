import type { Random } from '../admin/random.ts'
import { type Column, columnNames, randomValue, type Table, tableBeyond, tables } from './tables.ts'

/** What a role may see of a table; the same on both databases. */
interface Permission {
  readonly columns: readonly Column[]
  readonly filter: object
  readonly limit?: number
  readonly allow_aggregations: true
}

export type Permissions = ReadonlyMap<string, ReadonlyMap<Table, Permission>>

/** `both` inherits from the other two: columns that only one of them may see are masked where the other's rows are seen. */
export const roles = ['admin', 'user', 'guest', 'both'] as const

export function randomPermissions(random: Random): Permissions {
  return new Map(
    ['user', 'guest'].map((role) => [role, new Map(tables.map((table) => [table, randomPermission(random)]))]),
  )
}

function randomPermission(random: Random): Permission {
  const hidden = random.pick(columnNames.filter((name) => name !== 'id' && name !== 'ref'))
  return {
    columns: columnNames.filter((name) => name !== hidden),
    filter: random.pick([
      {},
      { n: { _gt: 'X-Svc-N' } },
      { n: 'X-Svc-N' },
      { s: { $neq: 'X-Svc-Word' } },
      { to: { id: { _lt: randomValue(random, 'id') } } },
      { _or: [{ b: { _eq: true } }, { from: { x: { _gte: 0 } } }] },
      { _not: { d: { _is_null: true } } },
    ]),
    ...(random.chance(0.3) && { limit: 1 + random.below(3) }),
    allow_aggregations: true,
  }
}

export const session = { 'x-svc-n': '3', 'x-svc-word': 'bee' }

/** Both sources with the same tables; `far_to` and `far_from` lead to the rows of the other. */
export function metadataOf(databaseUrl: string, permissions: Permissions): object {
  const ofTable = (kind: 'postgres' | 'bigquery', table: Table) => {
    const nameOf = (of: 'postgres' | 'bigquery', name: Table) =>
      of === 'postgres' ? { schema: 'public', name } : { dataset: 'shop', name }
    const relationship = (name: 'to' | 'from') => ({
      name,
      using: {
        manual_configuration: {
          remote_table: nameOf(kind, tableBeyond(table, name)),
          column_mapping: name === 'to' ? { ref: 'id' } : { id: 'ref' },
        },
      },
    })
    const far = kind === 'postgres' ? 'bigquery' : 'postgres'
    const remote = (name: 'to' | 'from') => ({
      name: `far_${name}`,
      definition: {
        to_source: {
          source: far,
          table: nameOf(far, tableBeyond(table, name)),
          relationship_type: name === 'to' ? 'object' : 'array',
          field_mapping: name === 'to' ? { ref: 'id' } : { id: 'ref' },
        },
      },
    })
    return {
      table: nameOf(kind, table),
      object_relationships: [relationship('to')],
      array_relationships: [relationship('from')],
      remote_relationships: [remote('to'), remote('from')],
      select_permissions: [...permissions].map(([role, of]) => ({ role, permission: of.get(table) })),
    }
  }
  const bigquery = { service_account: { from_env: 'BQ_KEY' }, project_id: 'test', datasets: ['shop'] }
  return {
    version: 3,
    inherited_roles: [{ role_name: 'both', role_set: ['user', 'guest'] }],
    sources: [
      {
        name: 'postgres',
        kind: 'postgres',
        configuration: { connection_info: { database_url: databaseUrl } },
        tables: tables.map((table) => ofTable('postgres', table)),
      },
      {
        name: 'bigquery',
        kind: 'bigquery',
        configuration: bigquery,
        tables: tables.map((table) => ofTable('bigquery', table)),
      },
    ],
  }
}
