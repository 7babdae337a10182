import type { Ask } from '../introspect/introspect.ts'
import { arrayLiteral } from '../types/array-literal.ts'
import type { PreparedNames } from './prepared-names.ts'
import { RowsStatement } from './statements.ts'
import type { Prepared } from './value-queue.ts'
import type { SourceClient } from './wire.ts'

/** The catalogue's questions over one connection. */
export function askOver(client: SourceClient, names: PreparedNames, prepare: boolean): Ask {
  return (text, parameters, name) => {
    const statement: Prepared = {
      text,
      name: prepare && name !== undefined ? name : null,
      parameters: parameters.map((list) => arrayLiteral(list)),
    }
    return new Promise((resolve, reject) =>
      client.run(new RowsStatement(statement, names, { resolve, reject }, client.values.pooled?.settings)),
    )
  }
}
