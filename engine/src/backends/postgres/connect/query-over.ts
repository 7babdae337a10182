import type { Ask } from '../introspect/ask.ts'
import { arrayLiteral } from '../types/array-literal.ts'
import { control } from './batch.ts'
import type { PreparedNames } from './prepared-names.ts'
import { RowsStatement } from './statements.ts'
import type { Prepared } from './value-queue.ts'
import type { SourceClient } from './wire.ts'

/**
 * Queries of the catalogue over one connection. Those that remain prepared are planned once for all parameters:
 * planning takes the database up to ten times as long as the answer, and would happen five times for each connection.
 */
export function queryOver(client: SourceClient, names: PreparedNames, prepare: boolean): Ask {
  return (text, parameters, name) => {
    const statement: Prepared = {
      text,
      name: prepare && name !== undefined ? name : null,
      parameters: parameters.map((list) => arrayLiteral(list)),
    }
    const before = client.values.pooled?.settings ?? (statement.name === null ? null : plansOnce)
    return new Promise((resolve, reject) =>
      client.run(new RowsStatement(statement, names, { resolve, reject }, before)),
    )
  }
}

/** Until the transaction ends. */
const plansOnce = control(`SELECT pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true)`)
