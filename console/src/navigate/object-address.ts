import type { Json } from '../engine/client.ts'
import { shownTable, type TableName } from '../engine/metadata.ts'
import { addressOf } from './location.ts'

/** An object by its key as the metadata API has it: `{ source, table, role }`. */
export interface ObjectKey {
  readonly type: string
  readonly key: { readonly [name: string]: Json }
}

/** The view that shows an object, or its parent. */
export function addressOfObject({ type, key }: ObjectKey): string {
  const source = String(key.source ?? key.name)
  const named = (list: string, name: Json | undefined) => addressOf(['objects', list, String(name)])
  const inSource = (list: string, name: Json | undefined) => named(list, `${source}: ${shownTable(name as TableName)}`)
  if (type === 'event_trigger') return addressOf(['events', 'trigger', String(key.name)])
  if (type === 'cron_trigger') return addressOf(['events', 'cron', String(key.name)])
  if (type === 'source') return addressOf(['data', source])
  if (key.table !== undefined)
    return addressOf(['data', source, shownTable(key.table as TableName)], { view: tableViewOf(type) })
  if (type.startsWith('function')) return inSource('functions', key.function)
  if (type === 'native_query') return inSource('native queries', key.root_field_name)
  if (type === 'stored_procedure') return inSource('stored procedures', key.stored_procedure)
  if (type.startsWith('logical_model')) return inSource('logical models', key.logical_model ?? key.name)
  if (type.startsWith('remote_schema')) return named('remote schemas', key.remote_schema ?? key.name)
  if (type.startsWith('action')) return named('actions', key.action ?? key.name)
  if (type === 'inherited_role' || type === 'role') return named('roles', key.role_name ?? key.name)
  if (type === 'query_collection') return named('query collections', key.name)
  if (type === 'rest_endpoint') return named('rest endpoints', key.name)
  if (type === 'allowlist') return named('allowlist', key.collection)
  const words = type.replaceAll('_', ' ')
  return named(words, words)
}

const tableViewOf = (type: string): string =>
  type.endsWith('_permission') ? '' : /relation|computed/.test(type) ? 'relationships' : 'metadata'
