import { print } from '../../sql.ts'
import type { Ask } from '../introspect/ask.ts'
import { arrayLiteral } from '../types/array-literal.ts'
import { control } from './batch.ts'
import { askRows } from './open-client.ts'
import type { PreparedNames } from './prepared-names.ts'
import type { Prepared } from './value-queue.ts'
import type { SourceClient } from './wire.ts'

/**
 * Returns what runs queries of the catalogue over one connection. Prepared ones are planned once for all parameters:
 * planning takes the database up to ten times as long as the answer, and would happen five times for each connection.
 */
export function queryOver(client: SourceClient, names: PreparedNames, prepare: boolean): Ask {
  return (query, name) => {
    const { text, slots } = print(query)
    const statement: Prepared = {
      text,
      name: prepare && name !== undefined ? name : null,
      parameters: slots.map((list) => arrayLiteral(list)),
    }
    const before = client.values.pooled?.settings ?? (statement.name === null ? null : plansOnce)
    return askRows(client, statement, names, before)
  }
}

/** Plans statements without their parameters until the transaction ends. */
const plansOnce = control(`SELECT pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true)`)
