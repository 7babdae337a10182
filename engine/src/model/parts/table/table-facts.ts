import { isRecord } from '@svc/schema'
import { tableReadKey } from '../../graph.ts'
import { rewriteConfiguration } from '../../rename/rewrite-references.ts'
import { tableIdOf } from '../../table-id.ts'
import type { KindFacts } from '../part.ts'

/** Of tables, which are a layer of their own: update/update-tables.ts. */
export const tableFacts: KindFacts = {
  readKeys: (at) => [tableReadKey(tableIdOf(at))],
  rename: (value, { own, names }) =>
    own === null
      ? value
      : {
          ...value,
          ...(isRecord(value.table) && { table: names.table(value.table) }),
          ...(value.configuration && { configuration: rewriteConfiguration(value.configuration, own, names) }),
        },
}
